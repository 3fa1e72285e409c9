import type { Tool } from "@tenon/runtime/manifest";
import { type InvocationCost, measureInvocation } from "./invocation-cost.js";

/** Facts about a definition that decide its grade, with the names of the Tool Definition Quality Score. */
export interface ToolSignals extends InvocationCost {
  parameters: number;
  requiredParameters: number;
  /** The arguments without a description. */
  undescribed: readonly string[];
  parametersWithEnums: number;
  /** The share of arguments with a description, in percent; 100 without arguments. */
  descriptionCoverage: number;
  hasNestedObjects: boolean;
  hasOutputSchema: boolean;
  /** The number of hints among `readOnly`, `destructive`, and `openWorld` that are set. */
  hints: number;
  /** Whether the title says more than the name. */
  isTitleMeaningful: boolean;
  /** The rule that limits the grade regardless of the rest of the definition. */
  gate?: "no-description" | "repeats-name";
}

/**
 * Reads the facts about a listed tool.
 *
 * @see https://github.com/glama-ai/tool-definition-quality-score#stage-1-context-signals
 */
export function readSignals({
  name,
  title,
  description = "",
  inputSchema,
  outputSchema,
  annotations = {},
}: Tool): ToolSignals {
  const members = Object.entries(inputSchema.properties ?? {});
  const undescribed = members.flatMap(([key, { description: text = "" }]) => (text.trim() === "" ? key : []));
  const gate = findGate(name, title, description);
  const { readOnlyHint, destructiveHint, openWorldHint } = annotations;
  return {
    parameters: members.length,
    requiredParameters: inputSchema.required?.length ?? 0,
    undescribed,
    parametersWithEnums: members.filter(([, member]) => member.enum !== undefined).length,
    descriptionCoverage:
      members.length === 0 ? 100 : Math.round(((members.length - undescribed.length) / members.length) * 100),
    hasNestedObjects: members.some(([, { type }]) => type === "object"),
    hasOutputSchema: outputSchema !== undefined && Object.keys(outputSchema).length > 0,
    hints: [readOnlyHint, destructiveHint, openWorldHint].filter((hint) => hint !== undefined).length,
    isTitleMeaningful: title !== undefined && title !== name && title.length > name.length,
    ...measureInvocation(inputSchema),
    ...(gate && { gate }),
  };
}

function findGate(name: string, title: string | undefined, description: string): ToolSignals["gate"] {
  const text = description.trim().toLowerCase();
  if (text === "") return "no-description";
  return text === name.toLowerCase() || text === title?.toLowerCase() ? "repeats-name" : undefined;
}
