/**
 * Suggestions that help models use tools well.
 *
 * @see https://www.anthropic.com/engineering/writing-tools-for-agents
 * @module
 */
import type { JsonSchema, Manifest, ToolEntry } from "@tenon/runtime/manifest";
import type { Advice } from "./advice-entry.js";

/** The number of tools above which models choose noticeably worse. */
const MAX_TOOLS = 40;

/** The smallest number of tools that clients such as Codex search, instead of passing all of them to the model. */
const MIN_SEARCHED_TOOLS = 100;

/** Matches names of arguments that limit the length of a result. */
const LIMIT = /limit|max|count|size|page|cursor|offset|first|top/i;

/** Matches names of arguments whose values only the server or its operator knows. */
const UNKNOWABLE =
  /^(?:api[_-]?key|(?:access[_-]?|auth[_-]?)?token|password|secret|credentials?|user[_-]?id|tenant[_-]?id|session[_-]?id)$/i;

/** Lengths of text that clients read: Claude Code truncates after the first, and Codex and ChatGPT rely on the second. */
const MAX_READ_CHARACTERS = 2048;
const MAX_OPENING_CHARACTERS = 512;

/** The length of `mcp__SERVER__TOOL` above which Claude Code drops a tool. */
const MAX_QUALIFIED_NAME_CHARACTERS = 128;

/** Suggests changes for long text, many tools, long lists, and arguments that a model cannot know. */
export function adviseOnUse({
  server,
  instructions,
  tools,
  toolSearch,
}: Pick<Manifest, "server" | "instructions" | "tools" | "toolSearch">): Advice[] {
  return [
    ...adviseOnInstructions(instructions),
    ...(toolSearch === undefined ? adviseOnCount(tools) : adviseOnSearch(tools)),
    ...tools.flatMap((entry) => adviseOnTexts(entry, server.name)),
    ...tools.flatMap(adviseOnLists),
    ...tools.flatMap(adviseOnArguments),
  ];
}

function adviseOnInstructions(instructions = ""): Advice[] {
  const { length } = instructions;
  if (length <= MAX_OPENING_CHARACTERS) return [];
  const rest =
    length > MAX_READ_CHARACTERS
      ? `Claude Code reads only the first ${MAX_READ_CHARACTERS}, and Codex and ChatGPT rely on the first ${MAX_OPENING_CHARACTERS}`
      : `Codex and ChatGPT rely on the first ${MAX_OPENING_CHARACTERS}`;
  const message = `has instructions of ${length} characters. ${rest}: begin with the rules for choosing among the tools`;
  return [{ about: "description", kind: "server", name: "", message }];
}

function adviseOnTexts({ definition: { name, description = "" } }: ToolEntry, server: string): Advice[] {
  const advise = (message: string): Advice => ({ about: "description", kind: "tool", name, message });
  const qualified = `mcp__${server.replaceAll(/[^\w-]/g, "_")}__${name}`.length;
  return [
    ...(description.length > MAX_READ_CHARACTERS
      ? [
          advise(
            `has a description of ${description.length} characters; Claude Code reads only the first ${MAX_READ_CHARACTERS}`,
          ),
        ]
      : []),
    ...(qualified > MAX_QUALIFIED_NAME_CHARACTERS
      ? [
          advise(
            `has a name of ${qualified} characters, including that of the server; Claude Code ignores tools with more than ${MAX_QUALIFIED_NAME_CHARACTERS}`,
          ),
        ]
      : []),
  ];
}

function adviseOnCount(tools: readonly ToolEntry[]): Advice[] {
  if (tools.length <= MAX_TOOLS) return [];
  const prefixes = new Set(tools.map(({ definition: { name } }) => name.split(/[_.-]|(?=[A-Z])/)[0]));
  const message =
    `has ${tools.length} tools. Models choose less reliably among more than ${MAX_TOOLS}: merge tools that are used together, or split the server` +
    (prefixes.size > tools.length / 2
      ? ". Prefixes such as `orders_` in names, which @Tool({ prefix }) adds to a class, show what belongs together"
      : "") +
    (tools.length >= MIN_SEARCHED_TOOLS
      ? ". `toolSearch: true` in `defineServer` helps clients that cannot search tools by themselves"
      : "");
  return [{ about: "count", kind: "server", name: "", message }];
}

/** Advises on the search mode, which costs models an additional call, and hides tools from clients that search better. */
function adviseOnSearch(tools: readonly ToolEntry[]): Advice[] {
  const message =
    tools.length < MIN_SEARCHED_TOOLS
      ? `has \`toolSearch\`, but only ${tools.length} tools: list them, since every task needs an additional call, and users approve \`call_tool\` instead of a tool that they know`
      : "has `toolSearch`, but Claude Code and Codex search tools by themselves, and find more if all are listed: use it only if most of your users have other clients";
  return [{ about: "count", kind: "server", name: "", message }];
}

/** Advises on lists of any length. Excludes tools that accept a list, since the result is usually as long, and tools that write, since they return what they have written. */
function adviseOnLists({
  definition: { name, inputSchema, outputSchema, annotations },
  handler,
}: ToolEntry): Advice[] {
  const isLimited =
    handler.parameters.some(({ from }) => from === "cursor") ||
    Object.entries(inputSchema.properties ?? {}).some(
      ([argument, schema]) => LIMIT.test(argument) || isList(schema),
    );
  if (!outputSchema || isLimited || annotations?.readOnlyHint !== true) return [];
  const lists = Object.entries({ "": outputSchema, ...outputSchema.properties }).filter(
    ([, schema]) => isList(schema) && schema.maxItems === undefined,
  );
  const [first] = lists.map(([member]) => member);
  if (first === undefined) return [];
  const subject = first === "" || first === "result" ? "a list" : `the list \`${first}\``;
  const message = `returns ${subject} of any length: return pages with a \`Cursor\`, add an argument such as \`limit = 50\`, or the tag \`@maxItems\``;
  return [{ about: "result", kind: "tool", name, message }];
}

function isList({ type }: JsonSchema): boolean {
  return [type].flat().includes("array");
}

function adviseOnArguments({ definition: { name, inputSchema } }: ToolEntry): Advice[] {
  const unknown = Object.keys(inputSchema.properties ?? {}).filter((each) => UNKNOWABLE.test(each));
  if (unknown.length === 0) return [];
  const pronoun = unknown.length === 1 ? "it" : "them";
  const message = `asks the model for ${unknown.map((each) => `\`${each}\``).join(", ")}, which it can only guess: read ${pronoun} from the configuration, or from the caller (\`Caller\`)`;
  return [{ about: "signature", kind: "tool", name, message }];
}
