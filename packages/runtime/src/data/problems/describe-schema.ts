/**
 * Short descriptions of schemas.
 * @module
 */
import {
  getConstants,
  type JsonSchema,
  type JsonTypeName,
  type JsonValue,
  resolve,
} from "../../protocol/json-schema.js";
import { shorten } from "./shorten.js";

const NAMES: Partial<Record<JsonTypeName, string>> = {
  boolean: "true or false",
  integer: "an integer",
  number: "a number",
  string: "a string",
};

const AN_OBJECT = "an object";

/** Maximum number of alternatives that are named for a union. */
const MAX_ALTERNATIVES = 8;

/**
 * Describes what a value must be.
 *
 * @param root the schema to which references are relative
 * @param references the number of references followed so far, which limits the depth for a type that refers to itself
 * @example
 * describeSchema({ type: "integer", minimum: 1 }, root) // "an integer"
 * describeSchema({ enum: ["a", "b"] }, root) // `one of "a", "b"`
 */
export function describeSchema(schema: JsonSchema, root: JsonSchema, references = 0): string {
  const resolved = resolve(schema, root);
  const followed = resolved === schema ? references : references + 1;
  const { anyOf, oneOf, type } = resolved;
  const choices = getConstants(resolved);
  if (choices !== undefined) return describeChoices(choices, 12, "…");
  const branches = anyOf ?? oneOf;
  if (branches !== undefined) {
    const texts = branches.map((branch) => describeSchema(branch, root, followed));
    const described = branches.map((branch, index) => {
      const text = texts[index] ?? "";
      const isShared = texts.some((each, other) => other !== index && each === text);
      return isShared || text === AN_OBJECT ? describeMembers(branch, text, root) : text;
    });
    return [...new Set(described)].slice(0, MAX_ALTERNATIVES).join(" or ");
  }
  if (type === undefined) return "any value";
  return [type]
    .flat()
    .map((each) => describeType(each, resolved, root, followed))
    .join(" or ");
}

/** Describes an object by its required members, if its constants do not distinguish it from other alternatives. */
function describeMembers(branch: JsonSchema, text: string, root: JsonSchema): string {
  const { required = [] } = resolve(branch, root);
  if (!text.startsWith(AN_OBJECT) || required.length === 0) return text;
  const names = required.slice(0, 4).map((name) => `\`${name}\``);
  return `${AN_OBJECT} with ${[...names, ...(required.length > names.length ? ["…"] : [])].join(", ")}`;
}

function describeType(type: JsonTypeName, schema: JsonSchema, root: JsonSchema, references: number): string {
  const { format, minItems, maxItems, prefixItems } = schema;
  if (type === "string" && format !== undefined) return `a string (${format})`;
  if (type === "array") {
    // The list of a tuple's items shows their number.
    const isCounted = minItems !== undefined && minItems === maxItems && prefixItems === undefined;
    const name = isCounted ? `an array of ${formatCount(minItems, "item")}` : "an array";
    const described = references < 2 ? describeItems(schema, root, references) : "";
    return described === "" ? name : `${name} (${described})`;
  }
  return type === "object" ? describeObject(schema) : (NAMES[type] ?? type);
}

/** Describes the items of an array; for a tuple, each item by its position. */
function describeItems(
  { prefixItems = [], items }: JsonSchema,
  root: JsonSchema,
  references: number,
): string {
  const parts = prefixItems.slice(0, MAX_ALTERNATIVES).map((item) => describeSchema(item, root, references));
  if (parts.length < prefixItems.length) parts.push("…");
  else if (typeof items === "object")
    parts.push(`${parts.length > 0 ? "then " : ""}each ${describeSchema(items, root, references)}`);
  return parts.join(", ");
}

/** Describes an object by the constants that distinguish it from others. */
function describeObject({ properties = {}, required = [] }: JsonSchema): string {
  const discriminators = required.flatMap((name) => {
    const [only, ...others] = getConstants(properties[name] ?? {}) ?? [];
    return only === undefined || others.length > 0 ? [] : [`${name}: ${shorten(only)}`];
  });
  return discriminators.length > 0 ? `${AN_OBJECT} with ${discriminators.join(", ")}` : AN_OBJECT;
}

/**
 * Describes the choices of an enumeration.
 *
 * @param rest the text for the choices beyond `max`
 */
export function describeChoices(choices: readonly JsonValue[], max: number, rest: string): string {
  const listed = choices.slice(0, max).map((choice) => shorten(choice));
  if (choices.length > max) listed.push(rest);
  return choices.length === 1 ? listed.join("") : `one of ${listed.join(", ")}`;
}

/** An example of each format whose name does not show the syntax. */
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

/** Returns an example of a valid value as the end of a sentence; empty if none is known. */
export function formatExampleHint({ examples, format = "" }: JsonSchema): string {
  const example = examples?.[0] ?? FORMAT_EXAMPLES[format];
  return example === undefined ? "" : `, such as ${shorten(example)}`;
}

/**
 * Returns a number with a noun, in the plural unless it is 1.
 *
 * @example
 * formatCount(1, "item") // "1 item"
 */
export function formatCount(limit: number, noun: string): string {
  return `${limit} ${noun}${limit === 1 ? "" : "s"}`;
}
