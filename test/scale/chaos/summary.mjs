/**
 * @import { Found } from "./chaos.mjs"
 * @import { StoreFaultResult } from "./store-faults.mjs"
 */

/** Maximum number of faults shown for each kind. */
const SHOWN = 10;

/** Returns the findings of a run as text. @param {Found} found @returns {string} */
export function summarize({ outcomes, kills, effects, repeated, updates, subscribers, redis, seconds }) {
  const killed = Object.values(kills).reduce((sum, count) => sum + count, 0);
  const each = Object.entries(kills).map(([name, count]) => `${name} ${count} times`);
  const kinds = [...outcomes.kinds].toSorted(([one], [other]) => one.localeCompare(other));
  const rows = [
    ["", "done", "failed", "stuck", "slowest"],
    ...kinds.map(([kind, { acknowledged, failed, stuck, slowestMs }]) => [
      kind,
      String(acknowledged),
      String(failed),
      String(stuck),
      `${(slowestMs / 1000).toFixed(1)} s`,
    ]),
  ];
  const reasons = [...outcomes.reasons].toSorted(([, one], [, other]) => other - one);
  return [
    `Three processes, Redis ${redis}, ${seconds.toFixed(0)} s: killed ${killed} times (${each.join(", ")}).`,
    "",
    ...table(rows),
    "",
    `Failures that clients received, by message:`,
    ...(reasons.length === 0 ? ["  none"] : []),
    ...reasons.slice(0, SHOWN).map(([reason, count]) => `  ${String(count).padStart(5)} × ${reason}`),
    "",
    verdict(outcomes.lost, "acknowledged results lost", `of ${outcomes.calls} pieces of work`),
    verdict(
      outcomes.doubled,
      "effects performed twice",
      `of ${effects}; ${repeated} repeated under the same key`,
    ),
    `${mark(outcomes.stuck === 0)} ${outcomes.stuck} clients stuck; ${subscribers} subscribers received ${updates} changes`,
  ].join("\n");
}

/** Returns the findings of a fault of Redis as text. @param {StoreFaultResult} result @returns {string} */
export function describeStoreFault({ fault, pieces, problems }) {
  const done = pieces.filter(({ outcome }) => outcome === "done").length;
  const slowest = Math.max(...pieces.map(({ ms }) => ms)) / 1000;
  const counts = `${done} done, ${pieces.length - done} failed, slowest ${slowest.toFixed(1)} s`;
  const lines = problems.map((problem) => `\n    ${problem}`);
  return `${mark(problems.length === 0)} Redis ${fault.name}: ${counts}${lines.join("")}`;
}

/** @param {readonly string[]} faults @param {string} what @param {string} more */
function verdict(faults, what, more) {
  const shown = faults.slice(0, SHOWN).map((fault) => `\n    ${fault}`);
  const rest = faults.length > SHOWN ? `\n    and ${faults.length - SHOWN} more` : "";
  return `${mark(faults.length === 0)} ${faults.length} ${what} ${more}${shown.join("")}${rest}`;
}

/** @param {boolean} isGood */
function mark(isGood) {
  return isGood ? "✓" : "✗";
}

/** @param {readonly (readonly string[])[]} rows */
function table(rows) {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join("  ")
      .trimEnd(),
  );
}
