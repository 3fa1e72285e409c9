import { isKnownValid } from "@tenon/compiler";
import { LIMITS } from "@tenon/compiler/keywords";
import type { JsonSchema, JsonValue } from "@tenon/runtime/manifest";
import { listValueProblems } from "@tenon/runtime/value-problems";
import { asList, type JsonObject } from "../document/document.js";
import { appliesTo, type Omit, withPossibleLimits } from "./limits.js";

const TYPES = ["null", "boolean", "integer", "number", "string", "array", "object"] as const;
type TypeName = (typeof TYPES)[number];

/**
 * Reads the keywords of a schema object that have no schemas in them, as keywords of 2020-12. Omits keywords that do
 * not fit their type, or that no value can satisfy, since these are mistakes in the document.
 *
 * @example
 * readKeywords({ type: "integer", minimum: 0, exclusiveMinimum: true }, () => {}) // { type: "integer", exclusiveMinimum: 0 }
 */
export function readKeywords(source: JsonObject, omit: Omit): JsonSchema {
  const types = readTypes(source);
  const [only] = types;
  const schema: JsonSchema = {};
  if (only !== undefined) schema.type = types.length === 1 ? only : types;
  const ofType = { ...schema };
  const { default: fallback, const: constant } = source;
  const values = readEnum(source["enum"], types, omit).filter((value) => isValid(ofType, value));
  if (constant !== undefined && isValid(ofType, constant)) schema.const = constant as JsonValue;
  else if (values.length > 0) schema.enum = values;
  else Object.assign(schema, readLimits(source, types, omit));
  if (fallback !== undefined && types.length > 0 && isScalar(fallback)) {
    if (isValid(schema, fallback)) schema.default = fallback;
    else if (fallback !== null && fallback !== "") omit("`default` that does not fit its type");
  }
  if (source["deprecated"] === true) schema.deprecated = true;
  return schema;
}

function readTypes({ type }: JsonObject): TypeName[] {
  const names = [type].flat().filter((each): each is TypeName => TYPES.includes(each as TypeName));
  // An integer is already a number.
  return [...new Set(names)].filter((name) => name !== "integer" || !names.includes("number"));
}

/** Reads the values of an `enum`. In lists of strings, YAML reads `no` and `1` as other types. */
function readEnum(written: unknown, types: readonly TypeName[], omit: Omit): JsonValue[] {
  if (!asList(written).every(isScalar)) {
    omit("`enum` with objects or arrays");
    return [];
  }
  const isString = types.join() === "string";
  const values = asList(written)
    .filter(isScalar)
    .map((value) => (isString && value !== null ? String(value) : value));
  return [...new Set(values)];
}

/** Formats that help a model write a value. */
const FORMATS: ReadonlySet<unknown> = new Set(
  (
    "date date-time time duration email hostname ipv4 ipv6 uri uri-reference uuid byte json-pointer regex " +
    "iri iri-reference idn-email idn-hostname uri-template"
  ).split(" "),
);

/**
 * Reads the limits of a type. Without a type, reads all limits, since another part of the same schema may have the type. If
 * several types are allowed, the limits of one would apply to all, so none are read.
 */
function readLimits(source: JsonObject, types: readonly TypeName[], omit: Omit): JsonSchema {
  const [type, ...others] = types.filter((each) => each !== "null");
  const given = withExclusiveLimits(source);
  const limits: JsonSchema = {};
  for (const name of LIMITS) {
    const value = given[name] as JsonValue | undefined;
    const mayApply = types.length === 0 || [type, ...others].some((each) => appliesTo(name, each));
    if (value === undefined || !mayApply) continue;
    if (isLimit(name, value) && isKnownValid({ [name]: value })) Object.assign(limits, { [name]: value });
    else if (name === "pattern") omit("`pattern` that is not a JavaScript regular expression");
  }
  if (others.length === 0) return withPossibleLimits(limits, omit);
  for (const name of Object.keys(limits)) if (name !== "format") omit(name);
  return {};
}

/** Returns exclusive limits as numbers. In 3.0, `exclusiveMinimum` is true or false, and refers to `minimum`. */
function withExclusiveLimits({ minimum, maximum, ...source }: JsonObject): JsonObject {
  return {
    ...source,
    ...(source["exclusiveMinimum"] === true ? { exclusiveMinimum: minimum } : { minimum }),
    ...(source["exclusiveMaximum"] === true ? { exclusiveMaximum: maximum } : { maximum }),
  };
}

/** Returns whether a limit excludes anything, and fits on the line of its tag in a comment. */
function isLimit(name: string, value: JsonValue): boolean {
  if (name === "format") return FORMATS.has(value);
  if (name === "pattern") return typeof value === "string" && value.trim() === value && /^.+$/.test(value);
  return value !== false && !(value === 0 && (name === "minLength" || name === "minItems"));
}

function isValid(schema: JsonSchema, value: unknown): boolean {
  return listValueProblems(schema, value).length === 0;
}

function isScalar(value: unknown): value is string | number | boolean | null {
  return value === null || ["string", "number", "boolean"].includes(typeof value);
}
