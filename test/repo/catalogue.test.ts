import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { catalogueEntries } from "@tenon/compiler";
import { describe, expect, test } from "vitest";

const fixtures = join(import.meta.dirname, "../compile/fixtures/diagnostics");
const reference = join(import.meta.dirname, "../../packages/compiler/ERRORS.md");

/** Codes that a source file alone cannot provoke; the named test shows them. */
const SHOWN_ELSEWHERE: Record<string, string> = {
  "config-not-a-project": "test/compile/project.test.ts",
  "config-unreadable": "test/compile/project.test.ts",
  "config-decorator-metadata": "test/compile/project.test.ts",
  "runtime-not-installed": "test/compile/project.test.ts",
};

interface Example {
  fixture: string;
  text: string;
}

/** The first rendered diagnostic of each code, over all fixtures. */
function examples(): Map<string, Example> {
  const found = new Map<string, Example>();
  for (const fixture of readdirSync(fixtures).sort()) {
    const text = readFileSync(join(fixtures, fixture, "diagnostics.txt"), "utf8");
    for (const diagnostic of text.split(/\n\n(?=\S)/)) {
      const code = /^(?:\S+:\d+:\d+ {2})?(?:error|warning) {2}(\S+)$/m.exec(diagnostic)?.[1];
      if (code && !found.has(code)) found.set(code, { fixture, text: diagnostic.trimEnd() });
    }
  }
  return found;
}

describe("catalogue", () => {
  const shown = examples();

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
    await expect(referencePage(shown)).toMatchFileSnapshot(reference);
  });
});

function referencePage(shown: Map<string, Example>): string {
  const sections = catalogueEntries().map(({ code, severity }) => {
    const example = shown.get(code);
    const frame = example ? `\n\`\`\`text\n${example.text}\n\`\`\`\n` : "";
    return `## ${code}\n\n${severity === "error" ? "Error." : "Warning."}\n${frame}`;
  });
  return `# Diagnostics

Every diagnostic Tenon gives, by its permanent code, as it looks in a terminal. An error keeps the declaration
from being served; a warning does not. This page is written by \`npm test -- -u\` from the catalogue and the
fixtures in \`test/compile/fixtures/diagnostics\`.

${sections.join("\n")}`;
}
