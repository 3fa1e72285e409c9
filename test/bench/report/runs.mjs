/** @typedef {import("../stored-results.mjs").StoredPart} StoredPart */

/**
 * Returns the facts about the runs in which the parts were measured: a line for each run, the run of the first part first, and
 * the machine.
 *
 * @param {ReadonlyMap<string, StoredPart>} parts in the order of the page
 */
export function getRunFacts(parts) {
  /** @type {Map<string, string[]>} */
  const namesByRun = new Map();
  for (const [name, { run }] of parts) {
    namesByRun.set(run.date, [...(namesByRun.get(run.date) ?? []), name]);
  }
  const lines = [...namesByRun].map(([date, names]) => {
    const measured = names.flatMap((name) => parts.get(name) ?? []);
    const minutes = measured.reduce((sum, part) => sum + part.minutes, 0);
    const which = namesByRun.size === 1 ? "" : ` (${names.join(", ")})`;
    const loads = [measured[0]?.load[0], measured.at(-1)?.load[1]].map((load) => load?.toFixed(2));
    return (
      `Written by \`npm run bench\` on ${date.slice(0, 10)}${which}: medians of ${measured[0]?.run.rounds} interleaved rounds, ` +
      `${minutes.toFixed(0)} minutes, load average before ${loads[0]}, after ${loads[1]}`
    );
  });
  const machines = [...parts.values()].flatMap(({ run }) => run.machine);
  return [...lines, ...new Set(machines)];
}
