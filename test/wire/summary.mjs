import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The folder of a whole run, in which each test file has its own. */
export const RUN_VARIABLE = "TENON_WIRE_RUN";

/** What each of those ends with. */
export const SUMMARY = "summary.json";

/**
 * @typedef {object} Summary
 * @property {string} file The test file.
 * @property {number} bytes How much of what was written has been judged.
 * @property {Record<string, number>} counts
 */

/** @param {string} folder @param {Summary} summary */
export function writeSummary(folder, summary) {
  if (existsSync(folder)) writeFileSync(join(folder, SUMMARY), JSON.stringify(summary));
}
