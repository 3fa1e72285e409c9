import type {
  Entry,
  Input,
  JsonSchema,
  KnownRateLimit,
  Manifest,
  PromptEntry,
  ResourceEntry,
  ResourceTemplateEntry,
  ToolEntry,
} from "@tenon/runtime/manifest";
import { checkedOnly, type Question } from "@tenon/compiler";
import type { DeclaredQuestions } from "../project/declared-questions.js";
import type { Sink } from "../terminal/terminal.js";
import { count, summarize, wrap } from "../terminal/text-format.js";
import { table } from "../terminal/table.js";
import { questionText } from "./question-text.js";
import { outlineText } from "./type-text.js";

type Hint = Exclude<keyof NonNullable<ToolEntry["definition"]["annotations"]>, "title">;

/** What a tool is shown as where it gives a hint. A hint without words here does not compile. */
const HINTS: Record<Hint, string> = {
  readOnlyHint: "read-only",
  destructiveHint: "destructive",
  idempotentHint: "idempotent",
  openWorldHint: "open world",
};

/** The widest label, and the space after it. */
const LABEL = "returns  ".length;

/** What a client will see, for reading. Ends with a line break. */
export function manifestTable(manifest: Manifest, sink: Sink, questions: DeclaredQuestions = {}): string {
  const { description } = manifest.server;
  const sections = [
    [...serverHeading(manifest, sink), ...text(description, sink, 0), ...serverRules(manifest, sink)],
    ...section("Tools", manifest.tools, (entry) => tool(entry, sink, questions), sink),
    ...section("Prompts", manifest.prompts, (entry) => prompt(entry, sink, questions), sink),
    ...section("Resources", manifest.resources, (entry) => resource(entry, sink, questions), sink),
    ...section(
      "Resource templates",
      manifest.resourceTemplates,
      (entry) => template(entry, sink, questions),
      sink,
    ),
  ];
  return `${sections.map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

function serverHeading(manifest: Manifest, { paint, columns }: Sink): string[] {
  const { name, version } = manifest.server;
  const offered = summarize(manifest);
  const fits = `${name} ${version}  ${offered}`.length <= columns;
  const title = `${paint.bold(name)} ${version}`;
  return fits ? [`${title}  ${paint.dim(offered)}`] : [title, ...wrap(offered, columns).map(paint.dim)];
}

/** What holds for all calls. */
function serverRules({ auth, rateLimit }: Manifest, sink: Sink): string[] {
  const access = auth ? "over HTTP, callers have to authenticate" : "";
  const limits = rateLimit ? `together, ${frequency(rateLimit)}` : "";
  const lines = [...labelled("access", access, sink, 2), ...labelled("limits", limits, sink, 2)];
  return lines.length > 0 ? ["", ...lines] : [];
}

function section<E>(
  title: string,
  entries: readonly E[],
  show: (entry: E) => string[],
  { paint }: Sink,
): string[][] {
  return entries.length > 0 ? [[paint.underline(title)], ...entries.map(show)] : [];
}

function tool(entry: ToolEntry, sink: Sink, questions: DeclaredQuestions): string[] {
  const { definition, output } = entry;
  const { name, title, description, annotations, inputSchema, outputSchema } = definition;
  const hints = Object.entries(HINTS) as [Hint, string][];
  const marks = hints.flatMap(([hint, text]) => (annotations?.[hint] ? [text] : []));
  const result = {
    structured: outlineText(outputSchema),
    text: "text",
    content: outputSchema ? `content, with ${outlineText(outputSchema)}` : "content",
    mixed: `${outlineText(outputSchema)} or content`,
    none: "nothing",
    unknown: "any",
  };
  return [
    heading(name, [title, ...marks], sink),
    ...text(description, sink, 4),
    ...argumentTable(inputSchema, sink),
    ...checkedOnly(entry).flatMap((each) => text(`Also checked: ${each}`, sink, 4)),
    "",
    ...labelled("returns", result[output.kind], sink),
    ...asked(questions[`tool ${name}`], sink),
    ...labelled("tasks", entry.task ? taskText(entry.task) : "", sink),
    ...rules(entry, sink),
  ];
}

/** What it may ask its client, a line each. */
function asked(questions: readonly Question[] = [], sink: Sink): string[] {
  return labelled("asks", questions.map(questionText).join("\n"), sink);
}

/** What becomes of calls that may be answered with a task. */
function taskText({ support, start }: NonNullable<ToolEntry["task"]>): string {
  const who =
    support === "required"
      ? "always; clients of 2026-07-28 without tasks are refused"
      : "for clients that have them";
  return start === "handler" ? `${who}; begun by the handler` : who;
}

/** Who may, how often and for how long. */
function rules({ scopes = [], guards = [], rateLimit, timeoutMs = 0 }: Entry<unknown>, sink: Sink): string[] {
  const granted = scopes.length > 0 ? [`scope${scopes.length > 1 ? "s" : ""} ${scopes.join(", ")}`] : [];
  const often = rateLimit && frequency(rateLimit);
  const long = timeoutMs > 0 && `up to ${timeoutMs / 1000} s each`;
  const limits = [often, long].filter(Boolean);
  const lines = { access: [...granted, ...guards], limits };
  return Object.entries(lines).flatMap(([name, all]) => labelled(name, all.join("; "), sink));
}

/** How often each caller may call. */
function frequency(limit: KnownRateLimit): string {
  if (limit === "function") return "as many calls as a function decides for each caller";
  if (limit === "unknown") return "as many calls as the running server says";
  return `${count(limit.calls, "call")} in ${limit.windowMs / 1000} s`;
}

/** A name and what it stands for, which continues below itself. */
function labelled(name: string, value: string, { paint, columns }: Sink, margin = 4): string[] {
  const indent = LABEL + margin;
  const [first = "", ...rest] = value === "" ? [] : wrap(value, columns - indent);
  if (first === "") return [];
  return [
    `${" ".repeat(margin)}${paint.dim(name)}${" ".repeat(LABEL - name.length)}${first}`,
    ...rest.map((line) => " ".repeat(indent) + line),
  ];
}

/** The same, and what it asks, after something else than a result. */
function rulesBelow(entry: Entry<unknown>, sink: Sink, questions: readonly Question[] = []): string[] {
  const lines = [...asked(questions, sink), ...rules(entry, sink)];
  return lines.length > 0 ? ["", ...lines] : [];
}

function prompt(entry: PromptEntry, sink: Sink, questions: DeclaredQuestions): string[] {
  const { definition, input } = entry;
  const { name, title, description } = definition;
  const schema = input.schema ?? promptSchema(definition.arguments ?? []);
  return [
    heading(name, [title], sink),
    ...text(description, sink, 4),
    ...argumentTable(schema, sink),
    ...rulesBelow(entry, sink, questions[`prompt ${name}`]),
  ];
}

function promptSchema(
  list: { name: string; description?: string | undefined; required?: boolean | undefined }[],
): JsonSchema {
  return {
    properties: Object.fromEntries(
      list.map(({ name, description = "" }) => [name, { type: "string", description }]),
    ),
    required: list.flatMap(({ name, required }) => (required ? [name] : [])),
  };
}

function resource(entry: ResourceEntry, sink: Sink, questions: DeclaredQuestions): string[] {
  const { uri, name, title, mimeType, description } = entry.definition;
  return [
    heading(uri, [title ?? name, mimeType], sink),
    ...text(description, sink, 4),
    ...rulesBelow(entry, sink, questions[`resource ${uri}`]),
  ];
}

function template(entry: ResourceTemplateEntry, sink: Sink, questions: DeclaredQuestions): string[] {
  const { definition, input } = entry;
  const { uriTemplate, name, title, mimeType, description } = definition;
  return [
    heading(uriTemplate, [title ?? name, mimeType], sink),
    ...text(description, sink, 4),
    ...argumentTable((input satisfies Input).schema ?? {}, sink),
    ...rulesBelow(entry, sink, questions[`resource template ${uriTemplate}`]),
  ];
}

function heading(name: string, notes: (string | undefined)[], { paint }: Sink): string {
  const shown = notes.filter((note) => note !== undefined && note !== name);
  return `  ${paint.bold(paint.cyan(name))}${shown.length > 0 ? `  ${paint.dim(shown.join(", "))}` : ""}`;
}

function text(description: string | undefined, sink: Sink, indent: number): string[] {
  if (!description) return [];
  return wrap(description, sink.columns - indent).map((line) => (line ? " ".repeat(indent) + line : ""));
}

function argumentTable(schema: JsonSchema, sink: Sink): string[] {
  const members = Object.entries(schema.properties ?? {});
  if (members.length === 0) return [];
  const rows = members.map(([name, member]) => [
    name,
    outlineText(member),
    schema.required?.includes(name) ? "yes" : "no",
    member.default === undefined ? "" : JSON.stringify(member.default),
    member.description ?? "",
  ]);
  const lines = table(["argument", "type", "required", "default", "description"], rows, {
    width: sink.columns - 4,
    header: sink.paint.dim,
  });
  return ["", ...lines.map((line) => (line ? `    ${line}` : ""))];
}
