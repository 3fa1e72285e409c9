/**
 * A schema in a few words.
 * @module
 */
import { type JsonSchema, type JsonTypeName, type JsonValue, resolve } from "../protocol/json-schema.js";
import { shorten } from "./show-value.js";

const NAMES: Partial<Record<JsonTypeName, string>> = {
  boolean: "true or false",
  integer: "an integer",
  number: "a number",
  string: "a string",
  array: "an array",
};

const AN_OBJECT = "an object";

/** Of a union, so many alternatives are named. */
const MOST_ALTERNATIVES = 8;

/**
 * What a value must be.
 *
 * @param root where references lead
 * @param references how many references have led here: a type that refers to itself is not described to its end
 * @example
 * describeSchema({ type: "integer", minimum: 1 }, root) // "an integer"
 * describeSchema({ enum: ["a", "b"] }, root) // `one of "a", "b"`
 */
export function describeSchema(schema: JsonSchema, root: JsonSchema, references = 0): string {
  const resolved = resolve(schema, root);
  const followed = resolved === schema ? references : references + 1;
  const { enum: choices, const: constant, anyOf, oneOf, type } = resolved;
  if (choices !== undefined) return describeChoices(choices, 12, "…");
  if (constant !== undefined) return shorten(constant);
  const branches = anyOf ?? oneOf;
  if (branches !== undefined) {
    const described = new Set(branches.map((branch) => describeBranch(branch, root, followed)));
    return [...described].slice(0, MOST_ALTERNATIVES).join(" or ");
  }
  if (type === undefined) return "any value";
  return [type]
    .flat()
    .map((each) => describeType(each, resolved, root, followed))
    .join(" or ");
}

/** Objects, of which there may be several, by what they must have. */
function describeBranch(branch: JsonSchema, root: JsonSchema, references: number): string {
  const text = describeSchema(branch, root, references);
  const { required = [] } = resolve(branch, root);
  if (text !== AN_OBJECT || required.length === 0) return text;
  const names = required.slice(0, 4).map((name) => `\`${name}\``);
  return `${text} with ${[...names, ...(required.length > names.length ? ["…"] : [])].join(", ")}`;
}

function describeType(type: JsonTypeName, schema: JsonSchema, root: JsonSchema, references: number): string {
  const { format } = schema;
  if (type === "string" && format !== undefined) return `a string (${format})`;
  if (type === "array" && references < 2) {
    const described = describeItems(schema, root, references);
    if (described !== "") return `an array (${described})`;
  }
  return type === "object" ? describeObject(schema) : (NAMES[type] ?? type);
}

/** Those that are told apart by their place come first. */
function describeItems(
  { prefixItems = [], items }: JsonSchema,
  root: JsonSchema,
  references: number,
): string {
  const placed = prefixItems
    .slice(0, MOST_ALTERNATIVES)
    .map((item) => describeSchema(item, root, references));
  if (placed.length < prefixItems.length) placed.push("…");
  else if (typeof items === "object")
    placed.push(`${placed.length > 0 ? "then " : ""}each ${describeSchema(items, root, references)}`);
  return placed.join(", ");
}

/** An object by the constants that distinguish it from others. */
function describeObject({ properties = {} }: JsonSchema): string {
  const discriminators = Object.entries(properties).flatMap(([name, { const: constant, enum: choices }]) => {
    const [only = constant] = choices?.length === 1 ? choices : [];
    return only === undefined ? [] : [`${name}: ${shorten(only)}`];
  });
  return discriminators.length > 0 ? `${AN_OBJECT} with ${discriminators.join(", ")}` : AN_OBJECT;
}

/** @param rest takes the place of the choices beyond `most` */
export function describeChoices(choices: readonly JsonValue[], most: number, rest: string): string {
  const listed = choices.slice(0, most).map((choice) => shorten(choice));
  if (choices.length > most) listed.push(rest);
  return choices.length === 1 ? listed.join("") : `one of ${listed.join(", ")}`;
}

/** A value of each format whose name does not show what it looks like. */
const FORMAT_EXAMPLES: Readonly<Record<string, string>> = {
  byte: "SGVsbG8=",
  base64: "SGVsbG8=",
  "date-time": "2026-07-28T09:30:00Z",
  date: "2026-07-28",
  time: "09:30:00Z",
  duration: "PT1H30M",
  email: "ada@example.com",
  uri: "https://example.com/",
  uuid: "123e4567-e89b-12d3-a456-426614174000",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
};

/** A valid value, where the schema shows one. */
export function exampleHint({ examples, format = "" }: JsonSchema): string {
  const example = examples?.[0] ?? FORMAT_EXAMPLES[format];
  return example === undefined ? "" : `, such as ${shorten(example)}`;
}

/**
 * @example
 * count(1, "item") // "1 item"
 */
export function count(limit: number, noun: string): string {
  return `${limit} ${noun}${limit === 1 ? "" : "s"}`;
}
