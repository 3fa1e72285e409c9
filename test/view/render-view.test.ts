/** `renderView`: the tests of an author, in `project/test`. */
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, expect, test } from "vitest";
import { copyProject } from "./built-views.js";

const bin = resolve(import.meta.dirname, "../../node_modules/.bin");
const root = copyProject();
afterAll(() => rmSync(root, { recursive: true, force: true }));

function run(program: string, ...args: string[]): string {
  const { stdout, stderr } = spawnSync(join(bin, program), args, { cwd: root, encoding: "utf8" });
  return stdout + stderr;
}

test("an author's tests of views pass, in Chromium and in happy-dom", () => {
  const output = run("vitest", "run", "--reporter=json", "--outputFile=report.json");
  const report = JSON.parse(readFileSync(join(root, "report.json"), "utf8")) as {
    numPassedTests: number;
    numTotalTests: number;
  };
  expect(report.numPassedTests, output).toBe(report.numTotalTests);
  expect(report.numTotalTests).toBeGreaterThan(20);
  // The tests have compiled the project, so that its types are known.
  expect(run("tsc", "--noEmit", "-p", ".")).toBe("");
});

test("a missing package is named", () => {
  rmSync(join(root, "node_modules/happy-dom"));
  rmSync(join(root, "node_modules/playwright-core"));
  const output = run("vitest", "run", "-t", "shows a given result");
  expect(output).toContain("Install it: npm install --save-dev playwright-core");
  expect(output).toContain("Install it: npm install --save-dev happy-dom");
});
