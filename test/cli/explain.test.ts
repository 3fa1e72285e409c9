import { existsSync } from "node:fs";
import { run } from "@tenon/cli";
import { listDiagnosticCodes, getDiagnosticPage, renderDiagnostic } from "@tenon/compiler";
import { afterEach, describe, expect, it } from "vitest";
// Internal: lines are wrapped for any width.
import { wrapDiagnostic } from "../../packages/cli/src/terminal/text-format.js";
import { projectFolder, type ProjectFolder } from "../support/project-folder.js";
import { recordingTerminal, type RecordingTerminal } from "../support/recording-terminal.js";

let project: ProjectFolder | undefined;
afterEach(() => project?.remove());

async function tenon(args: string[], cwd = "/"): Promise<[code: number, terminal: RecordingTerminal]> {
  const terminal = recordingTerminal(cwd);
  return [await run(args, terminal), terminal];
}

describe("tenon explain", () => {
  it("shows the page of a code", async () => {
    const [code, terminal] = await tenon(["explain", "type-symbol"]);
    expect(code).toBe(0);
    expect(terminal.stdout()).toMatchInlineSnapshot(`
      "A type contains a symbol (type-symbol)

      This is an error: \`tenon build\` fails until you fix it. \`tenon dev\` keeps serving everything else.

      src/source.ts:8:13  error  type-symbol
        Argument \`kind\` of tool \`run\` is a symbol, which exists only inside one process.

          6 │   /** A sample. */
          7 │   @Tool()
       >  8 │   run(kind: symbol, tag: typeof TAG): string {
            │             ^^^^^^
          9 │     return "";
         10 │   }

        hint  Use a string literal type instead.

      Fix

      Use string literals instead of symbols:

      /** Draws a shape. */
      @Tool({ destructive: false, openWorld: false })
      draw(kind: "circle" | "square"): void {}

      page  @tenon/compiler/errors/type-symbol.md
      "
    `);
  });

  it("shows the corrected code", async () => {
    const [, terminal] = await tenon(["explain", "handler-not-public"]);
    expect(terminal.stdout()).toContain(
      "\nFix\n\nMake the method public, because the server calls it from outside the class.\n",
    );
  });

  it("wraps sentences to the width of the terminal, but never code", async () => {
    const terminal = recordingTerminal("/");
    terminal.out.columns = 60;
    await run(["explain", "description-missing"], terminal);
    expect(terminal.stdout()).toMatchInlineSnapshot(`
      "A description is missing (description-missing)

      This is a warning: the server is built anyway.

      src/source.ts:5:3  warning  description-missing
        The tool \`tool\` has no description, so models cannot tell
        when to use it.

         3 │ export class Silent {
         4 │   @Tool()
       > 5 │   tool(): string {
           │   ^^^^
         6 │     return "";
         7 │   }

        hint  Write a JSDoc comment above it.

      Fix

      Describe what the method does, when to use it, and what each
      parameter means. Models choose tools by their descriptions.

      /**
       * Finds products by name. Use it before \`order\`.
       * @param text A part of the name
       */
      @Tool({ readOnly: true, openWorld: true })
      find(text: string): string[] {
        return [text];
      }

      page  @tenon/compiler/errors/description-missing.md
      "
    `);
    expect(wrapDiagnostic("  hint  Use a string literal type.\n  8 │ a line of the source code", 24)).toBe(
      "  hint  Use a string\n        literal type.\n  8 │ a line of the source code",
    );
  });

  it("lists all codes", async () => {
    const [code, terminal] = await tenon(["explain"]);
    expect(code).toBe(0);
    const lines = terminal.stdout().trimEnd().split("\n").slice(1);
    expect(lines.map((line) => line.split(/\s+/))).toEqual(
      listDiagnosticCodes().map(({ code: each, severity }) => [each, severity]),
    );
  });

  it("suggests the nearest code for an unknown one", async () => {
    const [code, terminal] = await tenon(["explain", "type-functoin"]);
    expect(code).toBe(2);
    expect(terminal.stderr()).toMatchInlineSnapshot(`
      "error  Unknown diagnostic \`type-functoin\`. Did you mean \`type-function\`?
      hint   \`tenon explain\` lists all codes.
      "
    `);
  });

  it.each(listDiagnosticCodes())("has a page for $code", ({ code }) => {
    expect(existsSync(getDiagnosticPage(code).file)).toBe(true);
  });
});

describe("a printed diagnostic", () => {
  const SOURCE = `import { Tool } from "@tenon/runtime";
export class Notes {
  @Tool() find(key: symbol): string { return key.description ?? ""; }
}
`;

  it("ends with the address of its page", async () => {
    project = projectFolder({ "src/notes.ts": SOURCE });
    const [code, terminal] = await tenon(["build"], project.root);
    expect(code).toBe(1);
    expect(terminal.stderr()).toMatchInlineSnapshot(`
      "src/notes.ts:3:11  warning  description-missing
        The tool \`find\` has no description, so models cannot tell when to use it.

         1 │ import { Tool } from "@tenon/runtime";
         2 │ export class Notes {
       > 3 │   @Tool() find(key: symbol): string { return key.description ?? ""; }
           │           ^^^^
         4 │ }
         5 │

        hint  Write a JSDoc comment above it.
        more  npx tenon explain description-missing

      src/notes.ts:3:21  error  type-symbol
        Argument \`key\` of tool \`find\` is a symbol, which exists only inside one process.

         1 │ import { Tool } from "@tenon/runtime";
         2 │ export class Notes {
       > 3 │   @Tool() find(key: symbol): string { return key.description ?? ""; }
           │                     ^^^^^^
         4 │ }
         5 │

        hint  Use a string literal type instead.
        more  npx tenon explain type-symbol

      1 error and 1 warning
      "
    `);
  });

  it("names no command if the message is TypeScript's own", async () => {
    project = projectFolder({
      "src/notes.ts": SOURCE.replace("symbol", "string").replace("description", "x"),
    });
    const [, terminal] = await tenon(["build"], project.root);
    expect(terminal.stderr()).toContain("error  typescript");
    expect(terminal.stderr()).not.toContain("tenon explain typescript");
  });

  it("names no command in output for programs", () => {
    expect(
      renderDiagnostic({ code: "server-empty", severity: "warning", message: "Nothing." }),
    ).not.toContain("tenon explain");
  });
});
