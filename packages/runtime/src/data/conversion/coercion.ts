/**
 * Coercion of arguments. Models send `"5"` for a number and JSON text for an object. If the schema allows exactly one
 * interpretation, that interpretation is used. Everything else stays unchanged, and the validator rejects it.
 *
 * The documentation lists all coercions (`reference/argument-coercion`). A number becomes a string only for a `bigint`
 * or a choice with exactly these digits, and one choice of an enumeration never becomes another.
 * @module
 */
import {
  getConstants,
  isTypeAllowed,
  type JsonSchema,
  type JsonTypeName,
  resolve,
  getJsonType,
} from "../../protocol/json-schema.js";
import { isObject, countRemainingValues } from "../../protocol/jsonrpc.js";
import { BIGINT_PATTERN } from "../../manifest.js";
import { TEXT_BOUNDS } from "./json-in-text.js";
import { readDate } from "./read-date.js";
import { readUrl } from "./read-url.js";
import { fitsAlternative, memoize } from "../problems/fits-alternative.js";
import { getDeclaredMember, findMemberSchemas } from "../problems/member-schemas.js";
import { createScope } from "../problems/keywords/table.js";
import { fits, type Scope } from "../problems/search.js";
import { toWellFormedJson } from "../../protocol/well-formed.js";

/** Maximum number of arrays in which one value is wrapped. */
const MAX_WRAPS = 8;

/** State shared by all steps of coercing one value. */
interface Coercion extends Scope {
  /** Number of values that may still come from JSON inside strings. */
  left: number;
  /** Number of arrays currently being wrapped around the value. */
  wraps: number;
}

/**
 * Coerces `value` to the schema. Copies only what changes.
 *
 * @param countComparison see `Scope`
 * @example
 * coerce({ type: "object", properties: { days: { type: "integer" } } }, { days: "5" }) // { days: 5 }
 */
export function coerce(schema: JsonSchema, value: unknown, countComparison?: () => void): unknown {
  const scope = createScope(schema, undefined, false, countComparison);
  return coerceBy(schema, value, { ...scope, left: TEXT_BOUNDS.maxValues, wraps: 0 });
}

function coerceBy(schema: JsonSchema, value: unknown, coercion: Coercion): unknown {
  const resolved = resolve(schema, coercion.root);
  const { anyOf, oneOf } = resolved;
  const branches = anyOf ?? oneOf;
  if (branches === undefined) return coerceToTypes(resolved, value, coercion);
  return memoize(coercion, "coerced", value, branches, () => coerceToAlternative(branches, value, coercion));
}

/**
 * Returns the only result that fits an alternative after coercion; for an object, the only one that is not inside a
 * list, if there is one. Returns the value unchanged if it already fits, or if there are several different
 * results. If there are none, coerces the parts that only one alternative changes, so that they are not reported.
 */
function coerceToAlternative(branches: readonly JsonSchema[], value: unknown, coercion: Coercion): unknown {
  const fitsAny = (given: unknown): boolean =>
    branches.some((branch) => fitsAlternative(branch, given, coercion));
  if (fitsAny(value)) return value;
  const [fitting, wrapped, unfit]: [unknown[], unknown[], unknown[]] = [[], [], []];
  for (const branch of branches) {
    const result = coerceBy(branch, value, coercion);
    if (result === value || isMeantAlone(branches, value, result, coercion)) continue;
    const isWrapped = isObject(value) && Array.isArray(result);
    if (fitsAlternative(branch, result, coercion)) (isWrapped ? wrapped : fitting).push(result);
    else if (!isWrapped && typeof result === typeof value && !fitsAny(result)) unfit.push(result);
  }
  const results = [fitting, wrapped, unfit].find((each) => each.length > 0) ?? [value];
  return new Set(results.map((result) => JSON.stringify(result))).size === 1 ? results[0] : value;
}

/**
 * Returns whether a value that became a list has the type of another alternative, so that the value alone was meant. A
 * number that is too large for one number is not a list of numbers.
 */
function isMeantAlone(
  branches: readonly JsonSchema[],
  value: unknown,
  result: unknown,
  { root }: Coercion,
): boolean {
  if (!Array.isArray(result) || typeof value === "object" || mayBeList(value)) return false;
  const itemType = getJsonType((result as unknown[]).flat(MAX_WRAPS)[0]);
  return branches.some((branch) => {
    const { type = [], enum: choices, const: choice = choices } = resolve(branch, root);
    return choice === undefined && isTypeAllowed(itemType, type);
  });
}

