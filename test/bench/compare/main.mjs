/**
 * `npm run compare`: measures Tenon and the frameworks in `test/bench/rivals`, and writes the page of the comparison.
 * @module
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { installFolder } from "../../../.ci/install-folder.mjs";
import { loadAverage, machineLines } from "../machine.mjs";
import { layOut } from "../report/document.mjs";
import { repository } from "../scratch/packages.mjs";
import { run } from "../scratch/run.mjs";
import { comparisonChart } from "./chart.mjs";
import { measureRivals, reason } from "./measure.mjs";
import { comparisonPage } from "./page.mjs";
import { prepareRival } from "./prepare.mjs";
import { TABLES } from "./results.mjs";
import { RIVALS } from "./rivals.mjs";

/** @import { PreparedRival } from "./prepare.mjs" */
/** @import { Results, RivalResults } from "./results.mjs" */

const USAGE = `Usage: npm run compare -- [options]

  --only <names>  these frameworks only: ${RIVALS.map(({ name }) => name).join(", ")}
  --quick         one short round
  --page          write the page and the charts from the stored results again
  -h, --help      show this text

A run without options takes about a quarter of an hour, and writes test/bench/compare/results.json, the page
packages/docs/reference/comparison.md, and its charts. With --only or --quick, it prints the page.
`;

const RESULTS = join(import.meta.dirname, "results.json");
const PAGE = join(repository, "packages/docs/reference/comparison.md");

const { values: options } = parseArgs({
  options: {
    only: { type: "string" },
    quick: { type: "boolean", default: false },
    page: { type: "boolean", default: false },
    help: { type: "boolean", short: "h", default: false },
  },
});

if (options.help) print(USAGE);
else if (options.page) await writePages(JSON.parse(readFileSync(RESULTS, "utf8")));
else {
  const results = await compare(chooseRivals(options.only));
  if (options.quick || options.only !== undefined) print(await layOut(comparisonPage(results)));
  else {
    writeFileSync(RESULTS, `${JSON.stringify(results, null, 2)}\n`);
    await writePages(results);
  }
}

/** @param {string | undefined} only @returns {typeof RIVALS} */
function chooseRivals(only) {
  const names = only?.split(",").map((each) => each.trim());
  const unknown = names?.find((name) => !RIVALS.some((rival) => rival.name === name));
  if (unknown !== undefined)
    throw new Error(
      `Unknown framework "${unknown}". Use some of ${RIVALS.map((each) => each.name).join(", ")}.`,
    );
  return RIVALS.filter(({ name }) => names?.includes(name) ?? true);
}

/** @param {typeof RIVALS} rivals @returns {Promise<Results>} */
async function compare(rivals) {
  const started = performance.now();
  const load = loadAverage();
  const scratch = mkdtempSync(join(tmpdir(), "tenon-compare-"));
  try {
    installFolder(join(repository, "test/third-party"));
    /** @type {PreparedRival[]} */
    const prepared = [];
    /** @type {Map<string, string>} */
    const failed = new Map();
    for (const rival of rivals) {
      print(`Preparing ${rival.label} …`);
      try {
        prepared.push(await prepareRival(rival, scratch));
      } catch (error) {
        failed.set(rival.name, reason(error));
        print(String(error));
      }
    }
    const rounds = options.quick ? 1 : 3;
    const effort = {
      rounds,
      coldRounds: options.quick ? 1 : 7,
      load: options.quick
        ? { stdioCalls: 2000, httpMilliseconds: 500 }
        : { stdioCalls: 20_000, httpMilliseconds: 1500 },
    };
    const cells = await measureRivals(prepared, effort, scratch, print);
    const nodes = await nodeVersions(prepared);
    return {
      date: new Date().toISOString().slice(0, 10),
      rounds,
      minutes: (performance.now() - started) / 60_000,
      machine: [
        ...machineLines({}).slice(0, 1),
        `load average before ${load.toFixed(2)}, after ${loadAverage().toFixed(2)}`,
      ],
      rivals: rivals.map(({ name, label, site, package: package_ }) => ({
        name,
        label,
        version: prepared.find(({ rival }) => rival.name === name)?.version ?? "–",
        package: package_,
        site,
        node: nodes.get(name) ?? "–",
        cells: cells.get(name) ?? allAbsent(failed.get(name)),
      })),
    };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** @param {readonly PreparedRival[]} prepared @returns {Promise<Map<string, string>>} */
async function nodeVersions(prepared) {
  /** @type {Map<string, string>} */
  const versions = new Map();
  for (const { rival, command } of prepared) {
    const { node = process.execPath } = command("http");
    const { stdout } = await run(node, ["--version"], repository);
    versions.set(rival.name, stdout.trim().slice(1));
  }
  return versions;
}

/** Returns the cells of a rival that could not be prepared. @param {string} [why] @returns {RivalResults["cells"]} */
function allAbsent(why = "It was not measured.") {
  const keys = TABLES.flatMap(({ columns }) => columns.map(({ key }) => key));
  return Object.fromEntries(keys.map((key) => [key, { absent: why }]));
}

/** @param {Results} results */
async function writePages(results) {
  writeFileSync(PAGE, await layOut(comparisonPage(results)));
  for (const theme of /** @type {const} */ (["light", "dark"]))
    writeFileSync(
      join(repository, `packages/docs/pictures/comparison-${theme}.svg`),
      comparisonChart(results, theme),
    );
  print("Written to packages/docs/reference/comparison.md and its charts.");
}

/** @param {string} text */
function print(text) {
  process.stdout.write(`${text}\n`);
}
