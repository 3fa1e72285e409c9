import type { DiagnosticCollector } from "../diagnostics/diagnostic.js";
import { schemaProblem } from "../json-schema/schema-problem.js";
import type { BuiltEntry } from "../manifest/entry.js";

/**
 * Whatever is listed has to be a schema: clients drop a tool whose schema is none, and some drop the server. What
 * authors write themselves has been checked before.
 *
 * @param listed as clients are to see them
 */
export function checkListedSchemas(listed: readonly BuiltEntry[], collector: DiagnosticCollector): void {
  for (const { kind, declaration, entry } of listed) {
    if (kind !== "tool") continue;
    for (const option of ["inputSchema", "outputSchema"] as const) {
      const schema = declaration.options[option] ? undefined : entry.definition[option];
      const problem = schema && schemaProblem(schema);
      if (problem === undefined) continue;
      collector.reporter(declaration.name)("schema-invalid", declaration.method.name, { option, problem });
    }
  }
}
