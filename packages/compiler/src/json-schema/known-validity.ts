import type { JsonSchema, JsonTypeName } from "@tenon/runtime/manifest";
import type { KeywordData } from "./keyword.js";
import { findKeyword } from "./keywords.js";

const TYPES: Record<JsonTypeName, true> = {
  null: true,
  boolean: true,
  integer: true,
  number: true,
  string: true,
  array: true,
  object: true,
};

/** The values that keywords of each kind may have. */
const DATA: Record<KeywordData, (value: unknown, root: JsonSchema) => boolean> = {
  text: isString,
  pattern: isPattern,
  flag: isBoolean,
  number: isNumber,
  positive: (value) => isNumber(value) && value > 0,
  count: (value) => Number.isSafeInteger(value) && (value as number) >= 0,
  type: (value) => isTypeName(value) || (isSet(value) && value.length > 0 && value.every(isTypeName)),
  names: (value) => isSet(value) && value.every(isString),
  choices: (value) => isSet(value) && value.length > 0,
  list: (value) => Array.isArray(value),
  anything: (value) => value !== undefined,
  definition: (value, { $defs = {} }) =>
    isString(value) && value.startsWith("#/$defs/") && Object.hasOwn($defs, value.slice("#/$defs/".length)),
};

/**
 * Returns true for schemas that are known to be valid, including all that the compiler derives. This takes about a microsecond
 * for each, but loading ajv and the meta-schema takes 110 ms. Returns false for schemas that ajv must check.
 */
export function isKnownValid(root: JsonSchema): boolean {
  return isKnownSchema(root, root);
}

function isKnownSchema(schema: unknown, root: JsonSchema): boolean {
  if (isBoolean(schema)) return true;
  return (
    isPlainObject(schema) &&
    Object.entries(schema).every(([name, value]) => isValidKeyword(name, value, root))
  );
}

function isValidKeyword(name: string, value: unknown, root: JsonSchema): boolean {
  const known = findKeyword(name);
  if (known?.data !== undefined) return DATA[known.data](value, root);
  const isNestedSchema = (each: unknown): boolean => isKnownSchema(each, root);
  switch (known?.holds) {
    case "schema":
      return isNestedSchema(value);
    case "list":
      return Array.isArray(value) && value.length > 0 && value.every(isNestedSchema);
    case "map":
      if (!isPlainObject(value)) return false;
      if (name === "patternProperties" && !Object.keys(value).every(isPattern)) return false;
      return Object.values(value).every(isNestedSchema);
    case undefined:
      return false;
  }
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns whether a value is a list of scalars without duplicates. */
function isSet(value: unknown): value is unknown[] {
  return (
    Array.isArray(value) &&
    value.every((each) => typeof each !== "object" || each === null) &&
    new Set(value).size === value.length
  );
}

function isTypeName(value: unknown): boolean {
  return isString(value) && Object.hasOwn(TYPES, value);
}

function isString(value: unknown): value is string {
  return typeof value === "string";
}

function isBoolean(value: unknown): value is boolean {
  return typeof value === "boolean";
}

function isNumber(value: unknown): value is number {
  return Number.isFinite(value);
}

function isPattern(value: unknown): boolean {
  if (!isString(value)) return false;
  try {
    return Boolean(new RegExp(value, "u"));
  } catch {
    return false;
  }
}
