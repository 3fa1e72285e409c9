import type { Diagnostic } from "@tenon/compiler";

/**
 * Leaves out warnings that the compilation before had as well. Errors are shown every time.
 *
 * @returns a filter for the diagnostics of one compilation after the other
 */
export function createNewDiagnosticsFilter(): (diagnostics: readonly Diagnostic[]) => Diagnostic[] {
  let known = new Set<string>();
  return (diagnostics) => {
    const fresh = diagnostics.filter((each) => each.severity === "error" || !known.has(keyOf(each)));
    known = new Set(diagnostics.map(keyOf));
    return fresh;
  };
}

/** The same for a warning wherever an edit has moved it. */
function keyOf({ code, message, span }: Diagnostic): string {
  return JSON.stringify([code, message, span?.file]);
}
