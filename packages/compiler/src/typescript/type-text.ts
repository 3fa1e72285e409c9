import type { ts } from "./typescript.js";

/** Maximum length of a type that a diagnostic prints. */
const MAX_CHARACTERS = 80;

/**
 * Returns the text of a type for diagnostics, on one line and shortened.
 *
 * @example
 * formatType(type, checker) // "Map<string, Row>"
 */
export function formatType(type: ts.Type, checker: ts.TypeChecker): string {
  const text = checker
    .typeToString(type)
    .replaceAll(/\s+/g, " ")
    // The checker's additions to the written type: `Float32Array`'s argument, and `Awaited` around a handler's `T`.
    .replaceAll("<ArrayBufferLike>", "")
    .replace(/^Awaited<(\w+)>$/, "$1");
  return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text;
}
