import type { ClientReport } from "@tenon/compiler";
import type { JsonSchema, Manifest, ToolEntry } from "@tenon/runtime/manifest";
import type { Advice } from "./advice-entry.js";
import { adviseOnUse } from "./usage-advice.js";
import { listDeclaredEntries } from "../project/declared-entries.js";

/** The size above which a tool is reported: about ten times the usual size. */
export const MAX_TOOL_TOKENS = 1500;
/** The default limit for all definitions: a twentieth of a context window. */
export const MAX_TOTAL_TOKENS = 10_000;
const CONTEXT_TOKENS = 200_000;
/** Maximum number of tools named in the report of the total size. */
const MAX_NAMED_TOOLS = 5;

/**
 * Suggests improvements: for large definitions, missing descriptions, tools without annotations, and arguments that
 * changed since an earlier build because a parameter was added or removed.
 *
 * @param maxTokens the limit for all definitions
 */
export function createAdvice(
  manifest: Manifest,
  report: ClientReport,
  {
    before,
    maxTokens = MAX_TOTAL_TOKENS,
  }: { before?: Manifest | undefined; maxTokens?: number | undefined } = {},
): Advice[] {
  return [
    ...adviseOnSize(report, maxTokens),
    ...(before ? adviseOnSignatures(before, manifest) : []),
    ...manifest.tools.flatMap(adviseOnTool),
    ...adviseOnUse(manifest),
    ...findMissingDescriptions(manifest),
  ];
}

function adviseOnSize({ tools, total }: ClientReport, maxTokens: number): Advice[] {
  const large = tools
    .filter(({ tokens }) => tokens > MAX_TOOL_TOKENS)
    .map(({ name, tokens }): Advice => {
      const message = `needs about ${tokens} tokens, more than ${MAX_TOOL_TOKENS}. Shorten the descriptions of its arguments and results`;
      return { about: "size", kind: "tool", name, message };
    });
  if (total.tokens <= maxTokens) return large;
  const costly = [...tools].sort((a, b) => b.tokens - a.tokens).slice(0, MAX_NAMED_TOOLS);
  const share = Math.max(1, Math.round((total.tokens / CONTEXT_TOKENS) * 100));
  const message =
    `all tools need about ${total.tokens} tokens, more than ${maxTokens}: ${share}% of a context window of ${CONTEXT_TOKENS}. ` +
    `The largest are ${costly.map(({ name, tokens }) => `${name} (${tokens})`).join(", ")}`;
  return [{ about: "size", kind: "server", name: "", message }, ...large];
}

/** The shape of a signature: one object with the arguments as properties, or a parameter for each argument. */
type Shape = "object" | "parameters";

function getShape({ handler }: ToolEntry): Shape | undefined {
  if (handler.parameters.some(({ from }) => from === "arguments")) return "object";
  return handler.parameters.some(({ from }) => from === "argument") ? "parameters" : undefined;
}

/** Finds tools whose arguments changed because a parameter was added or removed. */
function adviseOnSignatures(before: Manifest, after: Manifest): Advice[] {
  const old = new Map(before.tools.map((entry) => [entry.definition.name, entry]));
  return after.tools.flatMap((entry): Advice[] => {
    const was = old.get(entry.definition.name);
    const shapes = [was && getShape(was), getShape(entry)];
    if (was === undefined || shapes.includes(undefined) || shapes[0] === shapes[1]) return [];
    const [then, now] = [formatArguments(was), formatArguments(entry)];
    if (then === now) return [];
    const reason =
      shapes[1] === "parameters"
        ? "before, the properties of its only parameter were the arguments; now each parameter is an argument"
        : "before, each parameter was an argument; now the properties of its only parameter are the arguments";
    return [
      {
        about: "signature",
        kind: "tool",
        name: entry.definition.name,
        message: `accepted ${then}, and now accepts ${now}: ${reason}`,
      },
    ];
  });
}

function formatArguments({ definition }: ToolEntry): string {
  const names = Object.keys(definition.inputSchema.properties ?? {});
  return names.length === 0 ? "nothing" : names.map((name) => `\`${name}\``).join(", ");
}

function adviseOnTool({ definition }: ToolEntry): Advice[] {
  const { name, description, annotations = {}, inputSchema } = definition;
  const { readOnlyHint, destructiveHint, openWorldHint } = annotations;
  const missing = findUndescribed(inputSchema);
  const createToolAdvice = (about: Advice["about"], message: string): Advice => ({
    about,
    kind: "tool",
    name,
    message,
  });
  return [
    ...(description ? [] : [createToolAdvice("description", "has no description")]),
    ...(missing.length > 0
      ? [createToolAdvice("description", `does not describe ${missing.join(", ")}`)]
      : []),
    ...(readOnlyHint === undefined && destructiveHint === undefined
      ? [
          createToolAdvice(
            "annotations",
            "sets neither `readOnly` nor `destructive`, so clients assume that it is destructive",
          ),
        ]
      : []),
    ...(openWorldHint === undefined
      ? [
          createToolAdvice(
            "annotations",
            "does not set `openWorld`, so clients assume that it reaches other systems, such as the web",
          ),
        ]
      : []),
  ];
}

/** Finds arguments without a description. Enums and booleans need none. */
function findUndescribed(schema: JsonSchema): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    const isSelfExplanatory =
      member.enum !== undefined || member.const !== undefined || member.type === "boolean";
    return member.description || member.title || member.$ref !== undefined || isSelfExplanatory
      ? []
      : [`\`${name}\``];
  });
}

function findMissingDescriptions(manifest: Manifest): Advice[] {
  return listDeclaredEntries(manifest).flatMap(({ kind, name, entry }): Advice[] =>
    kind === "tool" || entry.definition.description
      ? []
      : [{ about: "description", kind, name, message: "has no description" }],
  );
}
