/**
 * Models send `"5"` for a number and JSON text for an object. Where the schema leaves only one reading, it is
 * taken; everything else stays as it is, for the validator to refuse.
 *
 * `ARGUMENTS.md` of this package has the table. A number is never taken for a string, nor one choice of an enumeration
 * for another.
 * @module
 */
import {
  isTypeAllowed,
  type JsonSchema,
  type JsonTypeName,
  resolve,
  typeOf,
} from "../protocol/json-schema.js";
import { isObject, valuesLeft } from "../protocol/jsonrpc.js";
import { BIGINT_PATTERN } from "../manifest.js";
import { readDate } from "../values/read-date.js";
import { fitsAlternative, memoized } from "./fits-alternative.js";
import { declaredMember } from "./keywords/objects.js";
import { createScope } from "./keywords/table.js";
import { fits, type Scope } from "./search.js";

/** JSON inside strings may nest at most this deep, and hold at most this many values in one message. */
const TEXT_BOUNDS = { depth: 64, values: 100_000 };

/** One value is put into at most so many arrays. */
const MOST_WRAPS = 8;

/** What stays the same while one value is coerced. */
interface Coercion extends Scope {
  /** How many values may still come out of JSON inside strings. */
  left: number;
  /** How many arrays are being put around the value. */
  wraps: number;
}

/**
 * Returns `value` as the schema would have it, copying only what changes.
 *
 * @example
 * coerce({ type: "object", properties: { days: { type: "integer" } } }, { days: "5" }) // { days: 5 }
 */
export function coerce(schema: JsonSchema, value: unknown): unknown {
  return coerceBy(schema, value, { ...createScope(schema), left: TEXT_BOUNDS.values, wraps: 0 });
}

function coerceBy(schema: JsonSchema, value: unknown, coercion: Coercion): unknown {
  const resolved = resolve(schema, coercion.root);
  const { anyOf, oneOf } = resolved;
  const branches = anyOf ?? oneOf;
  if (branches === undefined) return coerceToTypes(resolved, value, coercion);
  return memoized(coercion, "coerced", value, branches, () => coerceToAlternative(branches, value, coercion));
}

/** The one alternative that fits after coercion; none when several differ. */
function coerceToAlternative(branches: readonly JsonSchema[], value: unknown, coercion: Coercion): unknown {
  if (branches.some((branch) => fitsAlternative(branch, value, coercion))) return value;
  const results = branches.flatMap((branch) => {
    const result = coerceBy(branch, value, coercion);
    return result !== value && fitsAlternative(branch, result, coercion) ? [result] : [];
  });
  const isOne = new Set(results.map((result) => JSON.stringify(result))).size === 1;
  return isOne ? results[0] : value;
}

/** By a schema without alternatives. */
function coerceToTypes(schema: JsonSchema, value: unknown, coercion: Coercion): unknown {
  const { type, enum: choices = schema.const === undefined ? undefined : [schema.const] } = schema;
  const types = type ?? choices?.map(typeOf);
  if (types === undefined || isTypeAllowed(typeOf(value), types)) {
    return typeof value === "string"
      ? coerceText(schema, value, types ?? "string", coercion)
      : coerceMembers(schema, value, coercion);
  }
  const fromText = typeof value === "string" ? parseText(value.trim(), types, coercion) : undefined;
  if (fromText !== undefined) return coerceMembers(schema, fromText, coercion);
  if (schema.pattern === BIGINT_PATTERN && Number.isSafeInteger(value)) return String(value);
  return isTypeAllowed("array", types) ? coerceToArray(schema, value, coercion) : value;
}

/** Text where there may be text. What is none of it may be that of another type: the `1` of `1 | "auto"`. */
function coerceText(
  schema: JsonSchema,
  value: string,
  types: JsonTypeName | readonly (JsonTypeName | undefined)[],
  coercion: Coercion,
): unknown {
  const text = readDate(schema.format, value);
  const others = [types].flat().filter((type) => type !== "string");
  if (others.length === 0 || fits(schema, text, coercion)) return text;
  const parsed = parseText(value.trim(), others, coercion);
  const other = parsed === undefined ? text : coerceMembers(schema, parsed, coercion);
  return fits(schema, other, coercion) ? other : text;
}

/** The JSON value of a text, if it is of one of the types; `undefined` if not. */
function parseText(
  text: string,
  types: JsonTypeName | readonly (JsonTypeName | undefined)[],
  coercion: Coercion,
): unknown {
  try {
    const value: unknown = JSON.parse(/^(?:true|false)$/i.test(text) ? text.toLowerCase() : text);
    if (!isTypeAllowed(typeOf(value), types)) return undefined;
    // Of a larger whole number, digits would be lost.
    if (Number.isInteger(value) && !Number.isSafeInteger(value)) return undefined;
    if (typeof value !== "object" || value === null) return value;
    // The container itself has to fit as well, but takes the place of its text.
    const left = valuesLeft(value, TEXT_BOUNDS.depth, coercion.left - 1);
    if (left < 0) return undefined;
    coercion.left = left + 1;
    return value;
  } catch {
    return undefined;
  }
}

function coerceMembers(schema: JsonSchema, value: unknown, coercion: Coercion): unknown {
  if (typeof value !== "object" || value === null) return value;
  const { prefixItems, items, additionalProperties } = schema;
  const isList = Array.isArray(value);
  const given = Object.entries(value);
  const members = given.flatMap(([name, member]: [string, unknown]): [string, unknown][] => {
    if (!isList && isAbsent(schema, name, member, coercion)) return [];
    const wanted = isList
      ? (prefixItems?.[Number(name)] ?? items)
      : (declaredMember(schema, name) ?? additionalProperties);
    return [[name, isObject(wanted) ? coerceBy(wanted, member, coercion) : member]];
  });
  const isChanged =
    members.length < given.length || members.some(([, each], index) => each !== given[index]?.[1]);
  if (!isChanged) return value;
  // `fromEntries` defines members, where assignment would let a member called `__proto__` set the prototype.
  return isList ? members.map(([, each]) => each) : Object.fromEntries(members);
}

/** A client in a strict mode has to send every member, so that `null` is all it has for one that it leaves out. */
function isAbsent(schema: JsonSchema, name: string, member: unknown, coercion: Coercion): boolean {
  if (member !== null) return false;
  const declared = declaredMember(schema, name);
  return (
    declared !== undefined && schema.required?.includes(name) !== true && !fits(declared, null, coercion)
  );
}

/** What begins like a list, or has what stands between items of one. */
const MAY_BE_LIST = /^\s*[[{]|[,;\n]/;

/** One item for an array of them, where it would do as the only item. */
function coerceToArray(schema: JsonSchema, value: unknown, coercion: Coercion): unknown {
  const { prefixItems, items } = schema;
  if (value === null || prefixItems !== undefined || !isObject(items)) return value;
  if (typeof value === "string" && MAY_BE_LIST.test(value)) return value;
  // A type may be an array of itself, and of that again.
  if (coercion.wraps === MOST_WRAPS) return value;
  coercion.wraps++;
  const list = [coerceBy(items, value, coercion)];
  coercion.wraps--;
  return fits(schema, list, coercion) ? list : value;
}
