import type { Input, Output, Profile, Tool, ToolEntry } from "@tenon/runtime/manifest";
import type { DiagnosticCollector } from "../diagnostics/diagnostic.js";
import { findSchemaProblem } from "../json-schema/schema-problem.js";
import type { BuiltEntry, BuiltTool } from "../manifest/entry.js";
import type { ToolDeclaration } from "../model.js";
import type { Loss } from "./lowering.js";
import { lower, lowerResult } from "./profiles.js";

/**
 * Returns the entries that are served, as the clients of a profile see them. Listed schemas may be less exact than the
 * types; the schemas that validate values are always exact. A custom schema is listed unchanged.
 *
 * @param built the entries, with schemas as exact as the types
 */
export function listEntries(
  built: readonly BuiltEntry[],
  profile: Profile,
  collector: DiagnosticCollector,
): BuiltEntry[] {
  const listed = built.map((each) => (each.kind === "tool" ? listTool(each, profile, collector) : each));
  checkListedSchemas(listed, collector);
  return listed.filter(({ declaration }) => !collector.rejected.has(declaration.name));
}

function listTool(tool: BuiltTool, profile: Profile, collector: DiagnosticCollector): BuiltTool {
  const { declaration, entry } = tool;
  const { definition, input, output } = entry;
  const inputSchemas = declaration.options.inputSchema
    ? { listed: definition.inputSchema, input }
    : listArguments(declaration, entry, profile, collector);
  const outputSchemas = declaration.options.outputSchema
    ? { listed: definition.outputSchema, output }
    : listResult(entry);
  return {
    ...tool,
    entry: {
      ...entry,
      definition: {
        ...definition,
        inputSchema: inputSchemas.listed,
        ...(outputSchemas.listed && { outputSchema: outputSchemas.listed }),
      },
      input: inputSchemas.input,
      output: outputSchemas.output,
    },
  };
}

function listArguments(
  { name, method }: ToolDeclaration,
  { definition: { inputSchema }, input }: ToolEntry,
  profile: Profile,
  collector: DiagnosticCollector,
): { listed: Tool["inputSchema"]; input: Input } {
  const { schema, losses } = lower(inputSchema, profile);
  if (losses.length > 0) {
    collector.createReport(name)("profile-lossy", method.name, {
      profile,
      tool: name.name,
      losses: losses.map((each) => describeLoss(each, name.name)),
    });
  }
  return {
    listed: schema as Tool["inputSchema"],
    input: schema === inputSchema ? input : { schema: inputSchema, ...input },
  };
}

function listResult({ definition: { outputSchema }, output }: ToolEntry): {
  listed: Tool["outputSchema"];
  output: Output;
} {
  if (!outputSchema) return { listed: undefined, output };
  const listed = lowerResult(outputSchema);
  if (listed === outputSchema) return { listed, output };
  const { kind, ...conversions } = output;
  return { listed, output: { kind, schema: outputSchema, ...conversions } };
}

function describeLoss({ path, loss }: Loss, tool: string): string {
  return path.length === 0 ? `the arguments of tool \`${tool}\` ${loss}` : `\`${path.join(" → ")}\` ${loss}`;
}

/**
 * Checks that the listed schemas are valid: clients drop a tool with an invalid schema, and some drop the server.
 * Custom schemas have already been checked.
 *
 * @param listed the entries as clients see them
 */
export function checkListedSchemas(listed: readonly BuiltEntry[], collector: DiagnosticCollector): void {
  for (const { kind, declaration, entry } of listed) {
    if (kind !== "tool") continue;
    for (const option of ["inputSchema", "outputSchema"] as const) {
      const schema = declaration.options[option] ? undefined : entry.definition[option];
      const problem = schema && findSchemaProblem(schema);
      if (problem === undefined) continue;
      collector.createReport(declaration.name)("schema-invalid", declaration.method.name, {
        option,
        problem,
      });
    }
  }
}
