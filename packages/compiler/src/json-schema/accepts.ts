import type { JsonSchema, JsonValue } from "@tenon/runtime/manifest";
import { type Definitions, targetOf } from "./definitions.js";
import { jsonType } from "./enumeration.js";

/**
 * Whether a derived schema accepts a value. Knows the keywords that Tenon derives and no others; it serves
 * defaults and examples at build time, and is no validator for strangers' schemas.
 */
export function accepts(schema: JsonSchema, value: JsonValue, defs: Definitions = {}): boolean {
  if (schema.$ref !== undefined) {
    const target = targetOf(schema, defs);
    return target === undefined || accepts(target, value, defs);
  }
  if (schema.anyOf && !schema.anyOf.some((branch) => accepts(branch, value, defs))) return false;
  if (schema.type !== undefined && ![schema.type].flat().some((name) => isOfType(value, name))) return false;
  if (schema.enum && !schema.enum.some((each) => equal(each, value))) return false;
  if (typeof value === "string") return acceptsString(schema, value);
  if (typeof value === "number") return acceptsNumber(schema, value);
  if (Array.isArray(value)) return acceptsArray(schema, value, defs);
  if (value !== null && typeof value === "object") return acceptsObject(schema, value, defs);
  return true;
}

export function equal(left: JsonValue, right: JsonValue): boolean {
  return left === right || (typeof left === "object" && JSON.stringify(left) === JSON.stringify(right));
}

function isOfType(value: JsonValue, name: string): boolean {
  const actual = jsonType(value);
  return actual === name || (actual === "integer" && name === "number");
}

const FORMATS: Record<string, (text: string) => boolean> = {
  "date-time": (text) =>
    /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:[Zz]|[+-]\d{2}:?\d{2})$/.test(text),
  date: (text) => /^\d{4}-\d{2}-\d{2}$/.test(text),
  uri: (text) => URL.canParse(text),
  email: (text) => /^[^\s@]+@[^\s@]+$/.test(text),
  uuid: (text) => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text),
};

function acceptsString(schema: JsonSchema, value: string): boolean {
  const length = [...value].length;
  if (length < (schema.minLength ?? 0) || length > (schema.maxLength ?? Infinity)) return false;
  if (schema.pattern !== undefined && !new RegExp(schema.pattern, "u").test(value)) return false;
  return FORMATS[schema.format ?? ""]?.(value) ?? true;
}

function acceptsNumber(schema: JsonSchema, value: number): boolean {
  if (value < (schema.minimum ?? -Infinity) || value > (schema.maximum ?? Infinity)) return false;
  if (value <= (schema.exclusiveMinimum ?? -Infinity) || value >= (schema.exclusiveMaximum ?? Infinity))
    return false;
  return (
    schema.multipleOf === undefined || Number.isInteger(Number((value / schema.multipleOf).toPrecision(15)))
  );
}

function acceptsArray(schema: JsonSchema, value: JsonValue[], defs: Record<string, JsonSchema>): boolean {
  if (value.length < (schema.minItems ?? 0) || value.length > (schema.maxItems ?? Infinity)) return false;
  if (schema.uniqueItems && new Set(value.map((item) => JSON.stringify(item))).size < value.length)
    return false;
  return value.every((item, index) => {
    const expected = schema.prefixItems?.[index] ?? schema.items ?? true;
    return typeof expected === "boolean" ? expected : accepts(expected, item, defs);
  });
}

function acceptsObject(
  schema: JsonSchema,
  value: Record<string, JsonValue>,
  defs: Record<string, JsonSchema>,
): boolean {
  if (schema.required?.some((name) => !Object.hasOwn(value, name))) return false;
  return Object.entries(value).every(([name, item]) => {
    const { properties = {}, patternProperties = {} } = schema;
    if (Object.hasOwn(properties, name)) return accepts(properties[name] as JsonSchema, item, defs);
    const matching = Object.entries(patternProperties).filter(([pattern]) =>
      new RegExp(pattern, "u").test(name),
    );
    if (matching.length > 0) return matching.every(([, each]) => accepts(each, item, defs));
    const rest = schema.additionalProperties ?? true;
    return typeof rest === "boolean" ? rest : accepts(rest, item, defs);
  });
}
