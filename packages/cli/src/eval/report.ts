import type { Sink } from "../terminal/terminal.js";
import { formatTable } from "../terminal/table.js";
import { formatCount, formatList, wrap } from "../terminal/text-format.js";
import type { ModelBaseline } from "./baseline.js";
import type { Verdict } from "./judge.js";
import type { TokenUsage } from "./model/question.js";
import type { CaseResult } from "./run-cases.js";
import { NO_TOOL, type Confusion, type Scores, type ToolScore, type Totals } from "./score.js";

/** A share that is below its threshold. */
export interface Shortfall {
  readonly name: keyof Totals;
  readonly value: number;
  readonly threshold: number;
}

/** The contents of a report. */
export interface EvalReport extends Scores {
  readonly results: readonly CaseResult[];
  readonly tokens: TokenUsage;
  readonly baseline: ModelBaseline | undefined;
  readonly shortfalls: readonly Shortfall[];
}

const INDENT = " ".repeat(8);

/** Formats results as text: each prompt, the tools, the confused tools, and the totals. */
export function formatReport(report: EvalReport, sink: Sink): string {
  const { results, tools, confusions, totals, tokens, baseline, shortfalls } = report;
  const lines = [
    ...results.flatMap((each) => formatCase(each, baseline, sink)),
    "",
    ...formatTools(tools, sink),
    ...confusions.map((each) => formatConfusion(each, sink)),
    "",
    ...formatTotals(totals, baseline, sink),
    `${"tokens".padEnd(10)} ${formatNumber(tokens.input)} in, ${formatNumber(tokens.output)} out`,
    ...shortfalls.map(({ name, value, threshold }) =>
      sink.paint.red(`✗ ${name} is ${formatShare(value)}, below the threshold of ${formatShare(threshold)}`),
    ),
  ];
  return `${lines.join("\n")}\n`;
}

function formatCase(
  { case: { prompt, tools }, verdicts, failures }: CaseResult,
  baseline: ModelBaseline | undefined,
  { paint, columns }: Sink,
): string[] {
  const right = verdicts.filter(({ isRight }) => isRight).length;
  const before = baseline?.cases[prompt];
  const share = `${right}/${verdicts.length}`;
  const earlier =
    before === undefined || before.right * verdicts.length === right * before.runs
      ? ""
      : paint.dim(`  was ${before.right}/${before.runs}`);
  const symbol =
    verdicts.length === 0 ? paint.dim("·") : right === verdicts.length ? paint.green("✓") : paint.red("✗");
  const [first = "", ...others] = wrap(prompt, columns - INDENT.length - 12);
  const details = [
    ...countEach(verdicts.flatMap((verdict) => describeVerdict(verdict, tools))),
    ...countEach(failures).map((each) => `no response: ${each}`),
  ];
  return [
    `${symbol} ${share.padStart(5)} ${first}${earlier}`,
    ...others.map((line) => `${INDENT}${line}`),
    ...details
      .flatMap((each) => wrap(each, columns - INDENT.length - 2))
      .map((line) => `${INDENT}  ${paint.dim(line)}`),
  ];
}

/** Describes the problems of a response. */
function describeVerdict(verdict: Verdict, tools: readonly string[] | undefined): string[] {
  const { called, isChosen, problems, arguments: args } = verdict;
  const wanted = tools === undefined ? ", which is excluded" : ` instead of ${formatNames(tools)}`;
  return [
    ...(isChosen ? [] : [`called ${formatNames(called, "and")}${wanted}`]),
    ...problems,
    ...args.flatMap(({ name, isRight, expected, received }) =>
      isRight ? [] : [`\`${name}\` is ${received}, expected ${expected}`],
    ),
  ];
}

/** Returns each line once, with the number of its repetitions. */
function countEach(lines: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1);
  return [...counts].map(([line, times]) => (times === 1 ? line : `${line}  (${times} times)`));
}

function formatTools(tools: readonly ToolScore[], { paint, columns }: Sink): string[] {
  const rows = tools.map(({ tool, expected, called, right }) => [
    tool,
    String(expected),
    String(called),
    called === 0 ? "-" : formatShare(right / called),
    expected === 0 ? "-" : formatShare(right / expected),
  ]);
  return formatTable(["tool", "expected", "called", "precision", "recall"], rows, {
    width: columns,
    header: paint.bold,
  });
}

function formatConfusion({ expected, called, count: times }: Confusion, { paint }: Sink): string {
  return paint.yellow(
    `confused: ${formatNames([called])} instead of ${formatNames([expected])}, ${formatCount(times, "time")}`,
  );
}

function formatTotals(totals: Totals, baseline: ModelBaseline | undefined, { paint }: Sink): string[] {
  return (["accuracy", "precision", "recall", "arguments"] as const).flatMap((name) => {
    const value = totals[name];
    if (value === undefined) return [];
    const before = baseline?.[name];
    const change = before === undefined ? 0 : value - before;
    const color = change < 0 ? paint.red : paint.green;
    const shown = change === 0 ? "" : ` ${color(`(was ${formatShare(before ?? 0)})`)}`;
    return [`${name.padEnd(10)} ${paint.bold(formatShare(value))}${shown}`];
  });
}

/** Formats tool names as code, and an empty list as `no tool`. */
export function formatNames(names: readonly string[], conjunction: "and" | "or" = "or"): string {
  if (names.length === 0 || names[0] === NO_TOOL) return "no tool";
  return formatList(
    names.map((name) => `\`${name}\``),
    conjunction,
  );
}

/**
 * Formats a share as a percentage.
 *
 * @example
 * formatShare(0.875) // "87.5%"
 */
export function formatShare(share: number): string {
  return `${Math.round(share * 1000) / 10}%`;
}

/** Formats a number with thousands separators. */
export function formatNumber(number: number): string {
  return number.toLocaleString("en-US");
}
