/**
 * Arguments as clients send them, to arguments as handlers declare them.
 * @module
 */
import type { Validator } from "../assembly/application.js";
import { describeIssues } from "../explain/issues.js";
import { readLeniently } from "../explain/coercion.js";
import { fits } from "../explain/problems.js";
import type { Scope, Vocabulary } from "../explain/vocabulary.js";
import type { JsonSchema } from "../protocol/json-schema.js";
import { isObject } from "../protocol/jsonrpc.js";
import type { Input } from "../manifest.js";

type Arguments = Record<string, unknown>;

/** @throws ArgumentsError for texts that stand for no value */
export type ArgumentsReader = (
  fitting: Record<string, unknown>,
  plan: Pick<ArgumentsPlan, "schema" | "vocabulary">,
) => Record<string, unknown>;

export interface ArgumentsPlan {
  readonly validate: Validator;
  readonly schema: JsonSchema;
  /** Turns arguments that fit into the values that the handler declares. */
  readonly read: ArgumentsReader;
  readonly allows: Input["allows"];
  /** What the schema is read with. */
  readonly vocabulary: Vocabulary;
  /** What the values are called in messages: arguments of a tool or prompt, variables of a URI, fields of a form. */
  readonly noun: "argument" | "variable" | "field";
  /** Leaves out of refused arguments what was not meant as any. */
  readonly tidy?: ((value: Arguments, plan: ArgumentsPlan) => Arguments) | undefined;
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
  return plan.read(accepted, plan);
}

/** A second reading of arguments that were refused as sent. */
function reconsider(plan: ArgumentsPlan, given: unknown): Arguments {
  const { validate, schema, noun, vocabulary, tidy } = plan;
  let value = readLeniently(schema, given, vocabulary, plan.allows);
  if (!isObject(value)) {
    throw new ArgumentsError([`the ${noun}s must be an object`]);
  }
  if (tidy !== undefined) value = tidy(value, plan);
  if (validate(value)) return value as Arguments;
  throw new ArgumentsError(describeIssues(validate.errors, schema, value, noun, vocabulary));
}

/** Arguments the schema does not name are dropped instead of refused. */
export function withoutUnknown(value: Arguments, { schema }: ArgumentsPlan): Arguments {
  const { properties = {}, patternProperties = {}, additionalProperties } = schema;
  if (additionalProperties) return value;
  const patterns = Object.keys(patternProperties).map((pattern) => new RegExp(pattern, "u"));
  const isKnown = ([name]: [string, unknown]): boolean =>
    Object.hasOwn(properties, name) || patterns.some((pattern) => pattern.test(name));
  return Object.fromEntries(Object.entries(value).filter(isKnown));
}

/** Where clients know only text, an empty field stands for an absent argument, unless its type has an empty text. */
export function withoutEmpty(value: Arguments, { schema, vocabulary }: ArgumentsPlan): Arguments {
  const { required = [], properties = {} } = schema;
  // A format is a reason to leave a member of a union empty only where it has a format itself.
  const rulesOf: Vocabulary["rulesOf"] = (each) =>
    vocabulary.rulesOf(each).filter(({ keyword }) => keyword !== "format");
  const scope: Scope = { root: schema, vocabulary: { ...vocabulary, rulesOf } };
  const isBlank = ([name, member]: [string, unknown]): boolean => {
    if (member !== "" || required.includes(name) || !Object.hasOwn(properties, name)) return false;
    const property: JsonSchema = properties[name] ?? {};
    return property.format !== undefined || !fits(property, "", scope);
  };
  return Object.fromEntries(Object.entries(value).filter((entry) => !isBlank(entry)));
}

/** Text fields whose owner adds some of its own. */
export function withoutEmptyAndUnknown(value: Arguments, plan: ArgumentsPlan): Arguments {
  return withoutUnknown(withoutEmpty(value, plan), plan);
}
