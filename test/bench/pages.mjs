import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { COMPARED, PARTS } from "./options.mjs";
import { withComparison } from "./report/comparison-table.mjs";
import { layOut, resultsDocument } from "./report/document.mjs";
import { withFigures } from "./report/landing-figures.mjs";
import { repository } from "./scratch/packages.mjs";

/** @typedef {import("./stored-results.mjs").StoredPart} StoredPart */

/**
 * Writes the pages whose parts are all stored.
 *
 * @param {ReadonlyMap<string, StoredPart>} stored by part
 * @returns {Promise<string>} what was written, and what to run for the rest
 */
export async function writePages(stored) {
  const messages = [];
  const compared = pick(stored, COMPARED);
  const [first] = compared.values();
  if (compared.size === COMPARED.length && first !== undefined) {
    const page = join(repository, "README.md");
    const measured = Object.assign({}, ...[...compared.values()].map((part) => part.measured));
    const text = withComparison(readFileSync(page, "utf8"), measured, first.run.versions);
    writeFileSync(page, await layOut(text));
    messages.push("Written to the table in README.md.");
  }
  const missing = PARTS.filter((part) => !stored.has(part));
  if (missing.length > 0) {
    const command = `npm run bench -- --only ${missing.join(",")}`;
    return [...messages, `test/bench/RESULTS.md is unchanged until these are measured too: ${command}`].join(
      "\n",
    );
  }
  const results = await layOut(resultsDocument(pick(stored, PARTS)));
  writeFileSync(join(import.meta.dirname, "RESULTS.md"), results);
  const landingPage = join(repository, "packages/docs/index.md");
  writeFileSync(landingPage, withFigures(readFileSync(landingPage, "utf8"), results));
  messages.push("Written to test/bench/RESULTS.md, and its main figures to packages/docs/index.md.");
  return messages.join("\n");
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
