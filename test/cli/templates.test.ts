import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { compile, renderDiagnostic } from "@tenon/compiler";
import { describe, expect, it } from "vitest";
import { parseArguments } from "../../packages/cli/src/call/parse-arguments.js";
import { findTemplates } from "../../packages/cli/src/create/templates.js";
import { compiledValidator } from "../support/compiled-validator.js";

const workspace = join(import.meta.dirname, "../..");
const templates = findTemplates();

describe("templates", () => {
  it("have one default, which comes first", () => {
    expect(templates.map((each) => each.default ?? false)).toEqual(templates.map((_, index) => index === 0));
  });

  describe.each(templates)("$name", ({ folder, firstCall }) => {
    const { manifest, diagnostics } = compile({ root: folder });

    it("compiles without a diagnostic", () => {
      expect(diagnostics.map((each) => renderDiagnostic(each)).join("\n")).toBe("");
    });

    it("has the tool of its first call, which takes those arguments", () => {
      const tool = manifest?.tools.find(({ definition }) => definition.name === firstCall.tool);
      expect(tool).toBeDefined();
      if (!tool) return;
      const args = parseArguments(firstCall.arguments, tool.definition.inputSchema);
      expect(compiledValidator(tool.input.schema ?? tool.definition.inputSchema)(args)).toBe(true);
    });

    it("tells how to connect clients, with links that work once it is installed", () => {
      const page = readFileSync(join(folder, "README.md"), "utf8");
      for (const word of ["Claude Code", "Cursor", "VS Code", "Claude Desktop", "Windows", '"env"'])
        expect(page).toContain(word);
      for (const [, json = ""] of page.matchAll(/```json\n([^]*?)```/g)) JSON.parse(json);
      const links = [...page.matchAll(/\]\(([^)]+)\)/g)].map(([, path = ""]) => path);
      expect(links).not.toEqual([]);
      for (const link of links) expect(existsSync(join(workspace, link)), link).toBe(true);
    });

    it("brings what every project needs", () => {
      for (const file of ["package.json", "tsconfig.json", "README.md", "_gitignore", "src", "test"]) {
        expect(existsSync(join(folder, file)), file).toBe(true);
      }
    });
  });
});
