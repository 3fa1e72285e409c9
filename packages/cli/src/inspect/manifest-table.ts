import type {
  Entry,
  Input,
  JsonSchema,
  DeclaredRateLimit,
  Manifest,
  PromptEntry,
  ResourceEntry,
  ResourceTemplateEntry,
  SkillEntry,
  ToolEntry,
} from "@tenon/runtime/manifest";
import type { Question } from "@tenon/compiler";
import { listServerOnlyConstraints } from "@tenon/compiler/report";
import type { DeclaredQuestions } from "../project/declared-questions.js";
import type { Sink } from "../terminal/terminal.js";
import { formatCount, formatSize, summarize, wrap } from "../terminal/text-format.js";
import { formatTable } from "../terminal/table.js";
import { formatQuestion } from "./question-text.js";
import { formatOutline } from "./type-text.js";

type Hint = Exclude<keyof NonNullable<ToolEntry["definition"]["annotations"]>, "title">;

/** The labels of annotations. The type makes a missing label a compile error. */
const HINTS: Record<Hint, string> = {
  readOnlyHint: "read-only",
  destructiveHint: "destructive",
  idempotentHint: "idempotent",
  openWorldHint: "open world",
};

/** The width of the widest label and the space after it. */
const LABEL_WIDTH = "returns  ".length;

