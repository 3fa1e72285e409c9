/** Docstrings as editors show them: the examples compile, and none of their words is mistaken for a tag. */
import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { examplesIn, findProblems, tagsIn } from "./docstring-examples.js";
import { workspace } from "./pages.js";

const sources = execFileSync("git", ["ls-files", "packages/*/src/**.ts"], {
  cwd: workspace,
  encoding: "utf8",
})
  .trim()
  .split("\n");

/** Languages of blocks that contain command lines or program output. */
const NO_CODE = new Set([
  "packages/cli/src/testing/register.ts",
  "packages/cli/src/contract/contract-report.ts",
  "packages/compiler/src/diagnostics/render.ts",
]);

test("the examples of docstrings compile", () => {
  const examples = sources.filter((path) => !NO_CODE.has(path)).flatMap(examplesIn);
  expect(examples.length).toBeGreaterThan(150);
  expect(findProblems(examples).join("\n")).toBe("");
});

test("the tags of docstrings are valid", () => {
  const meant = new Set(["example", "see", "param", "returns", "throws", "module", "typeParam"]);
  const others = sources
    .filter((path) => !NO_CODE.has(path))
    .flatMap((path) => tagsIn(path).map(({ name, line }) => ({ name, at: `${path}:${line} @${name}` })))
    .filter(({ name }) => !meant.has(name));
  expect(others.map(({ at }) => at)).toEqual([]);
});
