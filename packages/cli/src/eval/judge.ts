import { isDeepStrictEqual } from "node:util";
import type { Tool } from "@tenon/runtime/manifest";
import { Failure } from "../terminal/failure.js";
import { toWireValue } from "../testing/wire-value.js";
import type { CheckedCase } from "./cases.js";
import type { ModelAnswer, ModelCall } from "./model/question.js";

/** An argument that matters, and its value in a call. */
export interface ArgumentVerdict {
  readonly name: string;
  readonly isRight: boolean;
  /** The expectation as text. */
  readonly expected: string;
  /** The value as JSON, or `absent`. */
  readonly received: string;
}

/** The judgment of one response. */
export interface Verdict {
  /** The names of the called tools, without duplicates. */
  readonly called: readonly string[];
  /** Whether the tools are correct. */
  readonly isChosen: boolean;
  /** Whether the tools and every argument that matters are correct. */
  readonly isRight: boolean;
  /** The arguments of the call that matches best. Empty if the correct tool was not called. */
  readonly arguments: readonly ArgumentVerdict[];
  /** Further problems with the calls, as sentences. */
  readonly problems: readonly string[];
}

/** A response without its tokens. */
type JudgedAnswer = Pick<ModelAnswer, "calls">;

/**
 * Judges the response of a model.
 *
 * @param tools the tools that the model received
 */
export function judge(given: CheckedCase, { calls }: JudgedAnswer, tools: readonly Tool[]): Verdict {
  const called = [...new Set(calls.map(({ tool }) => tool))];
  const problems = calls.flatMap((call) => listProblems(call, tools));
  const isChosen = isRightChoice(given, called, tools);
  const [tool] = given.tools ?? [];
  const schema = tools.find(({ name }) => name === tool)?.inputSchema;
  const judged = calls
    .filter((call) => call.tool === tool)
    .map((call) => judgeArguments(given, call, schema));
  const best = judged.toSorted((a, b) => countRight(b) - countRight(a))[0] ?? [];
  const isRight = isChosen && problems.length === 0 && best.every((each) => each.isRight);
  return { called, isChosen, isRight, arguments: best, problems };
}

function isRightChoice(
  { tools: right, not }: CheckedCase,
  called: readonly string[],
  tools: readonly Tool[],
): boolean {
  if (called.some((name) => not.includes(name) || !tools.some((tool) => tool.name === name))) return false;
  if (right === undefined) return true;
  return called.every((name) => right.includes(name)) && (right.length === 0 || called.length > 0);
}

function listProblems({ tool, invalidArguments }: ModelCall, tools: readonly Tool[]): string[] {
  return [
    ...(tools.some(({ name }) => name === tool) ? [] : [`There is no tool \`${tool}\`.`]),
    ...(invalidArguments === undefined
      ? []
      : [`The arguments of \`${tool}\` are not a JSON object: ${shorten(invalidArguments)}`]),
  ];
}

/**
 * Judges the arguments of one call.
 *
 * @param schema the schema with the default values
 */
export function judgeArguments(
  { arguments: expected, file }: Pick<CheckedCase, "arguments" | "file">,
  { arguments: given = {} }: ModelCall,
  schema?: Tool["inputSchema"],
): ArgumentVerdict[] {
  return Object.entries(expected).map(([name, expectation]) => {
    // The server uses the default for an argument that the model omits, but `undefined` expects that it is omitted.
    const isGiven = Object.hasOwn(given, name) || expectation === undefined;
    const value = isGiven ? given[name] : schema?.properties?.[name]?.default;
    return {
      name,
      isRight: matches(expectation, value, `${file}: the function for \`${name}\``),
      expected: formatExpectation(expectation),
      received: value === undefined ? "absent" : shorten(JSON.stringify(value)),
    };
  });
}

/**
 * Returns whether a value of an argument fulfills an expectation: an equal value, a pattern that matches its text,
 * or a function that accepts it.
 *
 * @throws Failure if the function throws, or returns a promise, which would count as true
 */
function matches(expectation: unknown, value: unknown, label: string): boolean {
  if (typeof expectation === "function")
    return value !== undefined && accepts(expectation as (given: unknown) => unknown, value, label);
  if (expectation instanceof RegExp) {
    const isText = typeof value === "string" || typeof value === "number" || typeof value === "boolean";
    // A pattern with the flag `g` would begin where its last match ended.
    return isText && new RegExp(expectation.source, expectation.flags.replace("g", "")).test(String(value));
  }
  return isDeepStrictEqual(toWireValue(expectation), value);
}

function accepts(predicate: (given: unknown) => unknown, value: unknown, label: string): boolean {
  let answer: unknown;
  try {
    answer = predicate(value);
  } catch (cause) {
    throw new Failure(`${label} threw for ${shorten(JSON.stringify(value))}: ${(cause as Error).message}`, {
      hint: "The function receives every value that a model sends, even one of another type.",
      cause,
    });
  }
  if (answer instanceof Promise)
    throw new Failure(`${label} is asynchronous.`, { hint: "Return true or false." });
  return Boolean(answer);
}

function formatExpectation(expectation: unknown): string {
  if (expectation === undefined) return "absent";
  if (typeof expectation === "function") return shorten(String(expectation));
  if (expectation instanceof RegExp) return String(expectation);
  return shorten(JSON.stringify(toWireValue(expectation)));
}

function countRight(verdicts: readonly ArgumentVerdict[]): number {
  return verdicts.filter(({ isRight }) => isRight).length;
}

const MAX_SHOWN_CHARACTERS = 80;

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, " ");
  return line.length > MAX_SHOWN_CHARACTERS ? `${line.slice(0, MAX_SHOWN_CHARACTERS - 1)}…` : line;
}
