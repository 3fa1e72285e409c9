import type { Diagnostic } from "@tenon/compiler";

/**
 * Creates a filter that removes warnings of the previous compilation. Errors always pass.
 *
 * @returns a filter for the diagnostics of consecutive compilations
 */
export function createNewDiagnosticsFilter(): (diagnostics: readonly Diagnostic[]) => Diagnostic[] {
  let known = new Set<string>();
  return (diagnostics) => {
    const fresh = diagnostics.filter((each) => each.severity === "error" || !known.has(getKey(each)));
    known = new Set(diagnostics.map(getKey));
    return fresh;
  };
}

/** Returns a key for a warning that does not change when an edit moves it. */
function getKey({ code, message, span }: Diagnostic): string {
  return JSON.stringify([code, message, span?.file]);
}
