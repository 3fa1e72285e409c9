/** The effects that `tenon check` finds in pairs of sources, against the verdicts of a reader: see `contract-pairs.ts`. */
import { afterAll, beforeAll, expect, test } from "vitest";
// Internal: the comparison alone takes milliseconds, `tenon check` a tenth of a second for each source.
import { compareServers } from "../../packages/cli/src/compare/compare-servers.js";
import type { ServerDescription } from "../../packages/cli/src/compare/server-description.js";
import { listDeclaredQuestions } from "../../packages/cli/src/project/declared-questions.js";
import { createScratchProject, type ScratchProject } from "../support/scratch-project.js";
import { PAIRS, SHARED, type Verdict } from "./contract-pairs.js";

let project: ScratchProject;
beforeAll(() => {
  project = createScratchProject("pairs");
});
afterAll(() => project.remove());

function describeServer(code: string): ServerDescription {
  const source = SHARED + code.replaceAll(/^ *class |(?<=\} )class /gm, "export class ");
  const compilation = project.compile({
    [code.includes("defineServer") ? "src/server.ts" : "src/a.ts"]: source,
  });
  const { manifest, diagnostics } = compilation;
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  if (!manifest || errors.length > 0)
    throw new Error(`${source}\n${errors.map(({ message }) => message).join("\n")}`);
  return { ...manifest, questions: listDeclaredQuestions(compilation) };
}

test.each(PAIRS)("a change is $verdict: $name", ({ verdict, before, after }) => {
  const changes = compareServers(describeServer(before), describeServer(after));
  const found: Verdict = changes.some(({ effect }) => effect === "breaking")
    ? "breaking"
    : changes.length > 0
      ? "visible"
      : "none";
  expect(found, changes.map(({ effect, message }) => `${effect}: ${message}`).join("\n")).toBe(verdict);
  const texts = changes.map(({ kind, name, message }) => `${kind} ${name} ${message}`);
  expect(texts).toEqual([...new Set(texts)]);
});
