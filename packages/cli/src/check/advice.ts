import type { ClientReport } from "@tenon/compiler";
import type { JsonSchema, Manifest, ToolEntry } from "@tenon/runtime/manifest";

/** Something that every client takes, and that its author may want to change. */
export interface Advice {
  about: "size" | "description" | "annotations" | "signature";
  kind: "server" | "tool" | "prompt" | "resource" | "resource template";
  /** Or the URI; empty for the server itself. */
  name: string;
  message: string;
}

/** A tool of more than this costs as much as ten of the usual size. */
export const TOOL_TOKENS = 1500;
/** A twentieth of a context of 200,000, which a model is given before the first question. */
export const ALL_TOKENS = 10_000;
const CONTEXT = 200_000;
/** How many tools are named that cost most. */
const NAMED = 5;

/**
 * What is worth a second look: definitions that take much of a model's context, what is not described, tools that do not
 * say what they change, and arguments that changed their form since an earlier build.
 *
 * @param maxTokens what all definitions may cost
 */
export function adviceOn(
  manifest: Manifest,
  report: ClientReport,
  { before, maxTokens = ALL_TOKENS }: { before?: Manifest | undefined; maxTokens?: number | undefined } = {},
): Advice[] {
  return [
    ...sizeAdvice(report, maxTokens),
    ...(before ? signatureAdvice(before, manifest) : []),
    ...manifest.tools.flatMap(toolAdvice),
    ...missingDescriptions(manifest),
  ];
}

function sizeAdvice({ tools, total }: ClientReport, maxTokens: number): Advice[] {
  const large = tools
    .filter(({ tokens }) => tokens > TOOL_TOKENS)
    .map(({ name, tokens }): Advice => {
      const message = `takes about ${tokens} tokens; more than ${TOOL_TOKENS} is much for one tool. Shorten the descriptions of its arguments and results`;
      return { about: "size", kind: "tool", name, message };
    });
  if (total.tokens <= maxTokens) return large;
  const costly = [...tools].sort((a, b) => b.tokens - a.tokens).slice(0, NAMED);
  const share = Math.max(1, Math.round((total.tokens / CONTEXT) * 100));
  const message =
    `all tools take about ${total.tokens} tokens, more than ${maxTokens}: ${share}% of a context of ${CONTEXT} ` +
    `before the first question. Most take ${costly.map(({ name, tokens }) => `${name} (${tokens})`).join(", ")}`;
  return [{ about: "size", kind: "server", name: "", message }, ...large];
}

/** One object whose properties are the arguments, or several parameters, each an argument. */
type Form = "object" | "parameters";

function formOf({ handler }: ToolEntry): Form | undefined {
  if (handler.parameters.some(({ from }) => from === "arguments")) return "object";
  return handler.parameters.some(({ from }) => from === "argument") ? "parameters" : undefined;
}

/** Those where a second parameter, or one less, made other arguments of the first. */
function signatureAdvice(before: Manifest, after: Manifest): Advice[] {
  const old = new Map(before.tools.map((entry) => [entry.definition.name, entry]));
  return after.tools.flatMap((entry): Advice[] => {
    const was = old.get(entry.definition.name);
    const forms = [was && formOf(was), formOf(entry)];
    if (was === undefined || forms.includes(undefined) || forms[0] === forms[1]) return [];
    const [then, now] = [argumentsOf(was), argumentsOf(entry)];
    if (then === now) return [];
    const why =
      forms[1] === "parameters"
        ? "one object was its only parameter, and its properties were the arguments; now each parameter is an argument"
        : "each parameter was an argument; now one object is its only parameter, and its properties are the arguments";
    return [
      {
        about: "signature",
        kind: "tool",
        name: entry.definition.name,
        message: `took ${then}, and takes ${now}: ${why}`,
      },
    ];
  });
}

function argumentsOf({ definition }: ToolEntry): string {
  const names = Object.keys(definition.inputSchema.properties ?? {});
  return names.length === 0 ? "nothing" : names.map((name) => `\`${name}\``).join(", ");
}

function toolAdvice({ definition }: ToolEntry): Advice[] {
  const { name, description, annotations = {}, inputSchema } = definition;
  const { readOnlyHint, destructiveHint } = annotations;
  const saysWhatItChanges = readOnlyHint !== undefined || destructiveHint !== undefined;
  const missing = undescribed(inputSchema);
  const advice = (about: Advice["about"], message: string): Advice => ({
    about,
    kind: "tool",
    name,
    message,
  });
  return [
    ...(description ? [] : [advice("description", "has no description")]),
    ...(missing.length > 0 ? [advice("description", `does not describe ${missing.join(", ")}`)] : []),
    ...(saysWhatItChanges
      ? []
      : [
          advice(
            "annotations",
            "says neither `readOnly` nor `destructive`, so clients take it for destructive",
          ),
        ]),
  ];
}

/** An argument whose type says all there is to it needs no description: a choice among words, or yes and no. */
function undescribed(schema: JsonSchema): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    const saysAll = member.enum !== undefined || member.const !== undefined || member.type === "boolean";
    return member.description || member.title || member.$ref !== undefined || saysAll ? [] : [`\`${name}\``];
  });
}

function missingDescriptions({ prompts, resources, resourceTemplates }: Manifest): Advice[] {
  const listed = [
    ...prompts.map(({ definition: { name, description } }) => ({
      kind: "prompt" as const,
      name,
      description,
    })),
    ...resources.map(({ definition: { uri: name, description } }) => ({
      kind: "resource" as const,
      name,
      description,
    })),
    ...resourceTemplates.map(({ definition: { uriTemplate: name, description } }) => ({
      kind: "resource template" as const,
      name,
      description,
    })),
  ];
  return listed.flatMap(({ kind, name, description }): Advice[] =>
    description ? [] : [{ about: "description", kind, name, message: "has no description" }],
  );
}
