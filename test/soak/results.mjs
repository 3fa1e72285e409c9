import { cpus, release, totalmem, type } from "node:os";

/** @import { Held } from "../fuzz/drive/server-process.mjs" */

/**
 * @typedef {object} PartResult
 * @property {string} name
 * @property {number} calls
 * @property {number} seconds
 * @property {Held[]} samples The resources of the server after garbage collection, at regular intervals.
 */

const MIB = 1024 * 1024;

/** The maximum growth of a server's memory from the second to the last quarter of a run, in bytes. */
export const MAX_HEAP_GROWTH = 2 * MIB;
/** The maximum growth of its whole memory in bytes. The allocator returns little of it to the system. */
export const MAX_RSS_GROWTH = 24 * MIB;

/** Returns the memory of a server in the last quarter of a run minus its memory in the second quarter. @param {readonly Held[]} samples */
export function findTrend(samples) {
  const quarter = Math.floor(samples.length / 4);
  const [second, last] = [samples.slice(quarter, 2 * quarter), samples.slice(-quarter)];
  /** @param {"heap" | "rss"} kind */
  const growth = (kind) => median(last.map((held) => held[kind])) - median(second.map((held) => held[kind]));
  return { heap: growth("heap"), rss: growth("rss") };
}

/** @param {PartResult} result */
export function describePart({ name, calls, seconds, samples }) {
  const { heap, rss } = findTrend(samples);
  return `${name}: ${calls} calls in ${seconds.toFixed(0)} s, heap ${mib(heap)} and RSS ${mib(rss)} more`;
}

/** @param {readonly PartResult[]} results @param {Date} date */
export function resultsDocument(results, date) {
  const [cpu] = cpus();
  const sum = results.reduce((total, { calls }) => total + calls, 0);
  return `# Results

- Written by \`npm run soak\` on ${date.toISOString().slice(0, 10)}
- ${cpus().length} × ${cpu?.model ?? "?"}, ${(totalmem() / 1024 ** 3).toFixed(1)} GiB, ${type()} ${release()}, Node ${process.versions.node}
- ${sum} calls, each answer checked

Heap and RSS in MiB after gc: medians of the second and of the last quarter of the run, of ${results[0]?.samples.length ?? 0} samples each. A run fails
when the heap grows by more than ${MAX_HEAP_GROWTH / MIB} MiB, or RSS by more than ${MAX_RSS_GROWTH / MIB}, from one to the other.

| | calls | seconds | heap, second quarter | last quarter | RSS, second quarter | last quarter |
| :-- | --: | --: | --: | --: | --: | --: |
${results.map(row).join("\n")}

What is left open at the end, by kind:

| | |
| :-- | :-- |
${results.map(({ name, samples }) => `| ${name} | ${measureResources(samples.at(-1))} |`).join("\n")}
`;
}

/** @param {PartResult} result */
function row({ name, calls, seconds, samples }) {
  const quarter = Math.floor(samples.length / 4);
  /** @param {"heap" | "rss"} kind */
  const cells = (kind) =>
    [samples.slice(quarter, 2 * quarter), samples.slice(-quarter)].map((part) =>
      (median(part.map((held) => held[kind])) / MIB).toFixed(1),
    );
  return `| ${[name, calls, seconds.toFixed(0), ...cells("heap"), ...cells("rss")].join(" | ")} |`;
}

/** @param {Held | undefined} held */
function measureResources(held) {
  const kinds = Object.entries(held?.resources ?? {});
  return kinds.map(([kind, count]) => `${count} ${kind}`).join(", ");
}

/** @param {readonly number[]} values */
function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}

/** @param {number} bytes */
function mib(bytes) {
  return `${(bytes / MIB).toFixed(2)} MiB`;
}
