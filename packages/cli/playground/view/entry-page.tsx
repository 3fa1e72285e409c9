import type { Signal } from "@preact/signals";
import type { Skill, Tool } from "@tenon/runtime/manifest";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { ArgumentsForm, getInitialArguments } from "../form/arguments-form.js";
import type { Arguments } from "../form/schema.js";
import { parseFieldErrors } from "../form/parse-field-errors.js";
import type { Follow } from "../result/content-view.js";
import { JsonView } from "../result/json-view.js";
import { getErrorText } from "../state/calls.js";
import type { Entry } from "../state/entries.js";
import type { Playground } from "../state/playground.js";
import { toUri } from "../state/request-entry.js";
import { SkillFiles } from "./skill-files.js";
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

const KIND_NAMES = { tool: "tool", prompt: "prompt", template: "resource template" } as const;
const VERBS = { tool: "Call", prompt: "Get", resource: "Read", template: "Read", skill: "Read" } as const;

/** The page of a tool, prompt, resource, or skill: its description, a form for its arguments, and its calls. */
export function EntryPage({ playground, entry, draft, follow }: EntryPageProps): VNode {
  const [shownNumber, setShownNumber] = useState<number>();
  const { kind, key } = entry;
  const calls = playground.calls.value.filter((call) => call.entry.kind === kind && call.entry.key === key);
  const form = `${kind}-${key}`;
  const shown = calls.find(({ number }) => number === shownNumber) ?? calls[0];
  const canComplete =
    (kind === "prompt" || kind === "template") && playground.status.value.server?.capabilities.completions;
  const [wantsTask, setWantsTask] = useState(true);
  const tasks = kind === "tool" ? playground.tasks.value[key] : undefined;
  const [isConfirming, setConfirming] = useState(false);
  const isDestructive = kind === "tool" && (entry.definition as Tool).annotations?.destructiveHint === true;
  const call = (): void => {
    setConfirming(false);
    setShownNumber(undefined);
    playground.call(entry, draft.value, wantsTask);
  };
  return (
    <article class="entry" aria-labelledby="entry-name">
      <EntryHeader entry={entry} />
      {kind === "skill" && <SkillFiles skill={entry.definition as Skill} follow={follow} />}
      <SavedCalls
        playground={playground}
        entry={entry}
        onChoose={(args) => {
          draft.value = args;
        }}
      />
      <ArgumentsForm
        id={form}
        emptyText={
          kind === "resource" || kind === "skill" ? undefined : `This ${KIND_NAMES[kind]} has no arguments.`
        }
        schema={entry.schema}
        value={draft.value}
        onChange={(next) => {
          draft.value = next;
        }}
        onSubmit={() => (isDestructive && calls.length === 0 ? setConfirming(true) : call())}
        fieldErrors={shown?.args === draft.value ? parseFieldErrors(getErrorText(shown), form) : undefined}
        suggest={
          canComplete ? (name, typed) => playground.complete(entry, name, typed, draft.value) : undefined
        }
      >
        <button type="submit" class="main" disabled={playground.status.value.state !== "serving"}>
          {VERBS[kind]} {entry.name}
        </button>
        {kind !== "resource" && kind !== "skill" && (
          <button
            type="button"
            class="quiet"
            onClick={() => {
              draft.value = getInitialArguments(entry.schema);
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
            Run as a task
          </label>
        )}
        {tasks === "required" && <p class="hint">This tool always runs as a task.</p>}
        {(kind === "resource" || kind === "template") && (
          <SubscribeButton playground={playground} uri={toUri(entry, draft.value)} />
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
          calls={calls}
          onShow={setShownNumber}
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
      <summary>Definition that clients receive</summary>
      <JsonView value={entry.definition} label={`Definition of ${entry.name}`} />
    </details>
  );
}
