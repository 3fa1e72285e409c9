import { fileURLToPath } from "node:url";
import type { DiagnosticCode } from "./catalogue.js";

/**
 * Where the page of a code is.
 *
 * @returns its address, to be shown, and the file, to be read
 * @example
 * diagnosticPage("type-any").address // "@tenon/compiler/errors/type-any.md"
 */
export function diagnosticPage(code: DiagnosticCode): { address: string; file: string } {
  const path = `errors/${code}.md`;
  return {
    address: `@tenon/compiler/${path}`,
    file: fileURLToPath(new URL(`../../${path}`, import.meta.url)),
  };
}
