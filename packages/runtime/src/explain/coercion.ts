/**
 * Models send `"5"` for a number and JSON text for an object. Where the schema leaves only one reading, it is
 * taken; everything else stays as it is, for the validator to refuse.
 * @module
 */
import { isTypeAllowed, type JsonSchema, type JsonTypeName, typeOf } from "../protocol/json-schema.js";
import { isObject, valuesLeft } from "../protocol/jsonrpc.js";
import type { Input } from "../manifest.js";
import { declaredMember } from "./plain-keywords.js";
import { fits } from "./problems.js";
import type { Reading, Vocabulary } from "./vocabulary.js";

/** JSON inside strings may nest at most this deep, and hold at most this many values in one message. */
const TEXT_BOUNDS = { depth: 64, values: 100_000 };

/**
 * Returns `value` as the schema would have it, copying only what changes.
 *
 * @param allows what the clients of the build's profile send for want of a better way
 * @example
 * readLeniently({ type: "object", properties: { days: { type: "integer" } } }, { days: "5" }, vocabulary) // { days: 5 }
 */
export function readLeniently(
  schema: JsonSchema,
  value: unknown,
  vocabulary: Vocabulary,
  allows?: Input["allows"],
): unknown {
  return vocabulary.read(schema, value, { root: schema, vocabulary, allows, left: TEXT_BOUNDS.values });
}

/** Reads by a schema without alternatives. */
export function read(schema: JsonSchema, value: unknown, reading: Reading): unknown {
  const types = schema.type ?? schema.enum?.map(typeOf);
  if (types === undefined || isTypeAllowed(typeOf(value), types)) return readMembers(schema, value, reading);
  const fromText = typeof value === "string" ? readText(value.trim(), types, reading) : undefined;
  if (fromText !== undefined) return readMembers(schema, fromText, reading);
  const { allowances } = reading.vocabulary;
  return allowances && isTypeAllowed("array", types) ? allowances.asArray(schema, value, reading) : value;
}

/** What the text of a JSON value stands for, if it is of one of the types; `undefined` if not. */
function readText(
  text: string,
  types: JsonTypeName | readonly (JsonTypeName | undefined)[],
  reading: Reading,
): unknown {
  try {
    const value: unknown = JSON.parse(/^(?:true|false)$/i.test(text) ? text.toLowerCase() : text);
    if (!isTypeAllowed(typeOf(value), types)) return undefined;
    // Of a larger whole number, digits would be lost.
    if (Number.isInteger(value) && !Number.isSafeInteger(value)) return undefined;
    if (typeof value !== "object" || value === null) return value;
    // The container itself has to fit as well, but takes the place of its text.
    const left = valuesLeft(value, TEXT_BOUNDS.depth, reading.left - 1);
    if (left < 0) return undefined;
    reading.left = left + 1;
    return value;
  } catch {
    return undefined;
  }
}

function readMembers(schema: JsonSchema, value: unknown, reading: Reading): unknown {
  if (typeof value !== "object" || value === null) return value;
  const { prefixItems, items, additionalProperties } = schema;
  const { vocabulary } = reading;
  const isList = Array.isArray(value);
  const given = Object.entries(value);
  const members = given.flatMap(([name, member]: [string, unknown]): [string, unknown][] => {
    if (!isList && vocabulary.allowances?.isAbsent(schema, name, member, reading) === true) return [];
    const wanted = isList
      ? (prefixItems?.[Number(name)] ?? items)
      : (declaredMember(schema, name) ?? additionalProperties);
    return [[name, isObject(wanted) ? vocabulary.read(wanted, member, reading) : member]];
  });
  const isChanged =
    members.length < given.length || members.some(([, each], index) => each !== given[index]?.[1]);
  if (!isChanged) return value;
  // `fromEntries` defines members, where assignment would let a member called `__proto__` set the prototype.
  return isList ? members.map(([, each]) => each) : Object.fromEntries(members);
}

/** One value stands for arrays nested this deep at most. */
const MOST_WRAPS = 8;

/** A strict client has to send every member; `null` where the type knows none is one that it leaves out. */
function isAbsent(schema: JsonSchema, name: string, member: unknown, reading: Reading): boolean {
  if (member !== null || reading.allows?.nullForAbsent !== true) return false;
  const declared = declaredMember(schema, name);
  return declared !== undefined && schema.required?.includes(name) !== true && !fits(declared, null, reading);
}

/** One item for an array of them, where it would do as the only item. */
function asArray(schema: JsonSchema, value: unknown, reading: Reading): unknown {
  const { prefixItems, items } = schema;
  const isMeant = reading.allows?.singleForArray === true && value !== null && prefixItems === undefined;
  if (!isMeant || !isObject(items)) return value;
  // A type may be an array of itself, and of that again.
  const { wraps = 0 } = reading;
  if (wraps === MOST_WRAPS) return value;
  reading.wraps = wraps + 1;
  const list = [reading.vocabulary.read(items, value, reading)];
  reading.wraps = wraps;
  return fits(schema, list, reading) ? list : value;
}

/** Inputs listed for clients that cannot send all that the schema wants. */
export const allowances = { isAbsent, asArray };
