import { toPrintable } from "../terminal/printable.js";
import type { Sink } from "../terminal/terminal.js";
import { formatCount, wrap } from "../terminal/text-format.js";
import type { Difference } from "../compare/json/json-differences.js";
import { isUnknown, type Verdict, type Verdicts } from "./verdicts.js";

/** Formats a replay as text: each request, followed by its differences. */
export function formatReplay({ requests, questions }: Verdicts, sink: Sink): string {
  const lines = [
    ...requests.flatMap((verdict) => formatVerdict(verdict, sink)),
    ...questions.flatMap((verdict) => [
      "",
      ...formatVerdict({ ...verdict, method: `asks ${verdict.method}` }, sink),
    ]),
    "",
    formatSummary(requests, questions, sink),
  ];
  return `${lines.join("\n")}\n`;
}

function formatVerdict(verdict: Verdict, sink: Sink): string[] {
  const { paint, columns } = sink;
  const { status, differences, reason } = verdict;
  // A client can send any method and name.
  const method = toPrintable(verdict.method);
  const name = verdict.name === undefined ? undefined : toPrintable(verdict.name);
  const symbol = {
    same: paint.green("✓"),
    changed: paint.yellow("~"),
    "not repeated": paint.dim("-"),
    unanswered: paint.dim("·"),
  }[status];
  const label = `${method}${name === undefined ? "" : ` ${name}`}`;
  const args = formatArguments(verdict, columns - label.length - 6);
  const head = `  ${symbol} ${method}${name === undefined ? "" : ` ${paint.bold(name)}`}${args && ` ${paint.dim(args)}`}`;
  const reasonLines =
    reason === undefined ? [] : [status === "not repeated" ? `not repeated: ${reason}` : reason];
  return [
    head,
    ...reasonLines.flatMap((each) => wrap(each, columns - 6)).map((line) => `      ${paint.dim(line)}`),
    ...differences.flatMap((each) => formatDifference(each, sink)),
  ];
}

function formatArguments({ method, params }: Verdict, width: number): string {
  const { arguments: args } = params;
  if (method === "initialize" || typeof args !== "object" || args === null) return "";
  const text = JSON.stringify(args);
  return text === "{}" || width < 8 ? "" : shorten(text, width);
}

/** Formats a difference, on one line if it fits: `celsius  4 → 5`. */
function formatDifference({ path, ...difference }: Difference, { paint, columns }: Sink): string[] {
  const indent = "      ";
  const room = columns - indent.length;
  const location = path === "" ? "the response" : path;
  const before = "before" in difference ? formatValue(difference.before) : undefined;
  const after = "after" in difference ? formatValue(difference.after) : undefined;
  if (before === undefined)
    return [
      `${indent}${shorten(location, room - 10)} ${paint.green("was added")}`,
      `${indent}${paint.green(`+ ${shorten(after ?? "", room - 2)}`)}`,
    ];
  if (after === undefined) return [`${indent}${shorten(location, room - 12)} ${paint.red("was removed")}`];
  const line = `${location}  ${before} → ${after}`;
  if (line.length <= room) return [`${indent}${location}  ${paint.red(before)} → ${paint.green(after)}`];
  const [shownBefore, shownAfter] = shortenAroundDifference(before, after, room - 2);
  return [
    `${indent}${shorten(location, room)}`,
    `${indent}${paint.red(`- ${shownBefore}`)}`,
    `${indent}${paint.green(`+ ${shownAfter}`)}`,
  ];
}

function formatValue(value: unknown): string {
  return JSON.stringify(value) ?? "";
}

/** Shortens both strings so that their first difference is visible. */
function shortenAroundDifference(before: string, after: string, width: number): [string, string] {
  let start = 0;
  while (start < before.length && before[start] === after[start]) start += 1;
  const from = start < width / 2 ? 0 : Math.max(0, start - Math.floor(width / 3));
  const cut = (text: string): string => shorten(from === 0 ? text : `…${text.slice(from + 1)}`, width);
  return [cut(before), cut(after)];
}

function shorten(text: string, width: number): string {
  const maxLength = Math.max(width, 4);
  return text.length <= maxLength ? text : `${text.slice(0, maxLength - 1)}…`;
}

function formatSummary(
  requests: readonly Verdict[],
  questions: readonly Verdict[],
  { paint, columns }: Sink,
): string {
  const number = (status: Verdict["status"]): number =>
    requests.filter((each) => each.status === status).length;
  const [same, changed, skipped] = [number("same"), number("changed"), number("not repeated")];
  const parts = [
    `${formatCount(same, "response")} as recorded`,
    ...(changed > 0 ? [`${changed} changed`] : []),
    ...(questions.length > 0 ? [`${formatCount(questions.length, "question")} changed`] : []),
    ...(skipped > 0 ? [`${skipped} not repeated`] : []),
  ];
  const isSame = changed === 0 && questions.length === 0 && !isUnknown({ requests });
  const symbol = isSame ? paint.green("✓") : paint.yellow("~");
  return `${symbol} ${wrap(parts.join(", "), columns - 2).join("\n  ")}`;
}
