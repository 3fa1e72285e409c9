import { fileURLToPath } from "node:url";
import type { DiagnosticCode } from "./catalog.js";

/**
 * Returns the location of the page about a code.
 *
 * @returns the `address` to display, and the absolute path of the `file`
 * @example
 * getDiagnosticPage("type-any").address // "@tenon/compiler/errors/type-any.md"
 */
export function getDiagnosticPage(code: DiagnosticCode): { address: string; file: string } {
  const path = `errors/${code}.md`;
  return {
    address: `@tenon/compiler/${path}`,
    file: fileURLToPath(new URL(`../../${path}`, import.meta.url)),
  };
}
