/** The hint of `tenon call` about results that fill the context of a model. */
import { run } from "@tenon/cli";
import { expect, test } from "vitest";
import { projectFolder } from "../support/project-folder.js";
import { recordingTerminal } from "../support/recording-terminal.js";

const SOURCES = {
  "src/rows.ts": `import { Tool, type ToolResult } from "@tenon/runtime";
export class Rows {
  /** Returns rows. */
  @Tool({ readOnly: true, openWorld: false }) rows(count: number): string[] { return Array(count).fill("x".repeat(97)); }
  /** Returns long text. */
  @Tool({ readOnly: true, openWorld: false }) text(length: number): string { return "x".repeat(length); }
  /** Returns rows, and short text for the model. */
  @Tool({ readOnly: true, openWorld: false }) both(): ToolResult<string[]> {
    return { content: [{ type: "text", text: "400 rows." }], structuredContent: Array(400).fill("x".repeat(97)) };
  }
}
`,
};

test.each([
  [
    "data",
    ["rows", "count=400"],
    "The result has 40,001 characters, about 10,001 tokens, sent twice: as text and as data. Return pages, or a `ToolResult<T>` with shorter text.",
  ],
  [
    "text",
    ["text", "length=40000"],
    "The result has 40,000 characters, about 10,000 tokens. Return pages, or a link to a resource.",
  ],
  [
    "its own text",
    ["both"],
    "The result has 40,001 characters, about 10,001 tokens. Return pages, or a link to a resource.",
  ],
  ["less data", ["rows", "count=10"], undefined],
])("a hint reports the size of a result only if it is large: %s", async (_name, args, hint) => {
  // A project for each: the server that a call starts in this process is closed when the call ends.
  const project = projectFolder(SOURCES);
  const terminal = recordingTerminal(project.root);
  expect(await run(["call", ...args], terminal).finally(() => project.remove())).toBe(0);
  const printed = terminal.stderr().replaceAll(/\s+/g, " ");
  if (hint === undefined) expect(printed).not.toContain("The result has");
  else expect(printed).toContain(hint);
});
