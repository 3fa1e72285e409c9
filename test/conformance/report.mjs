import { describeCounts } from "../wire/run-folder.mjs";

/** @import { Check, Outcome, Run } from "./suite.mjs" */

/**
 * @typedef {object} Verdict
 * @property {Run} run
 * @property {number} scenarios
 * @property {Check[]} passed
 * @property {Check[]} failed Failures that are not expected.
 * @property {Check[]} known Failures that are expected.
 * @property {Check[]} warnings
 * @property {Check[]} skipped
 * @property {string} [trouble] The reason for which the run counts as failed although no check failed.
 */

/** Returns `scenario:check`, as in the list of expected failures. @param {Check} check */
function getKey(check) {
  return `${check.scenario}:${check.id}`;
}

/** @param {Outcome} outcome @param {string[]} expected @returns {Verdict} */
export function judge({ run, checks, exitCode, output }, expected) {
  /** @type {readonly Check["status"][]} */
  const problems = run.isStrict ? ["FAILURE", "WARNING", "SKIPPED"] : ["FAILURE"];
  const failing = checks.filter((check) => problems.includes(check.status));
  const verdict = {
    run,
    scenarios: new Set(checks.map((check) => check.scenario)).size,
    passed: checks.filter((check) => check.status === "SUCCESS"),
    failed: failing.filter((check) => !expected.includes(getKey(check))),
    known: failing.filter((check) => expected.includes(getKey(check))),
    warnings: checks.filter((check) => check.status === "WARNING"),
    skipped: checks.filter((check) => check.status === "SKIPPED"),
  };
  // A suite that could not run must not look like one without failures.
  if (verdict.passed.length === 0 || (exitCode !== 0 && failing.length === 0)) {
    return { ...verdict, trouble: `The suite ended with exit code ${exitCode}:\n${output.slice(-2000)}` };
  }
  return verdict;
}

/** Prints the failures and warnings of one run. @param {Verdict} verdict */
export function printRun({ run, passed, failed, known, warnings, trouble }) {
  const verdict = failed.length === 0 && trouble === undefined ? "✓" : "✗";
  console.log(`${verdict} ${run.name}: ${passed.length} checks passed, ${failed.length} failed`);
  for (const check of failed) console.log(`    failed    ${describe(check)}`);
  for (const check of known) console.log(`    expected  ${describe(check)}`);
  for (const check of warnings) console.log(`    warning   ${describe(check)}`);
  if (trouble !== undefined) console.log(trouble);
}

/** @param {Check} check */
function describe(check) {
  return `${getKey(check)}\n              ${check.message.replaceAll("\n", "\n              ")}`;
}

/**
 * Prints a table of all runs, the expected failures that no longer fail, the messages of the server that violate the
 * schemas, and the last line.
 *
 * @param {Verdict[]} verdicts @param {string[]} expected
 * @param {{ counts: Record<string, number>, problems: string[] }} wire
 */
export function printSummary(verdicts, expected, wire) {
  const rows = verdicts.map((verdict) => [
    verdict.run.name,
    verdict.scenarios,
    verdict.passed.length,
    verdict.failed.length + (verdict.trouble === undefined ? 0 : 1),
    verdict.known.length,
    verdict.warnings.length,
    verdict.skipped.length,
  ]);
  const header = ["run", "scenarios", "passed", "failed", "expected", "warnings", "skipped"];
  console.log(`\n${table([header, ...rows.map((row) => row.map(String))])}`);

  const failing = new Set(verdicts.flatMap((verdict) => verdict.known.map(getKey)));
  const stale = expected.filter((key) => !failing.has(key));
  if (stale.length > 0) console.log("\nThese pass and must leave expected-failures.json:");
  for (const key of stale) console.log(`  ${key}`);

  console.log(`\n${describeCounts(wire.counts)}`);
  for (const problem of wire.problems) console.log(problem);

  const passed = sum(rows.map((row) => Number(row[2])));
  const failed = sum(rows.map((row) => Number(row[3]))) + stale.length + wire.problems.length;
  console.log(`\n${passed} passed, ${failed} failed`);
  return { passed, failed };
}

/** Formats a table. The first column is aligned to the left, numbers to the right. @param {string[][]} rows */
function table(rows) {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join("  "),
    )
    .join("\n");
}

/** @param {number[]} numbers */
function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}
