/** The diagnostics of consecutive builds in the terminal of `tenon dev`. */
import type { Diagnostic } from "@tenon/compiler";
import { expect, it } from "vitest";
// Internal: the command prints diagnostics only after builds, in a terminal.
import { createDiagnosticsReport } from "../../packages/cli/src/dev/diagnostics-report.js";
import { recordingTerminal } from "../support/recording-terminal.js";

function createWarning(file: string, line: number): Diagnostic {
  const end = { line, column: 9 };
  const excerpt = { firstLine: line, lines: ["  greet() {}"] };
  const span = { file, start: { line, column: 3 }, end, excerpt };
  return { code: "description-missing", severity: "warning", message: `A problem in ${file}.`, span };
}

it("an interactive terminal shows unchanged warnings in one sentence, even if an edit moves them", () => {
  const terminal = recordingTerminal("/work");
  const print = createDiagnosticsReport({ ...terminal.err, columns: 60, canRedraw: true });
  print([createWarning("src/a.ts", 4)]);
  expect(terminal.stderr()).toContain("greet() {}");
  const before = terminal.stderr().length;
  print([createWarning("src/a.ts", 5), createWarning("src/b.ts", 7)]);
  print([createWarning("src/a.ts", 5), createWarning("src/b.ts", 7)]);
  const after = terminal.stderr().slice(before);
  expect(after).toContain("A problem in src/b.ts.");
  expect(after).not.toContain("A problem in src/a.ts.");
  expect(after).toContain("1 warning is unchanged: src/a.ts:5:3\n");
  expect(after).toMatch(/\n2 warnings are unchanged: src\/a.ts:5:3 and src\/b.ts:7:3\n$/);
});

it("errors are printed in full each time", () => {
  const terminal = recordingTerminal("/work");
  const print = createDiagnosticsReport({ ...terminal.err, canRedraw: true });
  const error: Diagnostic = { ...createWarning("src/a.ts", 4), severity: "error" };
  print([error]);
  print([error]);
  expect(terminal.stderr().match(/greet\(\) \{\}/g)).toHaveLength(2);
});
