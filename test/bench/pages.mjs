import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PARTS } from "./options.mjs";
import { layOut, resultsDocument } from "./report/document.mjs";
import { withFigures } from "./report/landing-figures.mjs";
import { repository } from "./scratch/packages.mjs";

/** @typedef {import("./stored-results.mjs").StoredPart} StoredPart */

/**
 * Writes the results page and the figures of the landing page, if all parts are stored.
 *
 * @param {ReadonlyMap<string, StoredPart>} stored by part
 * @returns {Promise<string>} a report of the written files, or the commands for the missing parts
 */
export async function writePages(stored) {
  const missing = PARTS.filter((part) => !stored.has(part));
  if (missing.length > 0) {
    const command = `npm run bench -- --only ${missing.join(",")}`;
    return `test/bench/RESULTS.md is unchanged until these are measured too: ${command}`;
  }
  const results = await layOut(resultsDocument(pick(stored, PARTS)));
  writeFileSync(join(import.meta.dirname, "RESULTS.md"), results);
  const landingPage = join(repository, "packages/docs/index.md");
  writeFileSync(landingPage, withFigures(readFileSync(landingPage, "utf8"), results));
  return "Written to test/bench/RESULTS.md, and its main figures to packages/docs/index.md.";
}

/** @param {ReadonlyMap<string, StoredPart>} stored @param {readonly string[]} parts @returns {Map<string, StoredPart>} in the order of `parts` */
function pick(stored, parts) {
  /** @type {Map<string, StoredPart>} */
  const found = new Map();
  for (const part of parts) {
    const results = stored.get(part);
    if (results !== undefined) found.set(part, results);
  }
  return found;
}
