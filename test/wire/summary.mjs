import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The folder of a whole run, in which each test file has its own. */
export const RUN_VARIABLE = "TENON_WIRE_RUN";

/** Name of the file that completes the folder of each test file. */
export const SUMMARY = "summary.json";

/**
 * @typedef {object} Summary
 * @property {string} file The test file.
 * @property {number} bytes The number of written bytes that are judged.
 * @property {Record<string, number>} counts
 */

/** @param {string} folder @param {Summary} summary */
export function writeSummary(folder, summary) {
  if (existsSync(folder)) writeFileSync(join(folder, SUMMARY), JSON.stringify(summary));
}
