import { existsSync } from "node:fs";
import { run } from "@tenon/cli";
import { catalogueEntries, diagnosticPage, renderDiagnostic } from "@tenon/compiler";
import { afterEach, describe, expect, it } from "vitest";
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
      "type-symbol

      An error: \`tenon build\` makes no server until it is mended; \`tenon dev\` goes on with what still
      works.

      src/source.ts:8:13  error  type-symbol
        Argument \`kind\` of tool \`run\` is a symbol, which exists only inside one process.

          6 │   /** A sample. */
          7 │   @Tool()
       >  8 │   run(kind: symbol, tag: typeof TAG): string {
            │             ^^^^^^
          9 │     return "";
         10 │   }

        hint  Use a string literal type instead.

      page  @tenon/compiler/errors/type-symbol.md
      "
    `);
  });

  it("shows what to write instead", async () => {
    const [, terminal] = await tenon(["explain", "handler-not-public"]);
    expect(terminal.stdout()).toContain(
      "\nInstead\n\nThe server calls the method from outside, so it has to be public.\n",
    );
  });

  it("breaks sentences where the terminal is narrow, and no code", async () => {
    const terminal = recordingTerminal("/");
    terminal.out.columns = 60;
    await run(["explain", "description-missing"], terminal);
    expect(terminal.stdout()).toMatchInlineSnapshot(`
      "description-missing

      A warning: the server is built all the same.

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

      Instead

      The comment above the method is what a model decides by. Say
      what it does and when to use it; say what each parameter is.

      /**
       * Finds products by name. Use it before \`order\`.
       * @param text A part of the name
       */
      @Tool({ readOnly: true })
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
      catalogueEntries().map(({ code: each, severity }) => [each, severity]),
    );
  });

  it("names the nearest code, where there is none of the name", async () => {
    const [code, terminal] = await tenon(["explain", "type-functoin"]);
    expect(code).toBe(2);
    expect(terminal.stderr()).toMatchInlineSnapshot(`
      "error  There is no diagnostic \`type-functoin\`. Did you mean \`type-function\`?
      hint   \`tenon explain\` lists all codes.
      "
    `);
  });

  it.each(catalogueEntries())("has a page for $code", ({ code }) => {
    expect(existsSync(diagnosticPage(code).file)).toBe(true);
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
        page  @tenon/compiler/errors/description-missing.md

      src/notes.ts:3:21  error  type-symbol
        Argument \`key\` of tool \`find\` is a symbol, which exists only inside one process.

         1 │ import { Tool } from "@tenon/runtime";
         2 │ export class Notes {
       > 3 │   @Tool() find(key: symbol): string { return key.description ?? ""; }
           │                     ^^^^^^
         4 │ }
         5 │

        hint  Use a string literal type instead.
        page  @tenon/compiler/errors/type-symbol.md

      1 error and 1 warning
      "
    `);
  });

  it("has none where TypeScript says it all", async () => {
    project = projectFolder({
      "src/notes.ts": SOURCE.replace("symbol", "string").replace("description", "x"),
    });
    const [, terminal] = await tenon(["build"], project.root);
    expect(terminal.stderr()).toContain("error  typescript");
    expect(terminal.stderr()).not.toContain("errors/typescript.md");
  });

  it("has none as text for programs", () => {
    expect(
      renderDiagnostic({ code: "server-empty", severity: "warning", message: "Nothing." }),
    ).not.toContain("page");
  });
});
