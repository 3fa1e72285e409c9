/**
 * `npm run bench`: measures the cost of Tenon compared with Node itself and the official SDKs.
 * @module
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadAverage, machineLines } from "./machine.mjs";
import { createParts } from "./measured.mjs";
import { PARTS, readOptions, USAGE } from "./options.mjs";
import { writePages } from "./pages.mjs";
import { writeProfiles } from "./profile/profile.mjs";
import { layOut, sections } from "./report/document.mjs";
import { targetsTable, verdicts } from "./report/targets.mjs";
import { prepare } from "./scratch/prepare.mjs";
import { readParts, storePart } from "./stored-results.mjs";

/** @typedef {import("./measured.mjs").Measured} Measured */
/** @typedef {import("./options.mjs").Options} Options */

const RESULTS_FOLDER = join(import.meta.dirname, "results");

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
  print("Installing the peers and building the servers …");
  const bench = await prepare(folder, [...extrasFor(options)], options.parts);
  const machine = machineLines(bench.versions);
  print(`${machine.map((line) => `- ${line}`).join("\n")}\n`);

  const parts = createParts(bench, options);
  /** @type {Measured} */
  const measured = {};
  const run = {
    date: new Date().toISOString(),
    rounds: options.rounds,
    machine,
    versions: bench.versions,
  };
  for (const part of PARTS.filter((each) => options.parts.has(each))) {
    const partStarted = performance.now();
    const before = loadAverage();
    const found = await parts[part]();
    Object.assign(measured, found);
    const seconds = (performance.now() - partStarted) / 1000;
    print(await layOut([...sections(found), `(${seconds.toFixed(0)} s)`].join("\n\n")));
    if (!options.stored) continue;
    await storePart(RESULTS_FOLDER, part, {
      run,
      minutes: seconds / 60,
      load: [before, loadAverage()],
      measured: found,
    });
  }
  if (verdicts(measured).length > 0) print(await layOut(targetsTable(measured)));

  const minutes = (performance.now() - started) / 60_000;
  print(`${minutes.toFixed(1)} minutes`);
  if (options.stored) print(await writePages(readParts(RESULTS_FOLDER)));
}

const options = readOptions(process.argv.slice(2));
if (options === "help") print(USAGE);
else if (options === "profile") await inScratchFolder((folder) => writeProfiles(folder, print));
else await inScratchFolder((folder) => measure(folder, options));
