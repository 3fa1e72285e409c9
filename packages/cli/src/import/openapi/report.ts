import type { Tool } from "@tenon/runtime/manifest";
import { wholeTool } from "@tenon/compiler";
import type { Sink, Terminal } from "../../terminal/terminal.js";
import { count, padEnd, widestOf, wrap } from "../../terminal/text-format.js";
import type { Carried } from "../round-trip/derived-definitions.js";
import { environmentOf } from "./source/client-source.js";
import type { Operation } from "./document/operations.js";
import type { ApiPlan } from "./plan-api.js";

/** As in `tenon check`. */
const BYTES_PER_TOKEN = 4;
/** What is worth a warning, in tokens of definitions. */
const COSTLY = 10_000;
const MOST_NAMED = 8;
/** So many columns are needed beside a name. */
const MOST_BESIDE = 45;

export interface ImportReport {
  readonly plan: ApiPlan;
  /** Relative to the project. */
  readonly files: readonly string[];
  readonly carried: Carried;
  readonly differing: readonly string[];
  /** How many deprecated operations were left out. */
  readonly deprecated: number;
}

/** Says what was written, what it is not, and what its environment has to say. */
export function reportImport(terminal: Terminal, report: ImportReport): void {
  const { plan, files, carried, differing, deprecated } = report;
  const { out } = terminal;
  const { paint } = out;
  const say = (text: string, indent = "  "): void => {
    for (const line of wrap(text, Math.max(40, out.columns - indent.length))) out.write(`${indent}${line}\n`);
  };
  const tools = plan.api.classes.flatMap(({ methods }) => methods.map(({ tool }) => tool));
  const shown = files.length > 3 ? [...files.slice(0, 2), `${files.length - 2} files more`] : files;
  out.write(`${paint.green("✓")} ${shown.map((file) => paint.bold(file)).join(", ")}\n`);
  const derived = tools.length - new Set([...carried.keys()].map((key) => key.slice(5))).size;
  say(
    `${count(tools.length, "tool")} for ${plan.client.title}, ${derived} of ${tools.length} by types and comments alone. ` +
      `They compile, and their arguments are those of the document.`,
  );
  for (const [key, parts] of carried) {
    say(
      paint.dim(
        `${key}: its ${parts.join(" and ")} ${parts.includes("schemas") ? "are" : "is"} carried by the decorator`,
      ),
    );
  }
  if (differing.length > 0) say(`Results that types say otherwise than the document: ${named(differing)}.`);
  const untyped = plan.api.classes
    .flatMap(({ methods }) => methods)
    .filter(({ tool, result }) => tool.outputSchema === undefined && result === "unknown")
    .map(({ method }) => method);
  if (untyped.length > 0)
    say(`Results without a schema, as the document has none or one of too many words: ${named(untyped)}.`);
  if (deprecated > 0) say(`${count(deprecated, "deprecated operation")} left out; --deprecated takes them.`);
  const left = [...plan.schemas.left].map(([what, times]) => (times > 1 ? `${what} (${times} times)` : what));
  if (left.length > 0) say(`No type says this, so the API checks it: ${left.join(", ")}.`);
  if (plan.client.credentials.unknown.length > 0)
    say(`Write yourself how callers prove who they are: ${plan.client.credentials.unknown.join(", ")}.`);
  const tokens = tokensOf(tools.map((tool) => wholeTool(tool, plan.api.definitions)));
  say(
    tokens > COSTLY
      ? paint.yellow(
          `About ${tokens.toLocaleString("en")} tokens of every conversation. Choose fewer by --only or --tag.`,
        )
      : `About ${tokens.toLocaleString("en")} tokens of every conversation.`,
  );
  out.write("\nThe server takes from its environment:\n");
  writeSettings(out, environmentOf(plan.client));
  const first = tools.find(
    ({ inputSchema }) => (inputSchema.required ?? []).length === 0 && !inputSchema.$ref,
  );
  const trial = first === undefined ? "tenon inspect" : `tenon call ${first.name}`;
  out.write(`\nTry it: ${paint.bold(trial)}\n`);
}

/** Names and what they are for beside each other, or below each other where there is little room. */
function writeSettings(
  out: Sink,
  settings: readonly { readonly variable: string; readonly about: string }[],
): void {
  const width = widestOf(settings.map(({ variable }) => variable));
  const isNarrow = out.columns < width + MOST_BESIDE;
  for (const { variable, about } of settings) {
    const lines = wrap(about, isNarrow ? out.columns - 4 : out.columns - width - 4);
    if (isNarrow) out.write(`  ${variable}\n${lines.map((line) => `    ${line}\n`).join("")}`);
    else
      lines.forEach((line, index) => out.write(`  ${padEnd(index === 0 ? variable : "", width)}  ${line}\n`));
  }
}

/** What clients are listed, without what they keep to themselves. */
function tokensOf(tools: readonly Tool[]): number {
  const listed = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  return Math.ceil(JSON.stringify(listed).length / BYTES_PER_TOKEN);
}

function named(names: readonly string[]): string {
  const more = names.length - MOST_NAMED;
  return more > 0 ? `${names.slice(0, MOST_NAMED).join(", ")} and ${more} more` : names.join(", ");
}

/** What to do about a document that has more operations than a model has use for. */
export function tooManyText(operations: readonly Operation[]): string {
  const tags = new Map<string, number>();
  for (const { tags: own } of operations) {
    for (const tag of own.slice(0, 1)) tags.set(tag, (tags.get(tag) ?? 0) + 1);
  }
  const most = [...tags].toSorted(([, a], [, b]) => b - a).slice(0, 12);
  const list = most.map(([tag, times]) => `${tag} (${times})`).join(", ");
  const each = 350;
  return (
    `So many tools take about ${(operations.length * each).toLocaleString("en")} tokens of every conversation, and models choose badly ` +
    `among them. Take some, by --only 'GET /pets*' or by --tag${list === "" ? "" : `: ${list}${tags.size > most.length ? ", …" : ""}`}. ` +
    `--all takes them all.`
  );
}
