/**
 * Arguments as clients send them, to arguments as handlers declare them.
 * @module
 */
import type { Validator } from "../validation/validators.js";
import { describeIssues } from "../explain/issues.js";
import { coerce } from "../explain/coercion.js";
import { createScope } from "../explain/keywords/table.js";
import { fits } from "../explain/search.js";
import type { JsonSchema } from "../protocol/json-schema.js";
import { isObject } from "../protocol/jsonrpc.js";

type Arguments = Record<string, unknown>;

/**
 * Turns arguments that fit their schema into the values that the handler declares.
 *
 * @throws ArgumentsError for strings that cannot be parsed
 */
export type ArgumentsConverter = (fitting: Arguments, schema: JsonSchema) => Arguments;

/** How arguments are checked and converted. */
export interface ArgumentsPlan {
  readonly validate: Validator;
  readonly schema: JsonSchema;
  readonly convert: ArgumentsConverter;
  /** What the values are called in messages: arguments of a tool or prompt, variables of a URI, fields of a form. */
  readonly noun: "argument" | "variable" | "field";
  /** Leaves out of refused arguments what was not meant as an argument. */
  readonly tidy?: ((value: Arguments, schema: JsonSchema) => Arguments) | undefined;
}

/** The arguments do not fit; each issue is a sentence. */
export class ArgumentsError extends Error {
  override name = "ArgumentsError";

  constructor(readonly issues: readonly string[]) {
    super(issues.join("\n"));
  }
}

/**
 * Checks arguments and turns them into the values the handler declares.
 *
 * @param given What the client sent; nothing counts as no arguments.
 * @throws ArgumentsError with every problem found.
 */
export function prepareArguments(plan: ArgumentsPlan, given: unknown): Record<string, unknown> {
  const value = given ?? {};
  // Only a refused value is looked at twice: one that fits costs a single run of the compiled validator.
  const accepted = isObject(value) && plan.validate(value) ? value : reconsider(plan, value);
  return plan.convert(accepted, plan.schema);
}

/** A second reading of arguments that were refused as sent. */
function reconsider(plan: ArgumentsPlan, given: unknown): Arguments {
  const { validate, schema, noun, tidy } = plan;
  let value = coerce(schema, given);
  if (!isObject(value)) {
    throw new ArgumentsError([`the ${noun}s must be an object`]);
  }
  if (tidy !== undefined) value = tidy(value, schema);
  if (validate(value)) return value as Arguments;
  throw new ArgumentsError(describeIssues(schema, value, noun));
}

/** Arguments the schema does not name are dropped instead of refused. */
export function withoutUnknown(value: Arguments, schema: JsonSchema): Arguments {
  const { properties = {}, patternProperties = {}, additionalProperties } = schema;
  if (additionalProperties) return value;
  const patterns = Object.keys(patternProperties).map((pattern) => new RegExp(pattern, "u"));
  const isKnown = ([name]: [string, unknown]): boolean =>
    Object.hasOwn(properties, name) || patterns.some((pattern) => pattern.test(name));
  return Object.fromEntries(Object.entries(value).filter(isKnown));
}

/** Where clients know only strings, an empty field is an absent argument, unless its type has an empty string. */
export function withoutEmpty(value: Arguments, schema: JsonSchema): Arguments {
  const { required = [], properties = {} } = schema;
  // A format is a reason to leave a member of a union empty only where it has a format itself.
  const scope = createScope(schema, "format");
  const isBlank = ([name, member]: [string, unknown]): boolean => {
    if (member !== "" || required.includes(name) || !Object.hasOwn(properties, name)) return false;
    const property: JsonSchema = properties[name] ?? {};
    return property.format !== undefined || !fits(property, "", scope);
  };
  return Object.fromEntries(Object.entries(value).filter((entry) => !isBlank(entry)));
}

/** Text fields whose owner adds some of its own. */
export function withoutEmptyAndUnknown(value: Arguments, schema: JsonSchema): Arguments {
  return withoutUnknown(withoutEmpty(value, schema), schema);
}
