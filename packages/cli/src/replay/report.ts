import type { Sink } from "../terminal/terminal.js";
import { count, wrap } from "../terminal/text-format.js";
import type { Difference } from "./compare/differences.js";
import type { Verdict, Verdicts } from "./verdicts.js";

/** What a replay has shown, for people: each request, and below it what is another. */
export function replayReport({ requests, questions }: Verdicts, sink: Sink): string {
  const lines = [
    ...requests.flatMap((verdict) => verdictLines(verdict, sink)),
    ...questions.flatMap((verdict) => [
      "",
      ...verdictLines({ ...verdict, method: `asks ${verdict.method}` }, sink),
    ]),
    "",
    summary(requests, questions, sink),
  ];
  return `${lines.join("\n")}\n`;
}

function verdictLines(verdict: Verdict, sink: Sink): string[] {
  const { paint, columns } = sink;
  const { status, method, name, differences, reason } = verdict;
  const sign = {
    same: paint.green("✓"),
    changed: paint.yellow("~"),
    "not repeated": paint.dim("-"),
    unanswered: paint.dim("·"),
  }[status];
  const words = `${method}${name === undefined ? "" : ` ${name}`}`;
  const args = argumentText(verdict, columns - words.length - 6);
  const head = `  ${sign} ${method}${name === undefined ? "" : ` ${paint.bold(name)}`}${args && ` ${paint.dim(args)}`}`;
  const why = reason === undefined ? [] : [status === "not repeated" ? `not repeated: ${reason}` : reason];
  return [
    head,
    ...why.flatMap((each) => wrap(each, columns - 6)).map((line) => `      ${paint.dim(line)}`),
    ...differences.flatMap((each) => differenceLines(each, sink)),
  ];
}

function argumentText({ method, params }: Verdict, width: number): string {
  const { arguments: args } = params;
  if (method === "initialize" || typeof args !== "object" || args === null) return "";
  const text = JSON.stringify(args);
  return text === "{}" || width < 8 ? "" : shortened(text, width);
}

/** On one line where there is room: `celsius  4 → 5`. */
function differenceLines({ path, ...difference }: Difference, { paint, columns }: Sink): string[] {
  const indent = "      ";
  const room = columns - indent.length;
  const place = path === "" ? "the answer" : path;
  const before = "before" in difference ? valueText(difference.before) : undefined;
  const after = "after" in difference ? valueText(difference.after) : undefined;
  if (before === undefined)
    return [
      `${indent}${shortened(place, room - 7)} ${paint.green("is new")}`,
      `${indent}${paint.green(`+ ${shortened(after ?? "", room - 2)}`)}`,
    ];
  if (after === undefined) return [`${indent}${shortened(place, room - 8)} ${paint.red("is gone")}`];
  const line = `${place}  ${before} → ${after}`;
  if (line.length <= room) return [`${indent}${place}  ${paint.red(before)} → ${paint.green(after)}`];
  const [old, now] = aroundDifference(before, after, room - 2);
  return [
    `${indent}${shortened(place, room)}`,
    `${indent}${paint.red(`- ${old}`)}`,
    `${indent}${paint.green(`+ ${now}`)}`,
  ];
}

function valueText(value: unknown): string {
  return JSON.stringify(value) ?? "";
}

/** Both texts, cut so that what differs is to be seen. */
function aroundDifference(before: string, after: string, width: number): [string, string] {
  let start = 0;
  while (start < before.length && before[start] === after[start]) start += 1;
  const from = start < width / 2 ? 0 : Math.max(0, start - Math.floor(width / 3));
  const cut = (text: string): string => shortened(from === 0 ? text : `…${text.slice(from + 1)}`, width);
  return [cut(before), cut(after)];
}

function shortened(text: string, width: number): string {
  const most = Math.max(width, 4);
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}

function summary(
  requests: readonly Verdict[],
  questions: readonly Verdict[],
  { paint, columns }: Sink,
): string {
  const number = (status: Verdict["status"]): number =>
    requests.filter((each) => each.status === status).length;
  const [same, changed, left] = [number("same"), number("changed"), number("not repeated")];
  const parts = [
    `${count(same, "answer")} as recorded`,
    ...(changed > 0 ? [`${changed} changed`] : []),
    ...(questions.length > 0 ? [`${count(questions.length, "question")} changed`] : []),
    ...(left > 0 ? [`${left} not repeated`] : []),
  ];
  const isSame = changed === 0 && questions.length === 0;
  const sign = isSame ? paint.green("✓") : paint.yellow("~");
  return `${sign} ${wrap(parts.join(", "), columns - 2).join("\n  ")}`;
}
