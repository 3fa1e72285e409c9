import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { catalogueEntries, renderDiagnostic, type Compilation } from "@tenon/compiler";
import { afterAll, describe, expect, test } from "vitest";
import { createScratchProject, type ScratchProject } from "../support/scratch-project.js";
import { diagnosticsPage } from "./diagnostics-page.js";

/**
 * Each folder in `fixtures/diagnostics/` and `fixtures/manifests/` is a case: the sources as they would stand in
 * `src/`, and what the compiler makes of them. `diagnostics.txt` is what the author sees, `manifest.json` what clients
 * will. A new case is a new folder; `npm test -- -u` writes what is expected.
 */
const fixtures = join(import.meta.dirname, "fixtures");
const EXPECTED = new Set(["diagnostics.txt", "manifest.json"]);

/** Codes that a source file alone cannot provoke; the named test shows them. */
const SHOWN_ELSEWHERE: Record<string, string> = {
  "class-outside-src": "test/compile/everything-read.test.ts",
  "config-no-typescript": "test/compile/project.test.ts",
  "config-not-a-project": "test/compile/project.test.ts",
  "config-unreadable": "test/compile/project.test.ts",
  "config-decorator-metadata": "test/compile/project.test.ts",
  "runtime-not-installed": "test/compile/project.test.ts",
};

describe("fixtures", () => {
  const project = createScratchProject("fixture");
  /** The first diagnostic of each code. */
  const shown = new Map<string, string>();
  afterAll(() => project.remove());

  describe("diagnostics", () => {
    test.each(namesIn("diagnostics"))("%s", async (name) => {
      const folder = join(fixtures, "diagnostics", name);
      const compilation = compile(project, folder);
      for (const each of compilation.diagnostics) {
        if (!shown.has(each.code)) shown.set(each.code, renderDiagnostic(each).trimEnd());
      }
      const diagnostics = diagnosticsText(compilation);
      expect(diagnostics, "a case without diagnostics belongs in manifests/").not.toBe("");
      await expect(diagnostics).toMatchFileSnapshot(join(folder, "diagnostics.txt"));
      const path = join(folder, "manifest.json");
      const text = manifestText(compilation);
      if (text === undefined)
        expect(existsSync(path), "nothing is served, so there is no manifest").toBe(false);
      else await expect(text).toMatchFileSnapshot(path);
    });
  });

  describe("manifests", () => {
    test.each(namesIn("manifests"))("%s", async (name) => {
      const folder = join(fixtures, "manifests", name);
      const compilation = compile(project, folder);
      expect(diagnosticsText(compilation)).toBe("");
      const text = manifestText(compilation);
      expect(text, "a case without a manifest belongs in diagnostics/").toBeDefined();
      await expect(text).toMatchFileSnapshot(join(folder, "manifest.json"));
    });
  });

  // These come last: they look at what the cases have shown.
  describe("catalogue", () => {
    test.each(catalogueEntries().map((each) => each.code))("%s has a fixture that shows it", (code) => {
      const elsewhere = SHOWN_ELSEWHERE[code];
      if (elsewhere)
        expect(readFileSync(join(import.meta.dirname, "../..", elsewhere), "utf8")).toContain(code);
      else expect([...shown.keys()]).toContain(code);
    });

    test("codes are kebab-case", () => {
      for (const { code } of catalogueEntries()) expect(code).toMatch(/^[a-z]+(-[a-z]+)*$/);
    });

    test("ERRORS.md is current", async () => {
      const page = join(import.meta.dirname, "../../packages/compiler/ERRORS.md");
      await expect(diagnosticsPage(shown)).toMatchFileSnapshot(page);
    });
  });
});

function namesIn(kind: string): string[] {
  return readdirSync(join(fixtures, kind)).sort();
}

function compile(project: ScratchProject, folder: string): Compilation {
  const sources = readdirSync(folder).filter((file) => !EXPECTED.has(file));
  expect(sources, "a case needs sources").not.toEqual([]);
  return project.compile(
    Object.fromEntries(sources.map((file) => [`src/${file}`, readFileSync(join(folder, file), "utf8")])),
  );
}

function diagnosticsText({ diagnostics }: Compilation): string {
  return diagnostics.map((each) => renderDiagnostic(each)).join("\n");
}

/** Undefined where nothing is served. */
function manifestText({ manifest }: Compilation): string | undefined {
  if (!manifest) return undefined;
  const { tools, prompts, resources, resourceTemplates } = manifest;
  const isEmpty = [tools, prompts, resources, resourceTemplates].every((entries) => entries.length === 0);
  return isEmpty ? undefined : `${JSON.stringify(manifest, null, 2)}\n`;
}
