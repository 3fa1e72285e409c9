/**
 * Advice for tools that models use well.
 *
 * @see https://www.anthropic.com/engineering/writing-tools-for-agents
 * @module
 */
import type { JsonSchema, Manifest, ToolEntry } from "@tenon/runtime/manifest";
import type { Advice } from "./advice-entry.js";

/** The number of tools above which models choose noticeably worse. */
const MAX_TOOLS = 40;

const LIMIT = /limit|max|count|size|page|cursor|offset|first|top/i;

/** Arguments whose values only the server or its operator knows. */
const UNKNOWABLE =
  /^(?:api[_-]?key|(?:access[_-]?|auth[_-]?)?token|password|secret|credentials?|user[_-]?id|tenant[_-]?id|session[_-]?id)$/i;

/** Suggests changes for many tools, long lists, and arguments that a model cannot know. */
export function adviseOnUse({ tools }: Pick<Manifest, "tools">): Advice[] {
  return [...adviseOnCount(tools), ...tools.flatMap(adviseOnLists), ...tools.flatMap(adviseOnArguments)];
}

function adviseOnCount(tools: readonly ToolEntry[]): Advice[] {
  if (tools.length <= MAX_TOOLS) return [];
  const prefixes = new Set(tools.map(({ definition: { name } }) => name.split(/[_.-]|(?=[A-Z])/)[0]));
  const message =
    `has ${tools.length} tools. Models choose worse among more than ${MAX_TOOLS}: merge tools that are used together, or split the server` +
    (prefixes.size > tools.length / 2
      ? ". Prefixes such as `orders_` in names, which @Tool({ prefix }) adds to a class, show what belongs together"
      : "");
  return [{ about: "count", kind: "server", name: "", message }];
}

function adviseOnLists({ definition: { name, inputSchema, outputSchema } }: ToolEntry): Advice[] {
  if (!outputSchema || Object.keys(inputSchema.properties ?? {}).some((each) => LIMIT.test(each))) return [];
  const lists = Object.entries({ "": outputSchema, ...outputSchema.properties }).filter(
    ([, schema]) => isList(schema) && schema.maxItems === undefined,
  );
  const [first] = lists.map(([member]) => member);
  if (first === undefined) return [];
  const what = first === "" || first === "result" ? "a list" : `the list \`${first}\``;
  const message = `returns ${what} of any length. Add an argument such as \`limit = 50\`, or the tag \`@maxItems\``;
  return [{ about: "result", kind: "tool", name, message }];
}

function isList({ type }: JsonSchema): boolean {
  return [type].flat().includes("array");
}

function adviseOnArguments({ definition: { name, inputSchema } }: ToolEntry): Advice[] {
  const unknown = Object.keys(inputSchema.properties ?? {}).filter((each) => UNKNOWABLE.test(each));
  if (unknown.length === 0) return [];
  const message = `asks the model for ${unknown.map((each) => `\`${each}\``).join(", ")}, which it can only guess. Read it from the configuration, or from the caller (\`Caller\`)`;
  return [{ about: "signature", kind: "tool", name, message }];
}
