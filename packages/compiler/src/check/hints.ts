import type { DiagnosticCollector } from "../diagnostics/diagnostic.js";
import type { Declaration } from "../model.js";

/** The values that contradict `readOnly`. */
const CONTRADICTING_VALUES = { destructive: true, idempotent: false } as const;

/**
 * Reports tools whose hints contradict each other, because clients use them to decide whether to ask the user.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/schema#toolannotations
 */
export function checkHints(declarations: readonly Declaration[], collector: DiagnosticCollector): void {
  for (const { kind, name, options, decorator } of declarations) {
    if (kind !== "tool" || !options.readOnly) continue;
    for (const option of ["destructive", "idempotent"] as const) {
      const value = CONTRADICTING_VALUES[option];
      if (options[option] === value)
        collector.createReport(name)("hints-contradictory", decorator, { tool: name.name, option, value });
    }
  }
}
