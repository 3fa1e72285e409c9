import type { Tool } from "@tenon/runtime/manifest";
import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Follow } from "../result/content-view.js";
import { DataView } from "../result/data-view.js";
import { JsonView } from "../result/json-view.js";
import { OutcomeView } from "../result/outcome-view.js";
import { formatResultSize, measureResult } from "../../src/call/result-size.js";
import { getViewUri } from "../../src/view/view-source.js";
import { ToolView } from "../result/tool-view.js";
import { hasFailed, type Call } from "../state/calls.js";
import type { Entry } from "../state/entries.js";
import type { Playground } from "../state/playground.js";
import { CallActions } from "./call-actions.js";
import { Differences } from "./differences.js";
import { TaskView } from "./task-view.js";

interface CallViewProps {
  playground: Playground;
  entry: Entry;
  call: Call;
  /** All calls of the entry, including this one. */
  calls: readonly Call[];
  onShow(number: number): void;
  follow: Follow;
}

/** A call, with its progress and outcome. */
export function CallView({ playground, entry, call, calls, onShow, follow }: CallViewProps): VNode {
  const [isRaw, setRaw] = useState(false);
  const [comparedNumber, setCompared] = useState<number>();
  const compared = calls.find(({ number }) => number === comparedNumber);
  const { done, settings } = call;
  const section = useRef<HTMLElement>(null);
  // The result is below the form, which may be taller than the window.
  useEffect(() => section.current?.scrollIntoView({ block: "nearest" }), [call.number, done]);
  const failed = hasFailed(call);
  const viewUri = entry.kind === "tool" ? getViewUri(entry.definition as Tool) : undefined;
  return (
    <section ref={section} class="call" aria-label="Result" aria-busy={!done}>
      <header>
        <h3>Result</h3>
        <p role="status" class={`verdict ${failed === undefined ? "" : failed ? "bad" : "good"}`}>
          {failed === undefined ? "Running…" : failed ? "Failed" : "Done"}
        </p>
        {done ? <span class="hint">{formatDuration(done.ms)}</span> : <Elapsed />}
        <span class="hint">
          version {call.build}
          {settings.subject !== "" && `, as ${settings.subject}`}
        </span>
        {!done && (
          <button type="button" class="quiet" onClick={() => playground.cancel(call)}>
            Cancel call
          </button>
        )}
        {calls.length > 1 && (
          <select
            class="history"
            aria-label="Call to show"
            value={String(call.number)}
            onChange={({ currentTarget }) => onShow(Number(currentTarget.value))}
          >
            {calls.map((each) => (
              <option key={each.number} value={String(each.number)}>
                {formatCallLabel(each)}
              </option>
            ))}
          </select>
        )}
      </header>
      <TaskView call={call} />
      <Progress call={call} />
      <Answers call={call} />
      {viewUri !== undefined && (
        <ToolView
          key={`${call.number} ${viewUri}`}
          playground={playground}
          tool={entry.definition as Tool}
          uri={viewUri}
          call={call}
        />
      )}
      {done && (
        <div class="outcome">
          {isRaw ? (
            <JsonView
              value={"result" in done.outcome ? done.outcome.result : done.outcome}
              label="Result as JSON"
            />
          ) : (
            <OutcomeView outcome={done.outcome} follow={follow} />
          )}
        </div>
      )}
      <Logs call={call} />
      {done && (
        <footer class="actions">
          <button type="button" class="quiet" aria-pressed={isRaw} onClick={() => setRaw(!isRaw)}>
            {isRaw ? "Show formatted" : "Show as JSON"}
          </button>
          <CallActions playground={playground} entry={entry} call={call} />
          {done.outcome.type === "tool" && (
            <span class="hint size">{formatResultSize(measureResult(done.outcome.result))}</span>
          )}
          {calls.length > 1 && (
            <select
              aria-label="Compare with another call"
              value={String(comparedNumber ?? "")}
              onChange={({ currentTarget }) => setCompared(Number(currentTarget.value) || undefined)}
            >
              <option value="">Compare with…</option>
              {calls
                .filter(({ number }) => number !== call.number)
                .map((each) => (
                  <option key={each.number} value={String(each.number)}>
                    {formatCallLabel(each)}
                  </option>
                ))}
            </select>
          )}
        </footer>
      )}
      {compared && <Differences before={compared} after={call} />}
    </section>
  );
}

const SECOND = 1000;

/** The duration of a running call. Hidden from screen readers, which would read it every second. */
function Elapsed(): VNode {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setSeconds((before) => before + 1), SECOND);
    return () => clearInterval(timer);
  }, []);
  return (
    <span class="hint elapsed" aria-hidden="true">
      {seconds > 0 && `${seconds} s`}
    </span>
  );
}

function Progress({ call: { progress, done } }: { call: Call }): VNode | null {
  if (!progress || done) return null;
  return (
    <div class="progress">
      <progress
        aria-label="Progress"
        {...(progress.total !== undefined && { value: progress.progress, max: progress.total })}
      />
      <span class="hint">
        {progress.message ??
          [progress.progress, progress.total].filter((each) => each !== undefined).join(" of ")}
      </span>
    </div>
  );
}

function Answers({ call: { answers } }: { call: Call }): VNode | null {
  if (answers.length === 0) return null;
  return (
    <ul class="answers" aria-label="Your answers">
      {answers.map(({ kind, message, given }, index) => (
        <li key={index}>
          <span class="hint">{message || kind}</span> <code>{JSON.stringify(given)}</code>
        </li>
      ))}
    </ul>
  );
}

function Logs({ call: { logs } }: { call: Call }): VNode | null {
  if (logs.length === 0) return null;
  return (
    <section class="logs" aria-label="Log">
      {logs.map(({ level, data }, index) => (
        <div class={`log ${level}`} key={index}>
          <span class="badge">{level}</span>
          <DataView value={data} depth={1} />
        </div>
      ))}
    </section>
  );
}

export function formatDuration(ms: number): string {
  return ms < 1000 ? `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms` : `${(ms / 1000).toFixed(2)} s`;
}

const MAX_NAME_CHARACTERS = 60;

function formatCallLabel({ number, args }: Call): string {
  const text = JSON.stringify(args);
  return `#${number} ${text.length > MAX_NAME_CHARACTERS ? `${text.slice(0, MAX_NAME_CHARACTERS)}…` : text}`;
}
