/**
 * Runs the official conformance suite against the compiled everything server, once for each requirement set and revision.
 * As in all tests, the messages of the server are validated against the schemas. The last line is `N passed, N failed`,
 * counted in checks.
 *
 * `--report FILE` also writes the counts as JSON, in the format of Vitest's report.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { WireCheck } from "../wire/check.mjs";
import { recordingEnvironment } from "../wire/recorder.mjs";
import { newerNode } from "../support/newer-node.mjs";
import { judge, printRun, printSummary } from "./report.mjs";
import { startEverything } from "./server.mjs";
import { runs, runSuite } from "./suite.mjs";

const { values } = parseArgs({ options: { report: { type: "string" } } });

/** @type {string[]} */
const expected = JSON.parse(readFileSync(join(import.meta.dirname, "expected-failures.json"), "utf8"));
const node = newerNode();
const folder = mkdtempSync(join(tmpdir(), "tenon-wire-"));
const server = await startEverything(recordingEnvironment(folder));
const judged = [];
try {
  for (const run of runs) {
    const verdict = judge(await runSuite(node, server.url, run), expected);
    printRun(verdict);
    judged.push(verdict);
  }
} finally {
  await server.stop();
}

const check = new WireCheck(folder);
const problems = check.problems();
rmSync(folder, { recursive: true });
const { passed, failed } = printSummary(judged, expected, { counts: check.counts, problems });
if (values.report !== undefined) {
  const counts = {
    numPassedTests: passed,
    numTotalTests: passed + failed,
    numPendingTests: 0,
    numTodoTests: 0,
  };
  writeFileSync(values.report, JSON.stringify(counts));
}
process.exitCode = failed === 0 ? 0 : 1;
