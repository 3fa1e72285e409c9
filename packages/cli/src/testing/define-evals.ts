/**
 * The cases of `tenon eval`, typed by the project's tools.
 * @module
 */
import type { JsonOf } from "@tenon/runtime/testing";
import type { TestServer } from "./typed-server.js";

type Tools = TestServer["tools"];

/** The name of a tool of the project. Before the project is first compiled, any string. */
export type EvalToolName = keyof Tools & string;

type InputOf<Name extends EvalToolName> = NonNullable<Parameters<Tools[Name]>[0]>;

/** The value that an argument should have, a pattern that matches its text, or a function that accepts it. */
export type ExpectedArgument<Value> = Value | JsonOf<Value> | RegExp | ((value: JsonOf<Value>) => boolean);

/** The expectation of an argument whose type is unknown, because the project was not compiled yet. */
type AnyExpectation =
  | string
  | number
  | boolean
  | null
  | undefined
  | RegExp
  | Date
  | readonly unknown[]
  | { readonly [name: string]: unknown }
  // oxlint-disable-next-line typescript/no-explicit-any -- otherwise the parameter would need a type
  | ((value: any) => boolean);

/**
 * The arguments of a call that matter. An argument that is not named may have any value; one that is `undefined` must be
 * absent.
 */
export type ExpectedArguments<Name extends EvalToolName> = string extends EvalToolName
  ? Readonly<Record<string, AnyExpectation>>
  : {
      readonly [Argument in keyof InputOf<Name>]?:
        ExpectedArgument<Exclude<InputOf<Name>[Argument], undefined>> | undefined;
    };

/** The expectations of a case with one correct tool. */
export interface OneToolCase<Name extends EvalToolName> {
  /** The tool that the model should call. */
  readonly tool: Name;
  /** The arguments of the call that matter. */
  readonly arguments?: ExpectedArguments<Name>;
}

/** The expectations of a case with several correct tools, or with none. */
export interface AnyToolCase {
  /** Tools of which the model should call one or more, and no other; `null` if it should call none. */
  readonly tool: readonly EvalToolName[] | null;
  readonly arguments?: never;
}

/** The expectations of a case that only excludes tools. */
export interface OtherToolCase {
  readonly tool?: never;
  readonly arguments?: never;
  /** Tools that the model must not call. It may call any other, or none. */
  readonly not: readonly EvalToolName[];
}

/** A prompt, and the call with which a model should respond to it. */
export type EvalCase = {
  /** The message of the user. */
  readonly prompt: string;
  /** Tools that the model must not call; the report names them. */
  readonly not?: readonly EvalToolName[];
} & ({ [Name in EvalToolName]: OneToolCase<Name> }[EvalToolName] | AnyToolCase | OtherToolCase);

/** The minimum shares, from 0 to 1, for `tenon eval` to succeed. */
export interface EvalThresholds {
  /** The share of correct responses: the tool, and every argument that matters. */
  readonly accuracy?: number;
  /** The share of tool calls that were expected. */
  readonly precision?: number;
  /** The share of expected calls that were made. */
  readonly recall?: number;
  /** The share of correct arguments, among those that matter. */
  readonly arguments?: number;
}

/** The evals of one file. */
export interface Evals {
  readonly cases: readonly EvalCase[];
  /** Default: none, so only requests without a response fail. If several files set a threshold, the highest one applies. */
  readonly thresholds?: EvalThresholds;
}

/**
 * Defines prompts for `tenon eval`, with the tools that a model should choose. The types of the cases come from the project's
 * tools.
 *
 * @returns the same object, for the default export of a file such as `test/tools.evals.ts`
 * @example
 * import { defineEvals } from "@tenon/cli/testing";
 *
 * export default defineEvals({
 *   cases: [
 *     { prompt: "What is the weather like in Oslo?", tool: "current", arguments: { city: /oslo/i } },
 *     { prompt: "Tell me a joke.", tool: null },
 *   ],
 *   thresholds: { precision: 0.9, recall: 0.9 },
 * });
 */
export function defineEvals(evals: Evals): Evals {
  return evals;
}
