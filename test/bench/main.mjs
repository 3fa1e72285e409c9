/**
 * `npm run bench`: measures the cost of Tenon compared with Node itself and the official SDKs.
 * @module
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadAverage, machineLines } from "./machine.mjs";
import { createParts } from "./measured.mjs";
import { PARTS, readOptions, USAGE } from "./options.mjs";
import { writeProfiles } from "./profile/profile.mjs";
import { withFigures } from "./report/landing-figures.mjs";
import { withComparison } from "./report/comparison-table.mjs";
import { layOut, resultsDocument, sections } from "./report/document.mjs";
import { targetsTable, verdicts } from "./report/targets.mjs";
import { repository } from "./scratch/packages.mjs";
import { prepare } from "./scratch/prepare.mjs";

/** @typedef {import("./measured.mjs").Measured} Measured */
/** @typedef {import("./options.mjs").Options} Options */

/** @param {string} text */
function print(text) {
  process.stdout.write(`${text}\n`);
}

/** @param {(folder: string) => Promise<void>} work */
async function inScratchFolder(work) {
  const folder = mkdtempSync(join(tmpdir(), "tenon-bench-"));
  try {
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {Options} options */
function extrasFor({ parts, coldExtras, curveExtras }) {
  return new Set([0, ...(parts.has("cold") ? coldExtras : []), ...(parts.has("tools") ? curveExtras : [])]);
}

/** @param {string} folder @param {Options} options */
async function measure(folder, options) {
  const started = performance.now();
  const before = loadAverage();
  print("Installing the peers and building the servers …");
  const bench = await prepare(folder, [...extrasFor(options)], options.parts);
  const machine = machineLines(bench.versions);
  print(`${machine.map((line) => `- ${line}`).join("\n")}\n`);

  const parts = createParts(bench, options);
  /** @type {Measured} */
  const measured = {};
  for (const part of PARTS.filter((each) => options.parts.has(each))) {
    const partStarted = performance.now();
    const found = await parts[part]();
    Object.assign(measured, found);
    const seconds = ((performance.now() - partStarted) / 1000).toFixed(0);
    print(await layOut([...sections(found), `(${seconds} s)`].join("\n\n")));
  }
  if (verdicts(measured).length > 0) print(await layOut(targetsTable(measured)));

  const minutes = (performance.now() - started) / 60_000;
  print(`${minutes.toFixed(1)} minutes`);
  if (options.comparable) {
    const page = join(repository, "README.md");
    writeFileSync(page, await layOut(withComparison(readFileSync(page, "utf8"), measured, bench.versions)));
    print("Written to the table in README.md.");
  }
  if (!options.whole) return;
  const about = {
    date: new Date(),
    rounds: options.rounds,
    minutes,
    load: /** @type {[number, number]} */ ([before, loadAverage()]),
  };
  const results = await layOut(resultsDocument(measured, machine, about));
  writeFileSync(join(import.meta.dirname, "RESULTS.md"), results);
  const landingPage = join(repository, "packages/docs/index.md");
  writeFileSync(landingPage, withFigures(readFileSync(landingPage, "utf8"), results));
  print("Written to test/bench/RESULTS.md, and its main figures to packages/docs/index.md.");
}

const options = readOptions(process.argv.slice(2));
if (options === "help") print(USAGE);
else if (options === "profile") await inScratchFolder((folder) => writeProfiles(folder, print));
else await inScratchFolder((folder) => measure(folder, options));
