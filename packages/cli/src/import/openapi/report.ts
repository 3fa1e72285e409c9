import { estimateTokens, toStandaloneTool } from "@tenon/compiler";
import type { Tool } from "@tenon/runtime/manifest";
import type { Sink, Terminal } from "../../terminal/terminal.js";
import { formatCount, padEnd, getMaxWidth, wrap } from "../../terminal/text-format.js";
import type { VerbatimParts } from "../round-trip/round-trip.js";
import type { Operation } from "./document/operations.js";
import type { ApiPlan } from "./plan-api.js";
import { listEnvironmentVariables } from "./source/settings-source.js";

/** Number of tokens of all definitions above which the report warns. */
const MAX_TOKENS_WITHOUT_WARNING = 10_000;
/** Typical number of tokens of a tool, for an estimate before anything is written. */
const TYPICAL_TOKENS = 350;
const MAX_NAMES = 8;
const MAX_TAGS = 12;
/** Minimum number of columns next to a name. */
const MIN_TEXT_COLUMNS = 45;

/** The results of an import. */
export interface ImportReport {
  readonly plan: ApiPlan;
  /** Relative to the project. */
  readonly files: readonly string[];
  readonly verbatimParts: VerbatimParts;
  readonly differing: readonly string[];
  /** The number of omitted deprecated operations. */
  readonly deprecatedCount: number;
  /** The omitted operations that cannot become tools, each with the reason. */
  readonly unsupportedOperations: readonly string[];
  /** The references in the document whose target does not exist. */
  readonly brokenReferences: readonly string[];
}

/** Reports the written files, the parts that they do not express, and the environment variables to set. */
export function reportImport(terminal: Terminal, report: ImportReport): void {
  const { plan, files, verbatimParts, differing, deprecatedCount, unsupportedOperations, brokenReferences } =
    report;
  const { api, client, schemas } = plan;
  const { out } = terminal;
  const { paint } = out;
  const write = (text: string): void => {
    for (const line of wrap(text, Math.max(40, out.columns - 2))) out.write(`  ${line}\n`);
  };
  const writeNames = (text: string, names: readonly string[]): void => {
    if (names.length > 0) write(`${text}: ${names.join(", ")}.`);
  };
  const omitted = [...schemas.omitted.keys()];
  const methods = api.classes.flatMap((each) => each.methods);
  const tools = methods.map(({ tool }) => tool);
  const shown = files.length > 3 ? [...files.slice(0, 2), `${files.length - 2} more files`] : files;
  out.write(`${paint.green("✓")} ${shown.map((file) => paint.bold(file)).join(", ")}\n`);
  write(
    `${formatCount(tools.length, "tool")} for ${client.title}. Types and comments alone express ` +
      `${tools.length - verbatimParts.size} of ${tools.length}. They compile, and their arguments match the document.`,
  );
  for (const [key, parts] of verbatimParts) {
    write(paint.dim(`${key}: the decorator contains its ${parts.join(" and ")}`));
  }
  const untyped = methods.filter(
    ({ tool, result }) => tool.outputSchema === undefined && result === "unknown",
  );
  writeNames("Methods whose result type differs from that in the document", listFirstNames(differing));
  writeNames(
    "Methods without a result schema, because the document has none or it is too long",
    listFirstNames(untyped.map(({ method }) => method)),
  );
  if (deprecatedCount > 0)
    write(
      `${formatCount(deprecatedCount, "deprecated operation")} omitted. To include them, add --deprecated.`,
    );
  writeNames("Operations that cannot become tools", listFirstNames(unsupportedOperations));
  writeNames(
    "References in the document without a target, which are read as if they were empty",
    // Those of schemas are among the constraints.
    listFirstNames(brokenReferences.filter((each) => !omitted.some((name) => name.includes(`(${each})`)))),
  );
  for (const [name, parts] of plan.unsent) writeNames(`${name} does not send`, parts);
  for (const [origin, names] of plan.withoutCredentials)
    writeNames(
      `Sent to ${origin} without credentials, which belong to the address of the API`,
      listFirstNames(names),
    );
  writeNames(
    "Constraints without a type, which only the API checks",
    [...schemas.omitted].map(([keyword, times]) => (times > 1 ? `${keyword} (${times} times)` : keyword)),
  );
  writeNames("Authentication that you must implement", client.credentials.unknown);
  const tokens = countTokens(tools.map((tool) => toStandaloneTool(tool, api.definitions)));
  const cost = `The definitions use about ${tokens.toLocaleString("en")} tokens in every conversation.`;
  write(
    tokens > MAX_TOKENS_WITHOUT_WARNING ? paint.yellow(`${cost} Choose fewer with --only or --tag.`) : cost,
  );
  out.write("\nEnvironment variables of the server:\n");
  writeVariables(out, listEnvironmentVariables(client));
  const first = tools.find(
    ({ inputSchema }) => (inputSchema.required ?? []).length === 0 && !inputSchema.$ref,
  );
  const trial = first === undefined ? "tenon inspect" : `tenon call ${first.name}`;
  out.write(`\nTry it: ${paint.bold(trial)}\n`);
}

/** Writes names and their purposes next to each other, or below each other on narrow terminals. */
function writeVariables(
  out: Sink,
  variables: readonly { readonly variable: string; readonly about: string }[],
): void {
  const width = getMaxWidth(variables.map(({ variable }) => variable));
  const isNarrow = out.columns < width + MIN_TEXT_COLUMNS;
  for (const { variable, about } of variables) {
    const lines = wrap(about, isNarrow ? out.columns - 4 : out.columns - width - 4);
    if (isNarrow) out.write(`  ${variable}\n${lines.map((line) => `    ${line}\n`).join("")}`);
    else
      lines.forEach((line, index) => out.write(`  ${padEnd(index === 0 ? variable : "", width)}  ${line}\n`));
  }
}

/** Estimates the tokens of the tools' definitions. */
function countTokens(tools: readonly Tool[]): number {
  const listed = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  return estimateTokens(JSON.stringify(listed).length);
}

function listFirstNames(names: readonly string[]): readonly string[] {
  const more = names.length - MAX_NAMES;
  const shown = names.slice(0, MAX_NAMES);
  return more > 0 ? [...shown, `and ${more} more`] : names;
}

/** Returns a hint for a document with more operations than a model can use. */
export function createTooManyHint(operations: readonly Operation[]): string {
  const tags = new Map<string, number>();
  for (const { tags: own } of operations)
    for (const tag of own.slice(0, 1)) tags.set(tag, (tags.get(tag) ?? 0) + 1);
  const largest = [...tags].toSorted(([, a], [, b]) => b - a).slice(0, MAX_TAGS);
  const list = largest.map(([tag, times]) => `${tag} (${times})`).join(", ");
  const tokens = (operations.length * TYPICAL_TOKENS).toLocaleString("en");
  return (
    `This many tools use about ${tokens} tokens in every conversation, and models choose less reliably among ` +
    `them. Select some with --only 'GET /pets*' or --tag${list === "" ? "" : `: ${list}${tags.size > largest.length ? ", …" : ""}`}. ` +
    `--all imports all of them.`
  );
}
