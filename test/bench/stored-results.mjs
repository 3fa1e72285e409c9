/**
 * Results of each part, as JSON, so that a run can replace one part of the page and keep the others.
 * @module
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { format } from "prettier";

/** @typedef {import("./measured.mjs").Measured} Measured */

/**
 * @typedef {object} StoredPart
 * @property {{ date: string, rounds: number, machine: string[], versions: Record<string, string> }} run the run, which its
 * date identifies, such as `2026-11-26T09:30:00.000Z`
 * @property {number} minutes
 * @property {[before: number, after: number]} load load averages
 * @property {Measured} measured
 */

const EXTENSION = ".json";

/** Stores the results of one part. @param {string} folder @param {string} part @param {StoredPart} results */
export async function storePart(folder, part, results) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, part + EXTENSION),
    await format(toJson(results), { parser: "json", printWidth: 110 }),
  );
}

/** Reads all stored results. @param {string} folder @returns {Map<string, StoredPart>} by part */
export function readParts(folder) {
  mkdirSync(folder, { recursive: true });
  const files = readdirSync(folder).filter((name) => name.endsWith(EXTENSION));
  return new Map(
    files.map((name) => [
      name.slice(0, -EXTENSION.length),
      fromJson(readFileSync(join(folder, name), "utf8")),
    ]),
  );
}

/** Maps become lists of entries. Numbers that were not measured are omitted. @param {unknown} value */
export function toJson(value) {
  return JSON.stringify(value, (_, each) => {
    if (each instanceof Map) return { entries: [...each] };
    return typeof each === "number" && !Number.isFinite(each) ? undefined : each;
  });
}

/** @param {string} text from `toJson` @returns {any} */
export function fromJson(text) {
  return JSON.parse(text, (_, each) => (Array.isArray(each?.entries) ? new Map(each.entries) : each));
}
