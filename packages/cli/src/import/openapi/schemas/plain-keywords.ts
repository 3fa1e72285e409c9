import type { JsonSchema, JsonValue } from "@tenon/runtime/manifest";
import { listOf } from "../document/document.js";

const TYPES = ["null", "boolean", "integer", "number", "string", "array", "object"] as const;
type TypeName = (typeof TYPES)[number];

/**
 * What a schema object says by plain data, in the words of 2020-12. What does not fit its type, or fits no value at all, was
 * never meant: it is left out.
 *
 * @param leave hears of what was left out
 * @example
 * plainKeywords({ type: "integer", minimum: 0, exclusiveMinimum: true }, leave) // { type: "integer", exclusiveMinimum: 0 }
 */
export function plainKeywords(
  source: Readonly<Record<string, unknown>>,
  leave: (what: string) => void,
): JsonSchema {
  const schema: JsonSchema = {};
  const types = typesOf(source);
  const [only] = types;
  if (types.length > 0) schema.type = types.length === 1 && only !== undefined ? only : types;
  const fits = (value: unknown): boolean => types.length === 0 || types.some((type) => isOf(type, value));
  const values = valuesOf(source["enum"], types).filter(fits);
  if (values.length > 0) schema.enum = values;
  if (source["const"] !== undefined && fits(source["const"])) {
    delete schema.enum;
    schema.const = source["const"] as JsonValue;
  }
  if (schema.enum === undefined && schema.const === undefined) addLimits(schema, source, types, leave);
  const { default: fallback, deprecated } = source;
  const allowed = schema.enum ?? (schema.const === undefined ? undefined : [schema.const]);
  if (fallback !== undefined && types.length > 0 && isScalar(fallback)) {
    const isAllowed = allowed === undefined || allowed.includes(fallback as JsonValue);
    if (fits(fallback) && isAllowed && isWithin(schema, fallback)) schema.default = fallback as JsonValue;
    else if (fallback !== null && fallback !== "") leave("`default` that does not fit its type");
  }
  if (deprecated === true) schema.deprecated = true;
  return schema;
}

function typesOf({ type }: Readonly<Record<string, unknown>>): TypeName[] {
  const names = [type].flat().filter((each): each is TypeName => TYPES.includes(each as TypeName));
  // An integer is a number already.
  return [...new Set(names)].filter((name) => name !== "integer" || !names.includes("number"));
}

/** YAML reads `no` and `1` in lists of texts as something else. */
function valuesOf(written: unknown, types: readonly TypeName[]): JsonValue[] {
  const values = listOf(written).map((value) =>
    types.join() === "string" && (typeof value === "number" || typeof value === "boolean")
      ? String(value)
      : value,
  );
  const byText = new Map(values.map((value) => [JSON.stringify(value), value as JsonValue]));
  return [...byText.values()].filter(isScalar);
}

function addLimits(
  schema: JsonSchema,
  source: Readonly<Record<string, unknown>>,
  types: readonly TypeName[],
  leave: (what: string) => void,
): void {
  const has = (...names: TypeName[]): boolean => names.some((name) => types.includes(name));
  const isNumeric = has("number", "integer");
  // Where several types are allowed, limits would stand beside all of them.
  if (types.filter((type) => type !== "null").length > 1) return;
  if (isNumeric) {
    const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = source;
    if (isNumber(minimum)) schema[exclusiveMinimum === true ? "exclusiveMinimum" : "minimum"] = minimum;
    if (isNumber(maximum)) schema[exclusiveMaximum === true ? "exclusiveMaximum" : "maximum"] = maximum;
    if (isNumber(exclusiveMinimum)) schema.exclusiveMinimum = exclusiveMinimum;
    if (isNumber(exclusiveMaximum)) schema.exclusiveMaximum = exclusiveMaximum;
    if (isNumber(multipleOf) && multipleOf > 0) schema.multipleOf = multipleOf;
    const low = schema.minimum ?? schema.exclusiveMinimum ?? -Infinity;
    const high = schema.maximum ?? schema.exclusiveMaximum ?? Infinity;
    if (low > high) {
      leave("limits that no number is within");
      for (const name of ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"]) delete schema[name];
    }
  }
  if (has("string")) {
    addRange(schema, source, "minLength", "maxLength");
    const { pattern, format } = source;
    if (typeof pattern === "string" && isPattern(pattern)) schema.pattern = pattern;
    else if (pattern !== undefined) leave("`pattern` that is no regular expression of JavaScript");
    if (typeof format === "string" && FORMATS.has(format)) schema.format = format;
  }
  if (has("array")) {
    addRange(schema, source, "minItems", "maxItems");
    if (source["uniqueItems"] === true) schema.uniqueItems = true;
  }
}

/** Formats that say something to who writes a value. */
const FORMATS: ReadonlySet<string> = new Set(
  (
    "date date-time time duration email hostname ipv4 ipv6 uri uri-reference uuid byte json-pointer regex " +
    "iri iri-reference idn-email idn-hostname uri-template"
  ).split(" "),
);

function addRange(
  schema: JsonSchema,
  source: Readonly<Record<string, unknown>>,
  least: "minLength" | "minItems",
  most: "maxLength" | "maxItems",
): void {
  const [low, high] = [source[least], source[most]];
  if (isCount(low) && isCount(high) && low > high) return;
  if (isCount(low) && low > 0) schema[least] = low;
  if (isCount(high)) schema[most] = high;
}

function isWithin(schema: JsonSchema, value: unknown): boolean {
  if (typeof value === "number") {
    const {
      minimum = -Infinity,
      maximum = Infinity,
      exclusiveMinimum,
      exclusiveMaximum,
      multipleOf,
    } = schema;
    if (exclusiveMinimum !== undefined && value <= exclusiveMinimum) return false;
    if (exclusiveMaximum !== undefined && value >= exclusiveMaximum) return false;
    if (multipleOf !== undefined && !Number.isInteger(value / multipleOf)) return false;
    return value >= minimum && value <= maximum;
  }
  if (typeof value !== "string") return true;
  const { minLength = 0, maxLength = Infinity, pattern, format } = schema;
  const { length } = [...value];
  if (format !== undefined) return false;
  return (
    length >= minLength &&
    length <= maxLength &&
    (pattern === undefined || new RegExp(pattern, "u").test(value))
  );
}

/** In a comment, a pattern is what stands on the line of its tag. */
function isPattern(text: string): boolean {
  if (text === "" || text.trim() !== text || /[\n\r]/.test(text)) return false;
  try {
    return new RegExp(text, "u").source !== "";
  } catch {
    return false;
  }
}

function isOf(type: TypeName, value: unknown): boolean {
  if (value === null) return type === "null";
  if (type === "integer") return Number.isInteger(value);
  if (type === "array") return Array.isArray(value);
  return typeof value === type && !Array.isArray(value);
}

function isScalar(value: unknown): boolean {
  return value === null || ["string", "number", "boolean"].includes(typeof value);
}

function isNumber(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
