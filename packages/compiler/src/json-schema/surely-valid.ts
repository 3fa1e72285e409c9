import type { JsonSchema, JsonTypeName } from "@tenon/runtime/manifest";
import { keyword, type KeywordData } from "./keywords.js";

const TYPES: Record<JsonTypeName, true> = {
  null: true,
  boolean: true,
  integer: true,
  number: true,
  string: true,
  array: true,
  object: true,
};

/** What keywords of each kind may hold. */
const DATA: Record<KeywordData, (value: unknown, root: JsonSchema) => boolean> = {
  text: isText,
  pattern: isPattern,
  flag: isFlag,
  number: isNumber,
  positive: (value) => isNumber(value) && value > 0,
  count: (value) => Number.isSafeInteger(value) && (value as number) >= 0,
  type: (value) => isTypeName(value) || (isSet(value) && value.length > 0 && value.every(isTypeName)),
  names: (value) => isSet(value) && value.every(isText),
  choices: (value) => isSet(value) && value.length > 0,
  list: (value) => Array.isArray(value),
  anything: (value) => value !== undefined,
  definition: (value, { $defs = {} }) =>
    isText(value) && value.startsWith("#/$defs/") && Object.hasOwn($defs, value.slice("#/$defs/".length)),
};

/**
 * True for schemas that are valid beyond doubt, which all are that the compiler derives: it takes a microsecond for
 * each, where loading ajv and the meta-schema takes 110 ms. False for those that ajv has to look at.
 */
export function isSurelyValid(root: JsonSchema): boolean {
  return isSurelySchema(root, root);
}

function isSurelySchema(schema: unknown, root: JsonSchema): boolean {
  if (isFlag(schema)) return true;
  return isPlainObject(schema) && Object.entries(schema).every(([name, value]) => holds(name, value, root));
}

function holds(name: string, value: unknown, root: JsonSchema): boolean {
  const known = keyword(name);
  if (known?.data !== undefined) return DATA[known.data](value, root);
  const isInside = (each: unknown): boolean => isSurelySchema(each, root);
  switch (known?.holds) {
    case "schema":
      return isInside(value);
    case "list":
      return Array.isArray(value) && value.length > 0 && value.every(isInside);
    case "map":
      if (!isPlainObject(value)) return false;
      if (name === "patternProperties" && !Object.keys(value).every(isPattern)) return false;
      return Object.values(value).every(isInside);
    case undefined:
      return false;
  }
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Scalars, none of them twice. */
function isSet(value: unknown): value is unknown[] {
  return (
    Array.isArray(value) &&
    value.every((each) => typeof each !== "object" || each === null) &&
    new Set(value).size === value.length
  );
}

function isTypeName(value: unknown): boolean {
  return isText(value) && Object.hasOwn(TYPES, value);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isFlag(value: unknown): value is boolean {
  return typeof value === "boolean";
}

function isNumber(value: unknown): value is number {
  return Number.isFinite(value);
}

function isPattern(value: unknown): boolean {
  if (!isText(value)) return false;
  try {
    return Boolean(new RegExp(value, "u"));
  } catch {
    return false;
  }
}
