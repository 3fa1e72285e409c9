import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { renderDiagnostic, type Compilation } from "@tenon/compiler";
import { afterAll, describe, expect, test } from "vitest";
import { createScratchProject, type ScratchProject } from "../support/scratch-project.js";

/**
 * Each folder in `fixtures/diagnostics/` and `fixtures/manifests/` is a case: the sources as they would stand in
 * `src/`, and what the compiler makes of them. `diagnostics.txt` is what the author sees, `manifest.json` what clients
 * will. A new case is a new folder; `npm test -- -u` writes what is expected.
 */
const fixtures = join(import.meta.dirname, "fixtures");
const EXPECTED = new Set(["diagnostics.txt", "manifest.json"]);

describe("fixtures", () => {
  const project = createScratchProject("fixture");
  afterAll(() => project.remove());

  describe("diagnostics", () => {
    test.each(namesIn("diagnostics"))("%s", async (name) => {
      const folder = join(fixtures, "diagnostics", name);
      const compilation = compile(project, folder);
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
