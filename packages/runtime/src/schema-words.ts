/**
 * A schema, and a value, in a few words.
 * @module
 */
import type { JsonSchema, JsonTypeName, JsonValue } from "./json-schema.js";
import { resolve } from "./schema-match.js";

const NAMES: Record<JsonTypeName, string> = {
  null: "null",
  boolean: "true or false",
  integer: "an integer",
  number: "a number",
  string: "a string",
  array: "an array",
  object: "an object",
};

const FORMAT_EXAMPLES: Record<string, string> = {
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

/**
 * What a value must be.
 *
 * @example
 * describe({ type: "integer", minimum: 1 }) // "an integer"
 * describe({ enum: ["a", "b"] }) // `one of "a", "b"`
 */
export function describe(schema: JsonSchema, root: JsonSchema = schema): string {
  const resolved = resolve(schema, root);
  if (resolved === undefined) return "any value";
  if (resolved.enum !== undefined) return describeConstants(resolved.enum);
  if (Object.hasOwn(resolved, "const")) return show(resolved.const);
  const branches = resolved.anyOf ?? resolved.oneOf;
  if (branches !== undefined) {
    return [...new Set(branches.map((branch) => describe(branch, root)))].slice(0, 8).join(" or ");
  }
  if (resolved.type === undefined) return "any value";
  const types = Array.isArray(resolved.type) ? resolved.type : [resolved.type];
  return types.map((type) => describeType(type, resolved, root)).join(" or ");
}

function describeType(type: JsonTypeName, schema: JsonSchema, root: JsonSchema): string {
  if (type === "string" && schema.format !== undefined) return `a string (${schema.format})`;
  if (type === "array" && typeof schema.items === "object" && schema.items !== null) {
    return `an array (each ${describe(schema.items, root)})`;
  }
  if (type === "object") {
    const discriminators = Object.entries(schema.properties ?? {}).flatMap(([name, member]) =>
      member.enum?.length === 1 ? [`${name}: ${show(member.enum[0])}`] : [],
    );
    return discriminators.length > 0 ? `an object with ${discriminators.join(", ")}` : NAMES.object;
  }
  return NAMES[type] ?? type;
}

function describeConstants(constants: readonly JsonValue[]): string {
  const listed = constants.slice(0, 12).map((item) => show(item));
  if (constants.length > listed.length) listed.push("…");
  return listed.length === 1 ? listed.join("") : `one of ${listed.join(", ")}`;
}

/** A valid value, where the schema shows one. */
export function example(schema: JsonSchema): JsonValue | undefined {
  const given = schema.examples?.[0];
  if (given !== undefined) return given;
  return schema.format === undefined ? undefined : FORMAT_EXAMPLES[schema.format];
}

/** A value as it may stand in a sentence: JSON, shortened. */
export function show(value: unknown): string {
  if (value === undefined) return "nothing";
  // JSON has numbers that are too large for any other form.
  if (typeof value === "number" && !Number.isFinite(value)) return String(value);
  if (Array.isArray(value) && value.length > 8) return `an array of ${value.length} items`;
  let text: string;
  try {
    text = JSON.stringify(typeof value === "string" ? value.slice(0, 80) : value) ?? String(value);
  } catch {
    return "a value that JSON cannot carry";
  }
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}
