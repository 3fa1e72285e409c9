import type { Signal } from "@preact/signals";
import type { Tool } from "@tenon/runtime/manifest";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { ArgumentsForm, initialArguments, type Arguments } from "../form/arguments-form.js";
import { refusalsIn } from "../form/refusals.js";
import type { Follow } from "../result/content-view.js";
import { JsonView } from "../result/json-view.js";
import { refusalText } from "../state/calls.js";
import type { Entry } from "../state/entries.js";
import type { Playground } from "../state/playground.js";
import { uriOf } from "../state/request-entry.js";
import { CallView } from "../call/call-view.js";
import { ConfirmDialog } from "../call/confirm-dialog.js";
import { SubscribeButton } from "./subscribe-button.js";
import { SavedCalls } from "../call/saved-calls.js";

interface EntryPageProps {
  playground: Playground;
  entry: Entry;
  draft: Signal<Arguments>;
  follow: Follow;
}

const VERBS = { tool: "Call", prompt: "Get", resource: "Read", template: "Read" } as const;

/** One tool, prompt or resource: what it is, a form for its arguments, and what came of its calls. */
export function EntryPage({ playground, entry, draft, follow }: EntryPageProps): VNode {
  const [shownCall, setShownCall] = useState<number>();
  const { kind, key } = entry;
  const calls = playground.calls.value.filter((call) => call.entry.kind === kind && call.entry.key === key);
  const form = `${kind}-${key}`;
  const shown = calls.find(({ number }) => number === shownCall) ?? calls[0];
  const canComplete =
    (kind === "prompt" || kind === "template") && playground.status.value.server?.capabilities.completions;
  const [wantsTask, setWantsTask] = useState(true);
  const tasks = kind === "tool" ? playground.tasks.value[key] : undefined;
  const [isConfirming, setConfirming] = useState(false);
  const isDestructive = kind === "tool" && (entry.definition as Tool).annotations?.destructiveHint === true;
  const call = (): void => {
    setConfirming(false);
    setShownCall(undefined);
    playground.call(entry, draft.value, wantsTask);
  };
  return (
    <article class="entry" aria-labelledby="entry-name">
      <EntryHeader entry={entry} />
      <SavedCalls
        playground={playground}
        entry={entry}
        onChoose={(args) => {
          draft.value = args;
        }}
      />
      <ArgumentsForm
        id={form}
        nothing={kind === "resource" ? undefined : "It takes no arguments."}
        schema={entry.schema}
        value={draft.value}
        onChange={(next) => {
          draft.value = next;
        }}
        onSubmit={() => (isDestructive && calls.length === 0 ? setConfirming(true) : call())}
        refusals={shown?.args === draft.value ? refusalsIn(refusalText(shown), form) : undefined}
        suggest={
          canComplete ? (name, typed) => playground.complete(entry, name, typed, draft.value) : undefined
        }
      >
        <button type="submit" class="main" disabled={playground.status.value.state !== "serving"}>
          {VERBS[kind]} {entry.name}
        </button>
        {kind !== "resource" && (
          <button
            type="button"
            class="quiet"
            onClick={() => {
              draft.value = initialArguments(entry.schema);
            }}
          >
            Clear
          </button>
        )}
        {tasks === "optional" && (
          <label class="check">
            <input
              type="checkbox"
              checked={wantsTask}
              onChange={({ currentTarget }) => setWantsTask(currentTarget.checked)}
            />
            As a task
          </label>
        )}
        {tasks === "required" && <p class="hint">It is a task always.</p>}
        {(kind === "resource" || kind === "template") && (
          <SubscribeButton playground={playground} uri={uriOf(entry, draft.value)} />
        )}
      </ArgumentsForm>
      {isConfirming && (
        <ConfirmDialog name={entry.name} onConfirm={call} onClose={() => setConfirming(false)} />
      )}
      {shown && (
        <CallView
          key={shown.number}
          playground={playground}
          entry={entry}
          call={shown}
          others={calls}
          onShow={setShownCall}
          follow={follow}
        />
      )}
      <Definition entry={entry} />
    </article>
  );
}

function EntryHeader({
  entry: { kind, key, name, title, description, line, definition },
}: {
  entry: Entry;
}): VNode {
  return (
    <header class="entry-header">
      <div class="title">
        <h2 id="entry-name">{name}</h2>
        {kind === "tool" && <Hints tool={definition as Tool} />}
        {line && (
          <code class="line">
            {line.file}:{line.line}
          </code>
        )}
      </div>
      {title !== undefined && title !== name && <p class="subtitle">{title}</p>}
      {key !== name && <code class="uri">{key}</code>}
      {description !== undefined && <p class="about">{description}</p>}
    </header>
  );
}

function Hints({ tool: { annotations = {} } }: { tool: Tool }): VNode {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations;
  const hints = [
    readOnlyHint && "read-only",
    destructiveHint && "destructive",
    idempotentHint && "idempotent",
    openWorldHint === false && "closed world",
  ].filter((hint) => typeof hint === "string");
  return (
    <>
      {hints.map((hint) => (
        <span class={hint === "destructive" ? "badge warn" : "badge"} key={hint}>
          {hint}
        </span>
      ))}
    </>
  );
}

function Definition({ entry }: { entry: Entry }): VNode {
  return (
    <details class="definition">
      <summary>What clients see of it</summary>
      <JsonView value={entry.definition} label={`Definition of ${entry.name}`} />
    </details>
  );
}