/** Formats a manifest as text. Ends with a line break. */
export function formatManifestTable(
  manifest: Manifest,
  sink: Sink,
  questions: DeclaredQuestions = {},
): string {
  const { description } = manifest.server;
  const sections = [
    [
      ...formatServerHeading(manifest, sink),
      ...formatText(description, sink, 0),
      ...formatServerRules(manifest, sink),
    ],
    ...formatSection("Tools", manifest.tools, (entry) => formatTool(entry, sink, questions), sink),
    ...formatSection("Prompts", manifest.prompts, (entry) => formatPrompt(entry, sink, questions), sink),
    ...formatSection(
      "Resources",
      manifest.resources,
      (entry) => formatResource(entry, sink, questions),
      sink,
    ),
    ...formatSection(
      "Resource templates",
      manifest.resourceTemplates,
      (entry) => formatTemplate(entry, sink, questions),
      sink,
    ),
    ...formatSection("Skills", manifest.skills ?? [], (entry) => formatSkill(entry, sink), sink),
  ];
  return `${sections.map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

function formatServerHeading(manifest: Manifest, { paint, columns }: Sink): string[] {
  const { name, version } = manifest.server;
  const offered = summarize(manifest);
  const fitsInLine = `${name} ${version}  ${offered}`.length <= columns;
  const title = `${paint.bold(name)} ${version}`;
  return fitsInLine ? [`${title}  ${paint.dim(offered)}`] : [title, ...wrap(offered, columns).map(paint.dim)];
}

/** Formats the settings that apply to all calls. */
function formatServerRules({ auth, rateLimit }: Manifest, sink: Sink): string[] {
  const condition = auth?.conditional ? " where `auth` is set; src/server.ts sets it conditionally" : "";
  const access = auth ? `callers over HTTP must authenticate${condition}` : "";
  const limits = rateLimit ? `in total, ${formatRateLimit(rateLimit)}` : "";
  const lines = [...formatLabeled("access", access, sink, 2), ...formatLabeled("limits", limits, sink, 2)];
  return lines.length > 0 ? ["", ...lines] : [];
}

function formatSection<E>(
  title: string,
  entries: readonly E[],
  show: (entry: E) => string[],
  { paint }: Sink,
): string[][] {
  return entries.length > 0 ? [[paint.underline(title)], ...entries.map(show)] : [];
}

function formatTool(entry: ToolEntry, sink: Sink, questions: DeclaredQuestions): string[] {
  const { definition, output } = entry;
  const { name, title, description, annotations, inputSchema, outputSchema } = definition;
  const hints = Object.entries(HINTS) as [Hint, string][];
  const marks = hints.flatMap(([hint, text]) => (annotations?.[hint] ? [text] : []));
  const result = {
    structured: formatOutline(outputSchema),
    text: "text",
    content: outputSchema ? `content, with ${formatOutline(outputSchema)}` : "content",
    mixed: `${formatOutline(outputSchema)} or content`,
    none: "nothing",
    unknown: "any",
  };
  return [
    formatHeading(name, [title, ...marks], sink),
    ...formatText(description, sink, 4),
    ...formatArgumentTable(inputSchema, sink),
    ...listServerOnlyConstraints(entry).flatMap((each) => formatText(`Also checked: ${each}`, sink, 4)),
    "",
    ...formatLabeled("returns", result[output.kind], sink),
    ...formatQuestions(questions[`tool ${name}`], sink),
    ...formatLabeled("tasks", entry.task ? formatTask(entry.task) : "", sink),
    ...formatRules(entry, sink),
  ];
}

/** Formats the requests for input, one per line. */
function formatQuestions(questions: readonly Question[] = [], sink: Sink): string[] {
  return formatLabeled("asks", questions.map(formatQuestion).join("\n"), sink);
}

/** Formats whether calls may become tasks. */
function formatTask({ support, start }: NonNullable<ToolEntry["task"]>): string {
  const condition =
    support === "required"
      ? "always; clients of 2026-07-28 that do not support tasks are rejected"
      : "for clients that support them";
  return start === "handler" ? `${condition}; started by the handler` : condition;
}

/** Formats permissions, rate limit, and time limit. */
function formatRules(
  { scopes = [], guards = [], rateLimit, timeoutMs = 0 }: Entry<unknown>,
  sink: Sink,
): string[] {
  const granted = scopes.length > 0 ? [`scope${scopes.length > 1 ? "s" : ""} ${scopes.join(", ")}`] : [];
  const rate = rateLimit && formatRateLimit(rateLimit);
  const duration = timeoutMs > 0 && `up to ${timeoutMs / 1000} s each`;
  const limits = [rate, duration].filter(Boolean);
  const lines = { access: [...granted, ...guards], limits };
  return Object.entries(lines).flatMap(([name, all]) => formatLabeled(name, all.join("; "), sink));
}

/** Formats a rate limit. */
function formatRateLimit(limit: DeclaredRateLimit): string {
  if (limit === "function") return "determined by a function for each caller";
  if (limit === "unknown") return "determined by the running server";
  return `${formatCount(limit.calls, "call")} in ${limit.windowMs / 1000} s`;
}

/** Formats a label and its text. Further lines are aligned below the first. */
function formatLabeled(name: string, value: string, { paint, columns }: Sink, margin = 4): string[] {
  const indent = LABEL_WIDTH + margin;
  const [first = "", ...rest] = value === "" ? [] : wrap(value, columns - indent);
  if (first === "") return [];
  return [
    `${" ".repeat(margin)}${paint.dim(name)}${" ".repeat(LABEL_WIDTH - name.length)}${first}`,
    ...rest.map((line) => " ".repeat(indent) + line),
  ];
}

/** Formats the requests for input and the rules of an entry, after an empty line. */
function formatRulesSection(
  entry: Entry<unknown>,
  sink: Sink,
  questions: readonly Question[] = [],
): string[] {
  const lines = [...formatQuestions(questions, sink), ...formatRules(entry, sink)];
  return lines.length > 0 ? ["", ...lines] : [];
}

function formatPrompt(entry: PromptEntry, sink: Sink, questions: DeclaredQuestions): string[] {
  const { definition, input } = entry;
  const { name, title, description } = definition;
  const schema = input.schema ?? createPromptSchema(definition.arguments ?? []);
  return [
    formatHeading(name, [title], sink),
    ...formatText(description, sink, 4),
    ...formatArgumentTable(schema, sink),
    ...formatRulesSection(entry, sink, questions[`prompt ${name}`]),
  ];
}

function createPromptSchema(
  list: { name: string; description?: string | undefined; required?: boolean | undefined }[],
): JsonSchema {
  return {
    properties: Object.fromEntries(
      list.map(({ name, description = "" }) => [name, { type: "string", description }]),
    ),
    required: list.flatMap(({ name, required }) => (required ? [name] : [])),
  };
}

function formatResource(entry: ResourceEntry, sink: Sink, questions: DeclaredQuestions): string[] {
  const { uri, name, title, mimeType, description } = entry.definition;
  return [
    formatHeading(uri, [title ?? name, mimeType], sink),
    ...formatText(description, sink, 4),
    ...formatRulesSection(entry, sink, questions[`resource ${uri}`]),
  ];
}

function formatTemplate(entry: ResourceTemplateEntry, sink: Sink, questions: DeclaredQuestions): string[] {
  const { definition, input } = entry;
  const { uriTemplate, name, title, mimeType, description } = definition;
  return [
    formatHeading(uriTemplate, [title ?? name, mimeType], sink),
    ...formatText(description, sink, 4),
    ...formatArgumentTable((input satisfies Input).schema ?? {}, sink),
    ...formatRulesSection(entry, sink, questions[`resource template ${uriTemplate}`]),
  ];
}

function formatSkill({ path, definition, scopes = [], guards = [] }: SkillEntry, sink: Sink): string[] {
  const { frontmatter, resources } = definition;
  const size =
    resources === "dynamic"
      ? "generated"
      : `${formatCount(resources.length, "file")}, ${formatSize(resources.reduce((sum, each) => sum + each.size, 0))}`;
  const granted = scopes.length > 0 ? [`scope${scopes.length > 1 ? "s" : ""} ${scopes.join(", ")}`] : [];
  const access = formatLabeled("access", [...granted, ...guards].join("; "), sink);
  return [
    formatHeading(path, [size], sink),
    ...formatText(frontmatter.description, sink, 4),
    ...(access.length > 0 ? ["", ...access] : []),
  ];
}

function formatHeading(name: string, notes: (string | undefined)[], { paint }: Sink): string {
  const shown = notes.filter((note) => note !== undefined && note !== name);
  return `  ${paint.bold(paint.cyan(name))}${shown.length > 0 ? `  ${paint.dim(shown.join(", "))}` : ""}`;
}

function formatText(description: string | undefined, sink: Sink, indent: number): string[] {
  if (!description) return [];
  return wrap(description, sink.columns - indent).map((line) => (line ? " ".repeat(indent) + line : ""));
}

function formatArgumentTable(schema: JsonSchema, sink: Sink): string[] {
  const members = Object.entries(schema.properties ?? {});
  if (members.length === 0) return [];
  const rows = members.map(([name, member]) => [
    name,
    formatOutline(member),
    schema.required?.includes(name) ? "yes" : "no",
    member.default === undefined ? "" : JSON.stringify(member.default),
    member.description ?? "",
  ]);
  const lines = formatTable(["argument", "type", "required", "default", "description"], rows, {
    width: sink.columns - 4,
    header: sink.paint.dim,
  });
  return ["", ...lines.map((line) => (line ? `    ${line}` : ""))];
}
