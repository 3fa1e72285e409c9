/** Docstrings as readers find them in their editor: what they copy compiles, and no word of an example is taken for a tag. */
import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { examplesIn, problemsOf, tagsIn } from "./docstring-examples.js";
import { workspace } from "./pages.js";

const sources = execFileSync("git", ["ls-files", "packages/*/src/**.ts"], {
  cwd: workspace,
  encoding: "utf8",
})
  .trim()
  .split("\n");

/** Of a command line, and of what a program prints. */
const NO_CODE = new Set([
  "packages/cli/src/testing/register.ts",
  "packages/cli/src/contract/contract-report.ts",
  "packages/compiler/src/diagnostics/render.ts",
]);

test("examples of docstrings compile", () => {
  const examples = sources.filter((path) => !NO_CODE.has(path)).flatMap(examplesIn);
  expect(examples.length).toBeGreaterThan(150);
  expect(problemsOf(examples).join("\n")).toBe("");
});

test("a docstring has the tags that it means", () => {
  const meant = new Set(["example", "see", "param", "returns", "throws", "module", "typeParam"]);
  const others = sources
    .filter((path) => !NO_CODE.has(path))
    .flatMap((path) => tagsIn(path).map(({ name, line }) => ({ name, at: `${path}:${line} @${name}` })))
    .filter(({ name }) => !meant.has(name));
  expect(others.map(({ at }) => at)).toEqual([]);
});
