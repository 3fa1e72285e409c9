/**
 * Arguments as clients send them, to arguments as handlers declare them.
 * @module
 */
import type { Validator } from "./application.js";
import type { FormatChecks } from "./formats.js";
import { describeIssues } from "./issues.js";
import type { JsonSchema } from "./json-schema.js";
import { isObject } from "./jsonrpc.js";
import { readLeniently } from "./lenient.js";
import type { Input } from "./manifest.js";
import { matches, structure } from "./schema-match.js";

/** @throws ArgumentsError for a text that stands for no value */
export type ArgumentsReader = (fitting: Record<string, unknown>) => Record<string, unknown>;

export interface ArgumentsPlan {
  readonly validate: Validator;
  readonly schema: JsonSchema;
  /** Turns arguments that fit into the values that the handler declares. */
  readonly read: ArgumentsReader;
  readonly allows: Input["allows"];
  /** The formats that the schema may name. */
  readonly formats: FormatChecks;
  /** What the values are called in messages: arguments of a tool or prompt, variables of a URI, fields of a form. */
  readonly noun: "argument" | "variable" | "field";
  /** Arguments the schema does not name are dropped instead of refused. */
  readonly ignoreUnknown: boolean;
  /** The client's form knows only text, so an empty field stands for an absent argument. */
  readonly emptyIsAbsent: boolean;
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
  return plan.read(accepted);
}

/** A second reading of arguments that were refused as sent. */
function reconsider(plan: ArgumentsPlan, given: unknown): Record<string, unknown> {
  const { validate, schema, noun, formats } = plan;
  let value = readLeniently(schema, given, formats, plan.allows);
  if (!isObject(value)) {
    throw new ArgumentsError([`the ${noun}s must be an object`]);
  }
  if (plan.emptyIsAbsent) value = withoutEmpty(value, schema);
  if (plan.ignoreUnknown) value = withoutUnknown(value as Record<string, unknown>, schema);
  if (validate(value)) return value as Record<string, unknown>;
  throw new ArgumentsError(describeIssues(validate.errors ?? [], schema, value, noun, formats));
}

function withoutEmpty(value: Record<string, unknown>, schema: JsonSchema): Record<string, unknown> {
  const { required = [], properties = {} } = schema;
  const isBlank = ([name, member]: [string, unknown]): boolean => {
    if (member !== "" || required.includes(name) || !Object.hasOwn(properties, name)) return false;
    const property = properties[name] ?? {};
    // No format has an empty text, but only the compiled validator knows formats.
    return property.format !== undefined || !matches(property, "", structure(schema));
  };
  return Object.fromEntries(Object.entries(value).filter((entry) => !isBlank(entry)));
}

function withoutUnknown(value: Record<string, unknown>, schema: JsonSchema): Record<string, unknown> {
  const known = schema.properties ?? {};
  return Object.fromEntries(Object.entries(value).filter(([name]) => Object.hasOwn(known, name)));
}
