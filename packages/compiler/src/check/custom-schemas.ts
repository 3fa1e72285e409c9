import type { DiagnosticCollector } from "../diagnostics/diagnostic.js";
import { findRejectedValues } from "../json-schema/rejected-values.js";
import { findSchemaProblem } from "../json-schema/schema-problem.js";
import type { Declaration } from "../model.js";

/** Checks that custom schemas are valid, and describe objects if clients require that. */
export function checkCustomSchemas(
  declarations: readonly Declaration[],
  collector: DiagnosticCollector,
): void {
  for (const declaration of declarations) {
    if (declaration.kind !== "tool") continue;
    const report = collector.createReport(declaration.name);
    for (const option of ["inputSchema", "outputSchema"] as const) {
      const schema = declaration.options[option];
      const problem = schema && findSchemaProblem(schema);
      if (problem !== undefined) report("schema-invalid", declaration.decorator, { option, problem });
      else if (schema && option === "inputSchema" && schema.type !== "object") {
        report("schema-root-not-object", declaration.decorator, { option });
      }
      if (!schema || problem !== undefined) continue;
      for (const { role, value, path, problem: reason } of findRejectedValues(schema)) {
        report("schema-value-invalid", declaration.decorator, {
          option,
          role,
          value: JSON.stringify(value),
          path: path.join(" → "),
          ...(reason !== undefined && { reason }),
        });
      }
    }
  }
}
