import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { WireCheck } from "./check.mjs";
import { SUMMARY } from "./summary.mjs";

/** @import { Summary } from "./summary.mjs" */

/**
 * Combines the counts of the test files of a run, and judges the messages of processes that outlived them.
 *
 * @param {string} run
 * @returns {{ counts: Record<string, number>, late: string[] }}
 */
export function summarize(run) {
  /** @type {Record<string, number>} */
  const counts = {};
  /** @type {string[]} */
  const late = [];
  for (const name of readdirSync(run)) {
    const folder = join(run, name);
    const check = new WireCheck(folder);
    if (!existsSync(join(folder, SUMMARY))) {
      late.push(...check.problems());
      add(counts, check.counts);
      continue;
    }
    /** @type {Summary} */
    const summary = JSON.parse(readFileSync(join(folder, SUMMARY), "utf8"));
    add(counts, summary.counts);
    if (writtenTo(folder) > summary.bytes) {
      late.push(...check.problems().map((problem) => `${problem}\n  after ${summary.file}`));
    }
  }
  return { counts, late };
}

/** @param {Record<string, number>} sum @param {Record<string, number>} more */
function add(sum, more) {
  for (const [name, count] of Object.entries(more)) sum[name] = (sum[name] ?? 0) + count;
}

/** Returns the size of a folder in bytes. @param {string} folder */
function writtenTo(folder) {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".jsonl"))
    .reduce((sum, name) => sum + readFileSync(join(folder, name)).length, 0);
}

/**
 * Returns counts as text, such as `1234 messages checked: 1000 over stdio, 234 over memory`.
 *
 * @param {Record<string, number>} counts
 */
export function describeCounts(counts) {
  const entries = Object.entries(counts).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const total = entries.reduce((sum, [, count]) => sum + count, 0);
  return `${total} messages of servers checked (${entries.map(([name, count]) => `${name} ${count}`).join(", ")})`;
}
