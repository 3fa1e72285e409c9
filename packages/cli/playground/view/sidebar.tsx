import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { toHash, type Entry, type EntryKind } from "../state/entries.js";
import type { Playground } from "../state/playground.js";
import type { Selection } from "../state/selection.js";
import { SubscriptionList } from "./subscription-list.js";

const GROUPS: readonly (readonly [EntryKind, string])[] = [
  ["tool", "Tools"],
  ["prompt", "Prompts"],
  ["resource", "Resources"],
  ["template", "Resource templates"],
  ["skill", "Skills"],
];

/** The server's entries. The key `/` moves the focus to the filter. */
export function Sidebar({
  playground,
  selection,
  follow,
}: {
  playground: Playground;
  selection: Selection;
  /** Reads a resource. */
  follow(uri: string): void;
}): VNode {
  const [filter, setFilter] = useState("");
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const isTyping = event.target instanceof Element && event.target.matches("input, textarea, select");
      if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      selection.show("list");
      input.current?.focus();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [selection]);
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = playground.entries.value.filter((entry) => {
    const text = `${entry.name} ${entry.key} ${entry.title ?? ""} ${entry.description ?? ""}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  return (
    <nav class="sidebar" aria-label="Server contents">
      <input
        ref={input}
        type="search"
        aria-label="Filter by name or description"
        placeholder="Filter  /"
        value={filter}
        onInput={({ currentTarget }) => setFilter(currentTarget.value)}
      />
      {GROUPS.map(([kind, title]) => {
        const entries = shown.filter((entry) => entry.kind === kind);
        return (
          entries.length > 0 && (
            <section key={kind} aria-labelledby={`list-${kind}`}>
              <h2 id={`list-${kind}`}>
                {title} <span class="count">{entries.length}</span>
              </h2>
              <ul>
                {entries.map((entry) => (
                  <EntryLink key={entry.key} entry={entry} playground={playground} selection={selection} />
                ))}
              </ul>
            </section>
          )
        );
      })}
      <SubscriptionList playground={playground} onRead={follow} />
      {shown.length === 0 && words.length > 0 && <p class="hint">No matches.</p>}
    </nav>
  );
}

function EntryLink({
  entry,
  playground,
  selection,
}: {
  entry: Entry;
  playground: Playground;
  selection: Selection;
}): VNode {
  const { kind, key, name, title, line } = entry;
  const mark = playground.changes.value.marks.get(toHash(entry));
  const isBroken = playground.status.value.broken.some((each) => each.key === key);
  const chosen = selection.entry.value;
  const isChosen = chosen?.kind === kind && chosen.key === key;
  return (
    <li>
      <a
        href={toHash(entry)}
        aria-current={isChosen ? "page" : undefined}
        onClick={() => selection.show("entry")}
      >
        <span class="name">{name}</span>
        {isBroken ? <span class="badge bad">error</span> : mark && <span class="badge accent">{mark}</span>}
        <span class="line">{line ? `${line.file.replace(/^src\//, "")}:${line.line}` : (title ?? "")}</span>
      </a>
    </li>
  );
}
