import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Follow } from "../result/content-view.js";
import { DataView } from "../result/data-view.js";
import { JsonView } from "../result/json-view.js";
import { OutcomeView } from "../result/outcome-view.js";
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
  /** All calls of the entry, this one among them. */
  others: readonly Call[];
  onShow(number: number): void;
  follow: Follow;
}

/** One call: how it goes on, and what came of it. */
export function CallView({ playground, entry, call, others, onShow, follow }: CallViewProps): VNode {
  const [isRaw, setRaw] = useState(false);
  const [comparedNumber, setCompared] = useState<number>();
  const compared = others.find(({ number }) => number === comparedNumber);
  const { done, settings } = call;
  const section = useRef<HTMLElement>(null);
  // A form may be longer than the window, and the answer is below it.
  useEffect(() => section.current?.scrollIntoView({ block: "nearest" }), [call.number, done]);
  const failed = hasFailed(call);
  return (
    <section ref={section} class="call" aria-label="Answer" aria-busy={!done}>
      <header>
        <h3>Answer</h3>
        <p role="status" class={`verdict ${failed === undefined ? "" : failed ? "bad" : "good"}`}>
          {failed === undefined ? "Waiting…" : failed ? "Refused or failed" : "Done"}
        </p>
        {done ? <span class="hint">{timeText(done.ms)}</span> : <Elapsed />}
        <span class="hint">
          version {call.build}
          {settings.subject !== "" && `, as ${settings.subject}`}
        </span>
        {!done && (
          <button type="button" class="quiet" onClick={() => playground.cancel(call)}>
            Cancel the call
          </button>
        )}
        {others.length > 1 && (
          <select
            class="history"
            aria-label="Which call"
            value={String(call.number)}
            onChange={({ currentTarget }) => onShow(Number(currentTarget.value))}
          >
            {others.map((each) => (
              <option key={each.number} value={String(each.number)}>
                {callName(each)}
              </option>
            ))}
          </select>
        )}
      </header>
      <TaskView call={call} />
      <Progress call={call} />
      <Answers call={call} />
      {done && (
        <div class="outcome">
          {isRaw ? (
            <JsonView value={"result" in done.outcome ? done.outcome.result : done.outcome} label="Result" />
          ) : (
            <OutcomeView outcome={done.outcome} follow={follow} />
          )}
        </div>
      )}
      <Logs call={call} />
      {done && (
        <footer class="actions">
          <button type="button" class="quiet" aria-pressed={isRaw} onClick={() => setRaw(!isRaw)}>
            {isRaw ? "As read" : "As JSON"}
          </button>
          <CallActions playground={playground} entry={entry} call={call} />
          {others.length > 1 && (
            <select
              aria-label="Compare with another call"
              value={String(comparedNumber ?? "")}
              onChange={({ currentTarget }) => setCompared(Number(currentTarget.value) || undefined)}
            >
              <option value="">Compare with…</option>
              {others
                .filter(({ number }) => number !== call.number)
                .map((each) => (
                  <option key={each.number} value={String(each.number)}>
                    {callName(each)}
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

/** How long a call has been going on. Nothing that is read aloud each second. */
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
    <ul class="answers" aria-label="What you have answered">
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

export function timeText(ms: number): string {
  return ms < 1000 ? `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms` : `${(ms / 1000).toFixed(2)} s`;
}

const NAME_LENGTH = 60;

function callName({ number, args }: Call): string {
  const text = JSON.stringify(args);
  return `#${number} ${text.length > NAME_LENGTH ? `${text.slice(0, NAME_LENGTH)}…` : text}`;
}
