import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { renderDiagnostic, type Compilation } from "@tenon/compiler";
import { afterAll, describe, expect, test } from "vitest";
import { createScratchProject } from "../support/scratch-project.js";

/**
 * Each folder in `fixtures/` is a case: the sources as they would stand in `src/`, and what the compiler makes
 * of them. `diagnostics.txt` is what the author sees, `manifest.json` what clients will. A new case is a new
 * folder; `npm test -- -u` writes what is expected.
 */
const fixtures = join(import.meta.dirname, "fixtures");
const EXPECTED = new Set(["diagnostics.txt", "manifest.json"]);

describe("fixtures", () => {
  const project = createScratchProject("fixture");
  afterAll(() => project.remove());

  for (const name of readdirSync(fixtures).sort()) {
    test(name, async () => {
      const folder = join(fixtures, name);
      const sources = readdirSync(folder).filter((file) => !EXPECTED.has(file));
      expect(sources, "a case needs sources").not.toEqual([]);
      const files = Object.fromEntries(
        sources.map((file) => [`src/${file}`, readFileSync(join(folder, file), "utf8")]),
      );
      const compilation = project.compile(files);
      await expectFile(join(folder, "diagnostics.txt"), diagnosticsText(compilation));
      await expectFile(join(folder, "manifest.json"), manifestText(compilation));
    });
  }
});

function diagnosticsText({ diagnostics }: Compilation): string | undefined {
  return diagnostics.length > 0 ? diagnostics.map((each) => renderDiagnostic(each)).join("\n") : undefined;
}

/** A case about diagnostics alone serves nothing, and then there is no manifest to look at. */
function manifestText({ manifest }: Compilation): string | undefined {
  if (!manifest) return undefined;
  const { tools, prompts, resources, resourceTemplates } = manifest;
  const isEmpty = [tools, prompts, resources, resourceTemplates].every((entries) => entries.length === 0);
  return isEmpty ? undefined : `${JSON.stringify(manifest, null, 2)}\n`;
}

async function expectFile(path: string, actual: string | undefined): Promise<void> {
  if (actual === undefined)
    expect(existsSync(path), `${path} is expected, but nothing of the kind came out`).toBe(false);
  else await expect(actual).toMatchFileSnapshot(path);
}
