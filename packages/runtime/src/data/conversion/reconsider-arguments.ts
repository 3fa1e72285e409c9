/**
 * Coerces arguments that a validator rejected, or explains what is wrong with them. Loaded with the first call.
 * @module
 */
import { describeIssues } from "../explanations/issues.js";
import { createScope } from "../problems/keywords/table.js";
import { fits } from "../problems/search.js";
import type { JsonSchema } from "../../protocol/json-schema.js";
import { isObject } from "../../protocol/jsonrpc.js";
import { type Arguments, ArgumentsError, type ArgumentsPlan } from "./arguments.js";
import { coerce } from "./coercion.js";

/**
 * Maximum number of comparisons of values with schemas for one call. This is enough for thousands of values, and takes
 * less than a second. Without a limit, one message of 1 MiB can occupy the server for ten seconds.
 */
const MAX_COMPARISONS = 200_000;

/**
 * Coerces rejected arguments if their meaning is certain, and removes those that are to be ignored. Returns the result
 * if it is valid.
 *
 * @throws ArgumentsError with every problem found
 */
export function reconsiderArguments(plan: ArgumentsPlan, given: unknown): Arguments {
  const { validators, schema, noun, ignoresEmpty = false, ignoresUnknown = false } = plan;
  let comparisons = 0;
  const countComparison = (): void => {
    if (++comparisons <= MAX_COMPARISONS) return;
    throw new ArgumentsError([
      `the ${noun}s do not fit the schema, and contain too many values to search for the problems; send fewer`,
    ]);
  };
  let value = coerce(schema, given, countComparison);
  if (!isObject(value)) {
    throw new ArgumentsError([`the ${noun}s must be an object`]);
  }
  if (ignoresEmpty) value = withoutEmpty(value as Arguments, schema);
  if (ignoresUnknown) value = withoutUnknown(value as Arguments, schema);
  if (validators.input(value)) return value as Arguments;
  throw new ArgumentsError(
    describeIssues(schema, value, noun, value, createScope(schema, undefined, false, countComparison)),
  );
}

/** Returns whether data is an object that fits a schema created at run time, which has no compiled validator. */
export function fitsSchema(schema: JsonSchema, data: unknown): boolean {
  return isObject(data) && fits(schema, data, createScope(schema));
}

/** Removes arguments that the schema does not declare, unless it allows additional ones. */
function withoutUnknown(value: Arguments, schema: JsonSchema): Arguments {
  const { properties = {}, patternProperties = {}, additionalProperties } = schema;
  if (additionalProperties) return value;
  const patterns = Object.keys(patternProperties).map((pattern) => new RegExp(pattern, "u"));
  const isKnown = ([name]: [string, unknown]): boolean =>
    Object.hasOwn(properties, name) || patterns.some((pattern) => pattern.test(name));
  return Object.fromEntries(Object.entries(value).filter(isKnown));
}

/**
 * Removes optional arguments that are empty text, unless their type allows an empty string. Clients that know only
 * strings send empty text for an empty field.
 */
function withoutEmpty(value: Arguments, schema: JsonSchema): Arguments {
  const { required = [], properties = {} } = schema;
  // Formats inside a union do not count: only a property's own format rules out empty text.
  const scope = createScope(schema, "format");
  const isBlank = ([name, member]: [string, unknown]): boolean => {
    if (member !== "" || required.includes(name) || !Object.hasOwn(properties, name)) return false;
    const property: JsonSchema = properties[name] ?? {};
    return property.format !== undefined || !fits(property, "", scope);
  };
  return Object.fromEntries(Object.entries(value).filter((entry) => !isBlank(entry)));
}
