import type { DiagnosticCollector } from "../diagnostics/diagnostic.js";
import { refusedValues } from "../json-schema/refused-values.js";
import { schemaProblem } from "../json-schema/schema-problem.js";
import type { Declaration } from "../model.js";

/** Schemas that authors write themselves have to be schemas, and of objects where clients take nothing else. */
export function checkOwnSchemas(declarations: readonly Declaration[], collector: DiagnosticCollector): void {
  for (const declaration of declarations) {
    if (declaration.kind !== "tool") continue;
    const report = collector.reporter(declaration.name);
    for (const option of ["inputSchema", "outputSchema"] as const) {
      const schema = declaration.options[option];
      const problem = schema && schemaProblem(schema);
      if (problem !== undefined) report("schema-invalid", declaration.decorator, { option, problem });
      else if (schema && option === "inputSchema" && schema.type !== "object") {
        report("schema-root-not-object", declaration.decorator, { option });
      }
      if (!schema || problem !== undefined) continue;
      for (const { role, value, path, problem: reason } of refusedValues(schema)) {
        report("schema-value-refused", declaration.decorator, {
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