/** Coerces a value to a schema without alternatives. */
function coerceToTypes(schema: JsonSchema, value: unknown, coercion: Coercion): unknown {
  const { type } = schema;
  const choices = getConstants(schema);
  const types = type ?? choices?.map(getJsonType);
  if (types === undefined || isTypeAllowed(getJsonType(value), types)) {
    return typeof value === "string"
      ? coerceText(schema, value, types ?? "string", coercion)
      : coerceMembers(schema, value, coercion);
  }
  const fromText = typeof value === "string" ? parseText(value.trim(), types, coercion) : undefined;
  if (fromText !== undefined) return coerceMembers(schema, fromText, coercion);
  // Unsafe integers have lost digits, and fractions their trailing zeros, so their original text is unknown.
  if (Number.isSafeInteger(value) && (choices?.includes(String(value)) ?? schema.pattern === BIGINT_PATTERN))
    return String(value);
  return isTypeAllowed("array", types) ? coerceToArray(schema, value, coercion) : value;
}

/**
 * Coerces text if the schema allows text. Text that does not fit may be meant as another type, such as `"1"` for `1 |
 * "auto"`.
 */
function coerceText(
  schema: JsonSchema,
  value: string,
  types: JsonTypeName | readonly (JsonTypeName | undefined)[],
  coercion: Coercion,
): unknown {
  const text = readUrl(schema.format, readDate(schema.format, value));
  const others = [types].flat().filter((type) => type !== "string");
  if (others.length === 0 || fits(schema, text, coercion)) return text;
  const parsed = parseText(value.trim(), others, coercion);
  const other = parsed === undefined ? text : coerceMembers(schema, parsed, coercion);
  return fits(schema, other, coercion) ? other : text;
}

/** Returns the JSON value of a string if it is of one of the types; otherwise `undefined`. */
function parseText(
  text: string,
  types: JsonTypeName | readonly (JsonTypeName | undefined)[],
  coercion: Coercion,
): unknown {
  try {
    const value: unknown = JSON.parse(
      /^(?:true|false)$/i.test(text) ? text.toLowerCase() : toWellFormedJson(text),
    );
    if (!isTypeAllowed(getJsonType(value), types)) return undefined;
    // A larger integer would lose digits.
    if (Number.isInteger(value) && !Number.isSafeInteger(value)) return undefined;
    if (typeof value !== "object" || value === null) return value;
    // The container must fit the limit as well, but it replaces its text, so it is not counted.
    const left = countRemainingValues(value, TEXT_BOUNDS.maxDepth, coercion.left - 1);
    if (left < 0) return undefined;
    coercion.left = left + 1;
    return value;
  } catch {
    return undefined;
  }
}

function coerceMembers(schema: JsonSchema, value: unknown, coercion: Coercion): unknown {
  if (typeof value !== "object" || value === null) return value;
  const { prefixItems, items } = schema;
  const isList = Array.isArray(value);
  const given = Object.entries(value);
  const members = given.flatMap(([name, member]: [string, unknown]): [string, unknown][] => {
    if (!isList && isAbsent(schema, name, member, coercion)) return [];
    const wanted = isList ? (prefixItems?.[Number(name)] ?? items) : findMemberSchemas(schema, name)[0];
    return [[name, isObject(wanted) ? coerceBy(wanted, member, coercion) : member]];
  });
  const isChanged =
    members.length < given.length || members.some(([, each], index) => each !== given[index]?.[1]);
  if (!isChanged) return value;
  // Assignment would let a member named `__proto__` set the prototype; `fromEntries` defines the member.
  return isList ? members.map(([, each]) => each) : Object.fromEntries(members);
}

/** Returns whether a `null` means an omitted member. In strict mode, models must send every member. */
function isAbsent(schema: JsonSchema, name: string, member: unknown, coercion: Coercion): boolean {
  if (member !== null) return false;
  const declared = getDeclaredMember(schema, name);
  return (
    declared !== undefined && schema.required?.includes(name) !== true && !fits(declared, null, coercion)
  );
}

/** Matches text that is empty, starts like a list or an object, or contains a separator of list items. */
const MAY_BE_LIST = /^\s*(?:[[{]|$)|[,;\n]/;

function mayBeList(value: unknown): boolean {
  return typeof value === "string" && MAY_BE_LIST.test(value);
}

/** Coerces a single item to an array, if the array then fits the schema. */
function coerceToArray(schema: JsonSchema, value: unknown, coercion: Coercion): unknown {
  const { prefixItems, items } = schema;
  // Any value could be an item of a list of `unknown`, so nothing shows that a list was meant.
  const isTyped = isObject(items) && Object.keys(items).length > 0;
  if (value === null || prefixItems !== undefined || !isTyped) return value;
  if (mayBeList(value)) return value;
  // A type may be an array of itself, to any depth.
  if (coercion.wraps === MAX_WRAPS) return value;
  coercion.wraps++;
  const list = [coerceBy(items, value, coercion)];
  coercion.wraps--;
  return fits(schema, list, coercion) ? list : value;
}
