import { diffLines } from "diff";
import type { VNode } from "preact";
import type { Call } from "../state/calls.js";

const MAX_CHANGES = 4000;

/** The differences between the requests and the results of two calls. */
export function Differences({ before, after }: { before: Call; after: Call }): VNode {
  const parts = diffLines(formatCall(before), formatCall(after), { maxEditLength: MAX_CHANGES });
  if (!parts) return <p class="hint">The calls differ in too many lines to show.</p>;
  const isSame = parts.every(({ added, removed }) => !added && !removed);
  return (
    <section class="differences" aria-label={`Differences from call ${before.number}`}>
      <p class="hint">
        {isSame
          ? `Arguments and result are the same as in #${before.number}.`
          : `From #${before.number} to #${after.number}`}
      </p>
      {!isSame && (
        <pre tabIndex={0} role="region" aria-label="Changed lines">
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

function formatCall({ args, done, settings: { revision, subject } }: Call): string {
  const outcome = done && ("result" in done.outcome ? done.outcome.result : done.outcome);
  return `${JSON.stringify({ revision, ...(subject !== "" && { subject }), arguments: args, result: outcome }, undefined, 2)}\n`;
}
