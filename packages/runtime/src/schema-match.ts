/**
 * A small reading of JSON Schema: whether a value fits. It serves decisions between alternatives (which
 * branch of a union, which conversion) and never replaces the compiled validators.
 * @module
 */
import { isObject } from "./jsonrpc.js";
import type { JsonSchema, JsonTypeName } from "./json-schema.js";
import { deepEqual } from "./equality.js";
import type { FormatChecks } from "./formats.js";

/** What schemas are read with. */
export interface SchemaScope {
  /** Where references lead. */
  readonly root: JsonSchema;
  /** The formats that are looked at; any other is an annotation. */
  readonly formats: FormatChecks;
}

/** For decisions in which formats have no part. */
export function structure(root: JsonSchema): SchemaScope {
  return { root, formats: {} };
}

/** True when `value` satisfies the keywords of `schema` known here; others are not held against it. */
export function matches(schema: JsonSchema, value: unknown, scope: SchemaScope): boolean {
  const resolved = resolve(schema, scope.root);
  if (resolved === undefined) return true;
  return (
    matchesType(resolved, value) &&
    matchesConstant(resolved, value) &&
    matchesNumber(resolved, value) &&
    matchesString(resolved, value, scope.formats) &&
    matchesObject(resolved, value, scope) &&
    matchesArray(resolved, value, scope) &&
    matchesComposition(resolved, value, scope)
  );
}

/** Follows local references; `undefined` when a reference leads nowhere or around in a circle. */
export function resolve(schema: JsonSchema, root: JsonSchema): JsonSchema | undefined {
  let current = schema;
  for (let hops = 0; current.$ref !== undefined; hops++) {
    const target = hops < 32 ? atPointer(root, current.$ref) : undefined;
    if (target === undefined) return undefined;
    current = target;
  }
  return current;
}

/** The part of `root` at a local JSON pointer such as `#/$defs/Node`. */
export function atPointer(root: JsonSchema, pointer: string): JsonSchema | undefined {
  if (!pointer.startsWith("#")) return undefined;
  let current: unknown = root;
  for (const token of pointer.split("/").slice(1)) {
    const name = unescapePointer(token);
    if (typeof current !== "object" || current === null || !Object.hasOwn(current, name)) return undefined;
    current = (current as Record<string, unknown>)[name];
  }
  return isObject(current) ? current : undefined;
}

/** Undoes the escapes of one pointer token, in a URI fragment or plain. */
export function unescapePointer(token: string): string {
  let text = token;
  try {
    text = decodeURIComponent(token);
  } catch {
    // A plain pointer may hold a lone percent sign.
  }
  return text.replaceAll("~1", "/").replaceAll("~0", "~");
}

/** The JSON type of a value, with whole numbers as `"integer"`. */
export function typeOf(value: unknown): JsonTypeName | undefined {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  switch (typeof value) {
    case "boolean":
    case "string":
    case "object":
      return typeof value as JsonTypeName;
    case "number":
      return Number.isInteger(value) ? "integer" : "number";
    default:
      return undefined;
  }
}

/** True when a value of JSON type `type` is what `allowed` names. */
export function isTypeAllowed(type: JsonTypeName | undefined, allowed: readonly JsonTypeName[]): boolean {
  return type !== undefined && (allowed.includes(type) || (type === "integer" && allowed.includes("number")));
}

function matchesType(schema: JsonSchema, value: unknown): boolean {
  if (schema.type === undefined) return true;
  return isTypeAllowed(typeOf(value), Array.isArray(schema.type) ? schema.type : [schema.type]);
}

function matchesConstant(schema: JsonSchema, value: unknown): boolean {
  if (Object.hasOwn(schema, "const") && !deepEqual(schema.const, value)) return false;
  return schema.enum === undefined || schema.enum.some((item) => deepEqual(item, value));
}

function matchesNumber(schema: JsonSchema, value: unknown): boolean {
  if (typeof value !== "number") return true;
  return (
    (schema.minimum === undefined || value >= schema.minimum) &&
    (schema.maximum === undefined || value <= schema.maximum) &&
    (schema.exclusiveMinimum === undefined || value > schema.exclusiveMinimum) &&
    (schema.exclusiveMaximum === undefined || value < schema.exclusiveMaximum)
  );
}

function matchesString(schema: JsonSchema, value: unknown, formats: FormatChecks): boolean {
  if (typeof value !== "string") return true;
  return (
    (schema.minLength === undefined || value.length >= schema.minLength) &&
    (schema.maxLength === undefined || value.length <= schema.maxLength * 2) &&
    (schema.pattern === undefined || RegExp(schema.pattern, "u").test(value)) &&
    (schema.format === undefined || hasFormat(schema.format, value, formats))
  );
}

/** True for a text of that format, and for any where the format is not looked at. */
export function hasFormat(name: string, text: string, formats: FormatChecks): boolean {
  return !Object.hasOwn(formats, name) || formats[name]?.(text) === true;
}

function matchesObject(schema: JsonSchema, value: unknown, scope: SchemaScope): boolean {
  if (!isObject(value)) return true;
  const { properties = {}, required = [], additionalProperties } = schema;
  if (required.some((name) => !Object.hasOwn(value, name))) return false;
  return Object.keys(value).every((name) => {
    const member = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (member !== undefined) return matches(member, value[name], scope);
    if (schema.patternProperties !== undefined) return true;
    if (additionalProperties === false) return false;
    return !isObject(additionalProperties) || matches(additionalProperties, value[name], scope);
  });
}

function matchesArray(schema: JsonSchema, value: unknown, scope: SchemaScope): boolean {
  if (!Array.isArray(value)) return true;
  if (value.length < (schema.minItems ?? 0) || value.length > (schema.maxItems ?? Infinity)) return false;
  return value.every((item, index) => {
    const itemSchema = schema.prefixItems?.[index] ?? schema.items;
    if (itemSchema === false) return false;
    return !isObject(itemSchema) || matches(itemSchema, item, scope);
  });
}

function matchesComposition(schema: JsonSchema, value: unknown, scope: SchemaScope): boolean {
  const fits = (branch: JsonSchema): boolean => matches(branch, value, scope);
  return (
    (schema.anyOf === undefined || schema.anyOf.some(fits)) &&
    (schema.oneOf === undefined || schema.oneOf.some(fits)) &&
    (schema.allOf === undefined || schema.allOf.every(fits))
  );
}
