/**
 * Prepares arguments: validates them, and converts them to the values that handlers declare.
 * @module
 */
import type { Validator } from "../validation/validators.js";
import type { JsonSchema } from "../../protocol/json-schema.js";
import { isObject } from "../../protocol/jsonrpc.js";

export type Arguments = Record<string, unknown>;

/**
 * Function that converts valid arguments to the values that the handler declares.
 *
 * @throws ArgumentsError for strings that cannot be parsed
 */
export type ArgumentsConverter = (valid: Arguments, schema: JsonSchema) => Arguments;

/** Plan for checking and converting arguments. */
export interface ArgumentsPlan {
  readonly validators: ArgumentsValidators;
  readonly schema: JsonSchema;
  readonly convert: ArgumentsConverter;
  /** Noun for the values, used in messages: arguments of a tool or prompt, variables of a URI, or fields of a form. */
  readonly noun: "argument" | "variable" | "field";
  /** Whether empty text counts as an absent argument, unless its type allows an empty string. */
  readonly ignoresEmpty?: boolean;
  /** Whether arguments that the schema does not declare are dropped instead of rejected. */
  readonly ignoresUnknown?: boolean;
}

/** The validators of arguments. */
export interface ArgumentsValidators {
  readonly input: Validator;
  /** See `reconsiderArguments` of `reconsider-arguments.ts`. */
  reconsiderArguments(plan: ArgumentsPlan, given: unknown): Arguments;
}

/** Error for arguments that do not fit their schema. Each issue is a sentence. */
export class ArgumentsError extends Error {
  override name = "ArgumentsError";

  constructor(readonly issues: readonly string[]) {
    super(issues.join("\n"));
  }
}

/**
 * Validates arguments and converts them to the values that the handler declares.
 *
 * @param given the arguments from the client; `undefined` and `null` count as no arguments
 * @throws ArgumentsError with every problem found
 */
export function prepareArguments(plan: ArgumentsPlan, given: unknown): Record<string, unknown> {
  const value = given ?? {};
  // A valid value costs only one run of the compiled validator. Only a rejected value is examined again.
  const accepted =
    isObject(value) && plan.validators.input(value)
      ? value
      : plan.validators.reconsiderArguments(plan, value);
  return plan.convert(accepted, plan.schema);
}
