import type { Input, Output, Profile, Tool, ToolEntry } from "@tenon/runtime/manifest";
import type { DiagnosticCollector } from "../diagnostics/diagnostic.js";
import type { BuiltEntry, BuiltTool } from "../manifest/entry.js";
import type { ToolDeclaration } from "../model.js";
import type { Loss } from "./lowering.js";
import { lower, lowerResult } from "./profiles.js";

/**
 * Entries as the clients of a profile see them: what is listed may say less than the types do, what values are
 * checked against never does. A schema that the author wrote is listed as it is.
 *
 * @param built with schemas as exact as the types
 */
export function listEntries(
  built: readonly BuiltEntry[],
  profile: Profile,
  collector: DiagnosticCollector,
): BuiltEntry[] {
  return built.map((each) => (each.kind === "tool" ? listTool(each, profile, collector) : each));
}

function listTool(tool: BuiltTool, profile: Profile, collector: DiagnosticCollector): BuiltTool {
  const { declaration, entry } = tool;
  const { definition, input, output } = entry;
  const given = declaration.options.inputSchema
    ? { listed: definition.inputSchema, input }
    : listArguments(declaration, entry, profile, collector);
  const returned = declaration.options.outputSchema
    ? { listed: definition.outputSchema, output }
    : listResult(entry);
  return {
    ...tool,
    entry: {
      ...entry,
      definition: {
        ...definition,
        inputSchema: given.listed,
        ...(returned.listed && { outputSchema: returned.listed }),
      },
      input: given.input,
      output: returned.output,
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
    collector.reporter(name)("profile-loses", method.name, {
      profile,
      tool: name.name,
      losses: losses.map((each) => lossText(each, name.name)),
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

function lossText({ path, loss }: Loss, tool: string): string {
  return path.length === 0 ? `the arguments of tool \`${tool}\` ${loss}` : `\`${path.join(" → ")}\` ${loss}`;
}
