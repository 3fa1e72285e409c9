/**
 * A schema, and a value, in a few words.
 * @module
 */
import type { JsonSchema, JsonTypeName, JsonValue } from "../protocol/json-schema.js";
import type { Scope } from "./vocabulary.js";

const NAMES: Partial<Record<JsonTypeName, string>> = {
  boolean: "true or false",
  integer: "an integer",
  number: "a number",
  string: "a string",
  array: "an array",
};

/**
 * What a value must be, by a schema without alternatives.
 *
 * @param references how many references have led here: a type that refers to itself is not described to its end
 * @example
 * describe({ type: "integer", minimum: 1 }, scope) // "an integer"
 * describe({ enum: ["a", "b"] }, scope) // `one of "a", "b"`
 */
export function describe(schema: JsonSchema, scope: Scope, references = 0): string {
  if (schema.enum !== undefined) return describeChoices(schema.enum, 12, "…");
  if (schema.type === undefined) return "any value";
  return [schema.type]
    .flat()
    .map((type) => describeType(type, schema, scope, references))
    .join(" or ");
}

function describeType(type: JsonTypeName, schema: JsonSchema, scope: Scope, references: number): string {
  const { format, items } = schema;
  if (type === "string" && format !== undefined) return `a string (${format})`;
  if (type === "array" && typeof items === "object" && references < 2) {
    return `an array (each ${scope.vocabulary.describe(items, scope, references)})`;
  }
  return type === "object" ? scope.vocabulary.describeObject(schema) : (NAMES[type] ?? type);
}

/** An object as such. */
export function describeObject(): string {
  return "an object";
}

/** @param rest stands for what is more than `most` */
export function describeChoices(choices: readonly JsonValue[], most: number, rest: string): string {
  const listed = choices.slice(0, most).map((choice) => show(choice));
  if (choices.length > most) listed.push(rest);
  return choices.length === 1 ? listed.join("") : `one of ${listed.join(", ")}`;
}

/** A valid value, where the schema shows one. */
export function exampleHint({ examples, format = "" }: JsonSchema, { vocabulary }: Scope): string {
  const example = examples?.[0] ?? vocabulary.examples[format];
  return example === undefined ? "" : `, such as ${show(example)}`;
}

export function count(limit: number, noun: string): string {
  return `${limit} ${noun}${limit === 1 ? "" : "s"}`;
}

/** A value, read from JSON, as it may stand in a sentence: shortened. */
export function show(value: unknown): string {
  if (value === undefined) return "nothing";
  // JSON has numbers that are too large for any other form.
  if (typeof value === "number" && !Number.isFinite(value)) return String(value);
  if (Array.isArray(value) && value.length > 8) return `an array of ${value.length} items`;
  const text = JSON.stringify(typeof value === "string" ? value.slice(0, 80) : value);
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}
