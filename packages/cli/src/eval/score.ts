import type { CaseResult } from "./run-cases.js";

/** The name in scores of a response without a call. */
export const NO_TOOL = "(no tool)";

/** Shares from 0 to 1. Absent if there was nothing to count. */
export interface Totals {
  /** The share of correct responses. */
  readonly accuracy?: number;
  /** The share of calls that were expected. */
  readonly precision?: number;
  /** The share of expected calls that were made. */
  readonly recall?: number;
  /** The share of correct values among the arguments that matter, in calls to the correct tool. */
  readonly arguments?: number;
}

/** The counts for one tool. */
export interface ToolScore {
  readonly tool: string;
  /** The number of responses that should call it. */
  readonly expected: number;
  /** The number of responses that call it. */
  readonly called: number;
  /** The number of responses that should call it, and do. */
  readonly right: number;
}

/** A tool that was called instead of another, or of none. */
export interface Confusion {
  readonly expected: string;
  readonly called: string;
  readonly count: number;
}

/** The scores of all responses. */
export interface Scores {
  readonly totals: Totals;
  readonly tools: readonly ToolScore[];
  /** The most frequent first. */
  readonly confusions: readonly Confusion[];
}

/**
 * Counts the choices and arguments of all responses.
 *
 * A case with several correct tools expects the one that was called, or the first one if none was. A case that only
 * excludes tools counts the calls to those tools.
 *
 * @see https://en.wikipedia.org/wiki/Precision_and_recall
 */
export function scoreResults(results: readonly CaseResult[]): Scores {
  const tools = new Map<string, { expected: number; called: number; right: number }>();
  const confusions = new Map<string, Confusion>();
  const getTool = (name: string): { expected: number; called: number; right: number } => {
    const score = tools.get(name) ?? { expected: 0, called: 0, right: 0 };
    tools.set(name, score);
    return score;
  };
  const addConfusion = (expected: string, called: string): void => {
    const key = JSON.stringify([expected, called]);
    confusions.set(key, { expected, called, count: (confusions.get(key)?.count ?? 0) + 1 });
  };
  for (const { case: each, verdicts } of results)
    for (const { called } of verdicts) {
      const choices = called.length === 0 ? [NO_TOOL] : called;
      if (each.tools === undefined) {
        for (const name of choices.filter((choice) => each.not.includes(choice))) getTool(name).called += 1;
        continue;
      }
      const right = each.tools.length === 0 ? [NO_TOOL] : each.tools;
      const made = choices.filter((name) => right.includes(name));
      const expected = made.length > 0 ? made : right.slice(0, 1);
      for (const name of expected) getTool(name).expected += 1;
      for (const name of choices) getTool(name).called += 1;
      for (const name of made) getTool(name).right += 1;
      for (const name of choices.filter((choice) => !right.includes(choice)))
        addConfusion(right[0] ?? NO_TOOL, name);
    }
  const scores = [...tools].map(([tool, score]) => ({ tool, ...score }));
  return {
    totals: getTotals(results, scores),
    tools: scores.sort(
      (a, b) => Number(a.tool === NO_TOOL) - Number(b.tool === NO_TOOL) || compare(a.tool, b.tool),
    ),
    confusions: [...confusions.values()].sort(
      (a, b) => b.count - a.count || compare(a.expected, b.expected) || compare(a.called, b.called),
    ),
  };
}

function getTotals(results: readonly CaseResult[], scores: readonly ToolScore[]): Totals {
  const verdicts = results.flatMap((each) => each.verdicts);
  const args = verdicts.flatMap((each) => each.arguments);
  // Responses without a call affect only accuracy.
  const chosen = scores.filter(({ tool }) => tool !== NO_TOOL);
  const sum = (count: (score: ToolScore) => number): number =>
    chosen.reduce((all, each) => all + count(each), 0);
  const right = sum((each) => each.right);
  return {
    ...toShare("accuracy", verdicts.filter(({ isRight }) => isRight).length, verdicts.length),
    ...toShare(
      "precision",
      right,
      sum((each) => each.called),
    ),
    ...toShare(
      "recall",
      right,
      sum((each) => each.expected),
    ),
    ...toShare("arguments", args.filter(({ isRight }) => isRight).length, args.length),
  };
}

function toShare(name: keyof Totals, part: number, whole: number): Totals {
  return whole === 0 ? {} : { [name]: Math.round((part / whole) * 1e4) / 1e4 };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
