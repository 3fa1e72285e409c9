import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { judge, printRun, printSummary } from "./report.mjs";

type Outcome = Parameters<typeof judge>[0];
type Check = Outcome["checks"][number];

const check = (key: string, status: Check["status"]): Check => {
  const [scenario = "", id = ""] = key.split(":");
  return { scenario, id, status, message: `${key} said so` };
};
const passes = check("tools-list:listed", "SUCCESS");
const fails = check("tools-call:answered", "FAILURE");
const outcome = (...checks: Check[]): Outcome => ({
  run: { name: "suite", suite: "conformance-alpha", options: [] },
  checks,
  exitCode: checks.some(({ status }) => status === "FAILURE") ? 1 : 0,
  output: "what the suite printed",
});
const NOTHING_SAID = { counts: {}, problems: [] };

let printed = "";
beforeEach(() => {
  printed = "";
  vi.spyOn(console, "log").mockImplementation((text: string) => {
    printed += `${text}\n`;
  });
});
afterEach(() => void vi.restoreAllMocks());

/** Counts passed and failed checks when some failures are expected. */
function countChecks(outcomes: Outcome[], expected: string[]): { passed: number; failed: number } {
  const verdicts = outcomes.map((each) => judge(each, expected));
  return printSummary(verdicts, expected, NOTHING_SAID);
}

describe("a conformance check", () => {
  test("is counted, and reported with its message, if it fails", () => {
    expect(countChecks([outcome(passes, fails)], [])).toEqual({ passed: 1, failed: 1 });
    printRun(judge(outcome(passes, fails), []));
    expect(printed).toMatch(
      /✗ suite: 1 checks passed, 1 failed\n {4}failed {4}tools-call:answered\n +.*said so/,
    );
  });

  test("is reported without being counted if it fails as expected", () => {
    expect(countChecks([outcome(passes, fails)], ["tools-call:answered"])).toEqual({ passed: 1, failed: 0 });
    printRun(judge(outcome(passes, fails), ["tools-call:answered"]));
    expect(printed).toMatch(/✓ suite: 1 checks passed, 0 failed\n {4}expected {2}tools-call:answered/);
  });

  test.each(["WARNING", "SKIPPED"] as const)("fails in a strict run with the status %s", (status) => {
    const lacking = outcome(passes, check("skills:listed", status));
    expect(judge(lacking, []).failed).toEqual([]);
    const strict = { ...lacking, run: { ...lacking.run, isStrict: true as const } };
    expect(judge(strict, []).failed).toEqual([check("skills:listed", status)]);
  });

  test("is expected to fail only if both its name and its scenario are listed", () => {
    const others = ["tools-call", "answered", "tools-list:answered", "tools-call:answered-late"];
    for (const other of others) {
      const verdict = judge(outcome(passes, fails), [other]);
      expect([verdict.failed, verdict.known]).toEqual([[fails], []]);
    }
  });

  test("counts as failed if it passes although a failure is expected", () => {
    expect(countChecks([outcome(passes)], ["tools-list:listed"])).toEqual({ passed: 1, failed: 1 });
    expect(printed).toContain("These pass and must leave expected-failures.json:\n  tools-list:listed\n");
    expect(countChecks([outcome(passes)], ["no-such:check"])).toEqual({ passed: 1, failed: 1 });
  });

  test("may fail as expected in one run and pass in another", () => {
    const expected = ["tools-call:answered"];
    const again = outcome({ ...fails, status: "SUCCESS" });
    expect(countChecks([outcome(passes, fails), again], expected)).toEqual({ passed: 2, failed: 0 });
  });

  test("is neither passed nor failed if it was skipped or only warns", () => {
    const more = [
      check("ping:answered", "SKIPPED"),
      check("ping:fast", "WARNING"),
      check("ping:seen", "INFO"),
    ];
    expect(countChecks([outcome(passes, ...more)], [])).toEqual({ passed: 1, failed: 0 });
    const { skipped, warnings, scenarios } = judge(outcome(passes, ...more), []);
    expect([skipped.length, warnings.length, scenarios]).toEqual([1, 1, 2]);
  });
});

describe("a run", () => {
  test.each([
    ["checked nothing", outcome()],
    ["only skipped", outcome(check("ping:answered", "SKIPPED"))],
    ["exited with an error without a failing check", { ...outcome(passes), exitCode: 1 }],
    ["was killed", { ...outcome(passes), exitCode: null }],
  ])("counts as failed and shows its output if it %s", (_, given) => {
    const verdict = judge(given, []);
    expect(verdict.trouble).toContain("what the suite printed");
    expect(printSummary([verdict], [], NOTHING_SAID).failed).toBe(1);
    printRun(verdict);
    expect(printed).toMatch(/✗ suite/);
  });

  test("may fail if its failure is expected", () => {
    expect(judge(outcome(passes, fails), ["tools-call:answered"]).trouble).toBeUndefined();
  });
});

test("a message that violates the schema counts as failed and is reported", () => {
  const verdicts = [judge(outcome(passes), [])];
  const problems = ["Not a valid ListToolsResult of 2026-07-28"];
  expect(printSummary(verdicts, [], { counts: { "http: json": 3 }, problems })).toEqual({
    passed: 1,
    failed: 1,
  });
  expect(printed).toContain(
    "3 messages of servers checked (http: json 3)\nNot a valid ListToolsResult of 2026-07-28\n",
  );
});

test("the summary ends with the counts", () => {
  countChecks([outcome(passes, fails), outcome(passes)], []);
  expect(printed).toMatch(/\n2 passed, 1 failed\n$/);
});
