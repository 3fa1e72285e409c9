import type { Tool } from "@tenon/runtime/manifest";
import { Failure } from "../terminal/failure.js";
import { createUnknownNameFailure } from "../terminal/unknown-name.js";
import { formatList } from "../terminal/text-format.js";
import type { Evals, EvalThresholds } from "../testing/define-evals.js";

/** A case whose names have been checked. */
export interface CheckedCase {
  readonly prompt: string;
  /** The file with the case, relative to the project folder. */
  readonly file: string;
  /** The correct tools: an empty list if no tool should be called; undefined if every tool that is not in `not` is correct. */
  readonly tools: readonly string[] | undefined;
  readonly not: readonly string[];
  /** The arguments that matter, by name: values, patterns, or functions. */
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** The cases of a project. */
export interface CheckedEvals {
  readonly cases: readonly CheckedCase[];
  readonly thresholds: EvalThresholds;
}

/** The names of the thresholds, for `--threshold`. */
export const THRESHOLD_NAMES = ["accuracy", "precision", "recall", "arguments"] as const;

const EXAMPLE = 'export default defineEvals({ cases: [{ prompt: "…", tool: "…" }] })';

/** The members of a case. */
const MEMBERS = ["prompt", "tool", "not", "arguments"];

/**
 * Checks the exports of files against the tools of the server, since they are loaded without type checking.
 *
 * @param exported the default exports, by the files' paths in the project
 * @throws Failure for a case that no response could fulfill, or that names an unknown tool or argument
 */
export function checkEvals(exported: ReadonlyMap<string, unknown>, tools: readonly Tool[]): CheckedEvals {
  const cases = [...exported].flatMap(([file, evals]) => checkFile(file, evals, tools));
  if (cases.length === 0)
    throw new Failure(
      `${formatList([...exported.keys()])} contain${exported.size === 1 ? "s" : ""} no cases.`,
      { hint: `Write \`${EXAMPLE}\`.` },
    );
  const seen = new Map<string, CheckedCase>();
  for (const each of cases) {
    const other = seen.get(each.prompt);
    if (other)
      throw new Failure(
        `Two cases in ${formatList([...new Set([each.file, other.file])])} have the same prompt: ${quote(each.prompt)}.`,
        {
          hint: "Results are compared by prompt. Merge the two cases, or word one differently.",
        },
      );
    seen.set(each.prompt, each);
  }
  return { cases, thresholds: mergeThresholds(exported) };
}

function checkFile(file: string, evals: unknown, tools: readonly Tool[]): CheckedCase[] {
  const { cases } = Object(evals) as Partial<Evals>;
  if (!Array.isArray(cases))
    throw new Failure(`${file} has no default export with cases.`, { hint: `Write \`${EXAMPLE}\`.` });
  checkMembers(evals as object, ["cases", "thresholds"], file);
  return cases.map((each: unknown, index) => {
    const { prompt } = Object(each) as { prompt?: unknown };
    const isNamed = typeof prompt === "string" && prompt.trim() !== "";
    const label = `${file}, case ${index + 1}${isNamed ? ` (${quote(prompt)})` : ""}`;
    if (!isNamed)
      throw new Failure(`${label} has no prompt${describeCase(each)}.`, {
        hint: "Write a message with which a user would ask for this.",
      });
    return { file, prompt, ...checkExpectation(each, label, tools) };
  });
}

/** Describes a case without a prompt, such as one from a recording. */
function describeCase(each: unknown): string {
  const { tool } = Object(each) as { tool?: unknown };
  return typeof tool === "string" ? ` for \`${tool}\`` : "";
}

function checkExpectation(
  given: unknown,
  label: string,
  tools: readonly Tool[],
): Pick<CheckedCase, "tools" | "not" | "arguments"> {
  const { tool, not = [], arguments: args } = given as { tool?: unknown; not?: unknown; arguments?: unknown };
  checkMembers(given as object, MEMBERS, label);
  const right = tool === null ? [] : typeof tool === "string" ? [tool] : tool;
  if (!isNames(not)) throw new Failure(`${label}: \`not\` requires a list of tool names.`);
  if (right !== undefined && !isNames(right))
    throw new Failure(`${label}: \`tool\` requires a tool name, a list of tool names, or null.`);
  if (Array.isArray(tool) && tool.length === 0)
    throw new Failure(`${label}: \`tool\` is an empty list.`, {
      hint: "Write null if the model should call no tool.",
    });
  if (right === undefined && not.length === 0)
    throw new Failure(`${label} expects nothing.`, {
      hint: "Set `tool`, or set `not` to the tools that must not be called.",
    });
  const names = tools.map(({ name }) => name);
  for (const name of [...(right ?? []), ...not])
    if (!names.includes(name)) throw addLabel(createUnknownNameFailure("tool", name, names), label);
  const both = right?.find((name) => not.includes(name));
  if (both !== undefined) throw new Failure(`${label}: \`${both}\` is in both \`tool\` and \`not\`.`);
  if (args === undefined) return { tools: right, not, arguments: {} };
  if (typeof tool !== "string" || typeof args !== "object" || args === null)
    throw new Failure(`${label}: \`arguments\` requires one \`tool\`, and an object.`);
  const { inputSchema } = tools.find(({ name }) => name === tool) ?? {};
  const known = Object.keys(inputSchema?.properties ?? {});
  const misspelled = Object.keys(args).find((name) => !known.includes(name));
  if (misspelled !== undefined && inputSchema?.additionalProperties === false)
    throw addLabel(createUnknownNameFailure("argument", misspelled, known), label);
  return { tools: right, not, arguments: args as Record<string, unknown> };
}

function checkMembers(given: object, known: readonly string[], label: string): void {
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown !== undefined) throw addLabel(createUnknownNameFailure("member", unknown, known), label);
}

function isNames(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}

function addLabel({ message, hint }: Failure, label: string): Failure {
  return new Failure(`${label}: ${message}`, hint === undefined ? {} : { hint });
}

function quote(prompt: string): string {
  return JSON.stringify(prompt.length > 60 ? `${prompt.slice(0, 59)}…` : prompt);
}

/**
 * Returns the highest threshold of each name.
 *
 * @throws Failure for a value that is not from 0 to 1
 */
function mergeThresholds(exported: ReadonlyMap<string, unknown>): EvalThresholds {
  const merged: Partial<Record<keyof EvalThresholds, number>> = {};
  for (const [file, evals] of exported) {
    const { thresholds = {} } = Object(evals) as Partial<Evals>;
    for (const [name, value] of Object.entries(thresholds) as [keyof EvalThresholds, unknown][]) {
      if (!THRESHOLD_NAMES.includes(name))
        throw addLabel(createUnknownNameFailure("threshold", name, THRESHOLD_NAMES), file);
      if (typeof value !== "number" || !(value >= 0 && value <= 1))
        throw new Failure(`${file}: the threshold \`${name}\` is not a number from 0 to 1.`);
      merged[name] = Math.max(merged[name] ?? 0, value);
    }
  }
  return merged;
}
