import { diffLines } from "diff";
import type { VNode } from "preact";
import type { Call } from "../state/calls.js";

const MOST_CHANGES = 4000;

/** What is different between two calls: what was sent, and what came of it. */
export function Differences({ before, after }: { before: Call; after: Call }): VNode {
  const parts = diffLines(textOf(before), textOf(after), { maxEditLength: MOST_CHANGES });
  if (!parts) return <p class="hint">They differ in more lines than are shown well.</p>;
  const isSame = parts.every(({ added, removed }) => !added && !removed);
  return (
    <section class="differences" aria-label={`Differences from call ${before.number}`}>
      <p class="hint">
        {isSame
          ? `The same as #${before.number}, arguments and answer.`
          : `From #${before.number} to #${after.number}`}
      </p>
      {!isSame && (
        <pre tabIndex={0} role="region" aria-label="Lines that differ">
          {parts.flatMap(({ value, added, removed }, part) =>
            value.split("\n").flatMap((line, index, all) => {
              if (index === all.length - 1 && line === "") return [];
              const sign = added ? "+" : removed ? "-" : " ";
              const tone = added ? "added" : removed ? "removed" : "same";
              return (
                <span class={tone} key={`${part} ${index}`}>
                  {sign} {line}
                  {"\n"}
                </span>
              );
            }),
          )}
        </pre>
      )}
    </section>
  );
}

function textOf({ args, done, settings: { revision, subject } }: Call): string {
  const outcome = done && ("result" in done.outcome ? done.outcome.result : done.outcome);
  return `${JSON.stringify({ revision, ...(subject !== "" && { subject }), arguments: args, answer: outcome }, undefined, 2)}\n`;
}
