import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { createCompiler, gradeServer, renderDiagnostic } from "@tenon/compiler";
import { describe, expect, it } from "vitest";
// Internal: the results of commands in templates, which are not installed here.
import { parseArguments } from "../../packages/cli/src/call/parse-arguments.js";
import { CONTRACT_FILE, writeContract } from "../../packages/cli/src/contract/contract.js";
import { listDeclaredQuestions } from "../../packages/cli/src/project/declared-questions.js";
import { writeServerTypes } from "../../packages/cli/src/project/server-types.js";
import { compileWithServerTypes } from "../../packages/cli/src/project/compile-project.js";
import { findTemplates } from "../../packages/cli/src/create/templates.js";
import { compiledValidator } from "../support/compiled-validator.js";

const workspace = join(import.meta.dirname, "../..");
const templates = findTemplates();

describe("templates", () => {
  it("are ordered, and each has a one-line description", () => {
    expect(templates.map(({ name }) => name)).toEqual(["minimal", "standard", "http", "database", "view"]);
  });

  it("mention only existing commands to coding agents", () => {
    const page = readFileSync(join(workspace, "templates/_base/AGENTS.md"), "utf8");
    const scripts = [...page.matchAll(/\bnpm (?:run )?(\w+)/g)].map(([, name]) => name);
    expect(scripts).toContain("test");
    for (const { folder } of templates) {
      const text = readFileSync(join(folder, "package.json"), "utf8");
      expect((JSON.parse(text) as { scripts: object }).scripts).toMatchObject(
        Object.fromEntries(
          [...scripts, "dev", "build", "start", "test", "check"].map((name) => [name, expect.any(String)]),
        ),
      );
    }
  });

  describe.each(templates)("$name", ({ name, folder, firstCall }) => {
    // Writes the types of views, as every command does.
    const compilation = compileWithServerTypes(createCompiler({ root: folder }), folder);
    const { manifest, diagnostics } = compilation;

    it("includes the contract of what clients see", async () => {
      const made = mkdtempSync(join(tmpdir(), "tenon-contract-"));
      try {
        if (manifest) writeContract(made, { ...manifest, questions: listDeclaredQuestions(compilation) });
        await expect(readFileSync(join(made, CONTRACT_FILE), "utf8")).toMatchFileSnapshot(
          join(folder, CONTRACT_FILE),
        );
      } finally {
        rmSync(made, { recursive: true });
      }
    });

    it("includes the types of its server, which tests and views use before the first build", async () => {
      const made = mkdtempSync(join(tmpdir(), "tenon-types-"));
      try {
        const types = manifest ? writeServerTypes(manifest, made).filter((path) => path.endsWith(".ts")) : [];
        expect(types).not.toEqual([]);
        expect(readdirSync(join(folder, "_tenon")).sort()).toEqual(
          types.map((path) => basename(path)).sort(),
        );
        for (const path of types)
          await expect(readFileSync(join(made, path), "utf8")).toMatchFileSnapshot(
            join(folder, "_tenon", basename(path)),
          );
      } finally {
        rmSync(made, { recursive: true });
      }
    });

    it("has a description that fits on a line of a terminal", () => {
      const { description } = templates.find((each) => each.name === name) ?? { description: "" };
      expect(description.length).toBeGreaterThan(20);
      expect(description.length + name.length).toBeLessThan(74);
    });

    it("has definitions with the grade A", () => {
      const { tier, tools = [] } = (manifest && gradeServer(manifest)) ?? {};
      expect([tier, ...tools.map((each) => each.tier)]).toEqual(["A", ...tools.map(() => "A")]);
    });

    it("compiles without diagnostics", () => {
      expect(diagnostics.map((each) => renderDiagnostic(each)).join("\n")).toBe("");
    });

    it("has the tool of its first call, with those arguments", () => {
      const tool = manifest?.tools.find(({ definition }) => definition.name === firstCall.tool);
      expect(tool).toBeDefined();
      if (!tool) return;
      const args = parseArguments(firstCall.arguments, tool.definition.inputSchema);
      expect(compiledValidator(tool.input.schema ?? tool.definition.inputSchema)(args)).toBe(true);
    });

    it("explains how to connect clients, with links that work after installation", () => {
      const page = readFileSync(join(folder, "README.md"), "utf8");
      for (const word of ["Claude Code", "Cursor", "VS Code", "Claude Desktop", "Windows", '"env"'])
        expect(page).toContain(word);
      for (const [, json = ""] of page.matchAll(/```json\n([^]*?)```/g)) JSON.parse(json);
      const links = [...page.matchAll(/\]\(([^)]+)\)/g)].map(([, path = ""]) => path);
      expect(links).not.toEqual([]);
      for (const link of links) expect(existsSync(join(workspace, link)), link).toBe(true);
    });

    it("includes what every project needs", () => {
      for (const file of ["package.json", "tsconfig.json", "README.md", "_gitignore", "src", "test"]) {
        expect(existsSync(join(folder, file)), file).toBe(true);
      }
    });
  });
});
