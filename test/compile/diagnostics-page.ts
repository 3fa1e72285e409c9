import { catalogueEntries } from "@tenon/compiler";

/**
 * The text of `packages/compiler/ERRORS.md`: every code with a diagnostic of it.
 *
 * @param shown rendered diagnostics by code
 */
export function diagnosticsPage(shown: ReadonlyMap<string, string>): string {
  const sections = catalogueEntries().map(({ code, severity }) => {
    const text = shown.get(code);
    const frame = text === undefined ? "" : `\n\`\`\`text\n${text}\n\`\`\`\n`;
    return `## ${code}\n\n${severity === "error" ? "Error." : "Warning."}\n${frame}`;
  });
  return `# Diagnostics

Every diagnostic Tenon gives, by its permanent code, as it looks in a terminal. An error keeps the declaration
from being served; a warning does not. This page is written by \`npm test -- -u\` from the catalogue and the
fixtures in \`test/compile/fixtures/diagnostics\`.

${sections.join("\n")}`;
}
