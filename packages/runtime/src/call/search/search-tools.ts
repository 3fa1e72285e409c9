import type { JsonSchema } from "../../protocol/json-schema.js";
import type { Tool } from "../../protocol/specification.js";
import { splitWords } from "./text-index.js";

/** The names of the tools that replace the others in search mode. */
export const SEARCH_TOOL = "search_tools";
export const CALL_TOOL = "call_tool";

/** Maximum length of a query. The search time grows with it, and with the number of tools. */
export const MAX_QUERY_CHARACTERS = 500;

/** Number of tools that a search returns, unless the caller requests fewer or more. */
export const DEFAULT_LIMIT = 5;
export const MAX_LIMIT = 20;

/** Minimum number of tools whose names begin with the same word, for a group that the description names. */
const MIN_GROUP_TOOLS = 3;
/** Maximum number of groups that the description names. */
const MAX_GROUPS = 25;

/** The schema of what a search returns. */
export const FOUND_SCHEMA: JsonSchema = {
  type: "object",
  properties: {
    tools: {
      type: "array",
      description: "The matching tools, best match first.",
      items: {
        type: "object",
        properties: {
          name: { type: "string" },
          description: { type: "string" },
          inputSchema: { type: "object", description: "The schema of the arguments." },
        },
        required: ["name", "inputSchema"],
      },
    },
  },
  required: ["tools"],
};

/**
 * Returns the definition of the tool that searches. Its description names the groups of tools, so that models know
 * which words to search for.
 *
 * @param tools the tools that every caller sees
 */
export function describeSearchTool(tools: readonly Tool[]): Tool {
  const groups = formatGroups(tools);
  return {
    name: SEARCH_TOOL,
    title: "Search tools",
    description:
      "Searches the tools of this server by words in their names, descriptions, and arguments. " +
      `Use it first; then call a tool that it returns with \`${CALL_TOOL}\`.${groups}`,
    inputSchema: {
      type: "object",
      properties: {
        query: {
          type: "string",
          maxLength: MAX_QUERY_CHARACTERS,
          description: "Words that describe the task, such as `refund order`",
        },
        limit: {
          type: "integer",
          minimum: 1,
          maximum: MAX_LIMIT,
          default: DEFAULT_LIMIT,
          description: "Maximum number of tools",
        },
      },
      required: ["query"],
      additionalProperties: false,
    },
    outputSchema: FOUND_SCHEMA as NonNullable<Tool["outputSchema"]>,
    annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: false },
  };
}

/** Returns the definition of the tool that calls others. Its hints are those of the most far-reaching tool. */
export function describeCallTool(tools: readonly Tool[]): Tool {
  const isReadOnly = tools.every(({ annotations }) => annotations?.readOnlyHint === true);
  const isDestructive = tools.some(
    ({ annotations = {} }) => annotations.readOnlyHint !== true && annotations.destructiveHint !== false,
  );
  const isOpen = tools.some(({ annotations }) => annotations?.openWorldHint !== false);
  return {
    name: CALL_TOOL,
    title: "Call a tool",
    description: `Calls a tool that \`${SEARCH_TOOL}\` returned, and returns its result.`,
    inputSchema: {
      type: "object",
      properties: {
        name: { type: "string", description: "The name of the tool" },
        arguments: { type: "object", description: "The arguments, which must fit the tool's `inputSchema`" },
      },
      required: ["name"],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: isReadOnly, destructiveHint: isDestructive, openWorldHint: isOpen },
  };
}

/** Returns a sentence with the first words that several names have in common, the most frequent first. */
function formatGroups(tools: readonly Tool[]): string {
  const counts = new Map<string, number>();
  for (const { name } of tools) {
    const [first = ""] = splitWords(name.split(/[_.\-/]|(?<=[a-z])(?=[A-Z])/, 1)[0] ?? "");
    counts.set(first, (counts.get(first) ?? 0) + 1);
  }
  const groups = [...counts]
    .filter(([word, count]) => word !== "" && count >= MIN_GROUP_TOOLS)
    .sort(([, a], [, b]) => b - a);
  if (groups.length === 0) return "";
  const shown = groups.slice(0, MAX_GROUPS).map(([word, count]) => `${word} (${count})`);
  return ` Their names begin with: ${shown.join(", ")}${groups.length > MAX_GROUPS ? ", …" : ""}.`;
}
