/**
 * Models send `"5"` for a number and JSON text for an object. Where the schema leaves only one reading, it is
 * taken; everything else stays as it is, for the validator to refuse. `null` for an absent member and one item
 * for an array are taken only where the build's profile makes clients send them.
 * @module
 */
import type { FormatChecks } from "./formats.js";
import type { JsonSchema, JsonTypeName } from "./json-schema.js";
import { countValues, exceededBound, isObject } from "./jsonrpc.js";
import type { Input } from "./manifest.js";
import { isTypeAllowed, matches, resolve, type SchemaScope, typeOf } from "./schema-match.js";

/** JSON inside strings may nest at most this deep, and hold at most this many values in one message. */
const TEXT_BOUNDS = { depth: 64, values: 100_000 };

/** What the clients of a profile send for want of a better way. */
export type Allowances = NonNullable<Input["allows"]>;

/** What stays the same while one value is read. */
interface Reading {
  scope: SchemaScope;
  allows: Allowances;
  /** How many values may still come out of JSON inside strings. */
  text: { left: number };
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * Returns `value` as the schema would have it, copying only what changes.
 *
 * @example
 * readLeniently({ type: "object", properties: { days: { type: "integer" } } }, { days: "5" }, formats) // { days: 5 }
 */
export function readLeniently(
  schema: JsonSchema,
  value: unknown,
  formats: FormatChecks,
  allows: Allowances = {},
): unknown {
  return read(schema, value, {
    scope: { root: schema, formats },
    allows,
    text: { left: TEXT_BOUNDS.values },
  });
}

function read(schema: JsonSchema, value: unknown, reading: Reading): unknown {
  const resolved = resolve(schema, reading.scope.root);
  if (resolved === undefined) return value;
  const branches = resolved.anyOf ?? resolved.oneOf;
  if (branches !== undefined) return readBranch(branches, value, reading);
  const types = allowedTypes(resolved);
  if (types === undefined) return readMembers(resolved, value, reading);
  const type = typeOf(value);
  if (isTypeAllowed(type, types)) return readMembers(resolved, value, reading);
  const fromText = typeof value === "string" ? readText(value.trim(), types, reading) : undefined;
  if (fromText !== undefined) return readMembers(resolved, fromText.value, reading);
  const isSingle = reading.allows.singleForArray === true && types.includes("array") && value !== null;
  return isSingle ? readSingle(resolved, value, reading) : value;
}

/** The one alternative whose lenient reading fits; none when several differ. */
function readBranch(branches: readonly JsonSchema[], value: unknown, reading: Reading): unknown {
  const { scope } = reading;
  if (branches.some((branch) => matches(branch, value, scope))) return value;
  const readings = branches
    .map((branch) => ({ branch, result: read(branch, value, reading) }))
    .filter(({ branch, result }) => result !== value && matches(branch, result, scope));
  const [first] = readings;
  if (first === undefined) return value;
  const text = JSON.stringify(first.result);
  return readings.every(({ result }) => JSON.stringify(result) === text) ? first.result : value;
}

/** One item for an array of them, where it would do as the only item. */
function readSingle(schema: JsonSchema, value: unknown, reading: Reading): unknown {
  if (schema.prefixItems !== undefined || !isObject(schema.items)) return value;
  const items = [read(schema.items, value, reading)];
  return matches(schema, items, reading.scope) ? items : value;
}

/** What the schema lets a value be; `undefined` when it does not say. */
function allowedTypes(schema: JsonSchema): JsonTypeName[] | undefined {
  if (schema.type !== undefined) return Array.isArray(schema.type) ? schema.type : [schema.type];
  const constants = schema.enum ?? (Object.hasOwn(schema, "const") ? [schema.const] : undefined);
  if (constants === undefined) return undefined;
  return constants.map(typeOf).filter((type) => type !== undefined);
}

function readText(
  text: string,
  types: readonly JsonTypeName[],
  reading: Reading,
): { value: unknown } | undefined {
  if (types.includes("number") || types.includes("integer")) {
    const value = NUMBER.test(text) ? Number(text) : Number.NaN;
    const exact = Number.isInteger(value) ? Number.isSafeInteger(value) : types.includes("number");
    if (Number.isFinite(value) && exact) return { value };
  }
  if (types.includes("boolean")) {
    if (/^true$/i.test(text)) return { value: true };
    if (/^false$/i.test(text)) return { value: false };
  }
  if (types.includes("null") && text === "null") return { value: null };
  if (
    (types.includes("object") && text.startsWith("{")) ||
    (types.includes("array") && text.startsWith("["))
  ) {
    return readJson(text, reading);
  }
  return undefined;
}

function readJson(text: string, reading: Reading): { value: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const budget = reading.text;
    if (exceededBound(value, { depth: TEXT_BOUNDS.depth, values: budget.left }) !== undefined)
      return undefined;
    budget.left -= countValues(value);
    return { value };
  } catch {
    return undefined;
  }
}

function readMembers(schema: JsonSchema, value: unknown, reading: Reading): unknown {
  if (Array.isArray(value)) return readItems(schema, value, reading);
  if (isObject(value)) return readProperties(schema, value, reading);
  return value;
}

function readItems(schema: JsonSchema, value: unknown[], reading: Reading): unknown[] {
  let changed = false;
  const items = value.map((item, index) => {
    const itemSchema = schema.prefixItems?.[index] ?? schema.items;
    const result = isObject(itemSchema) ? read(itemSchema, item, reading) : item;
    changed ||= result !== item;
    return result;
  });
  return changed ? items : value;
}

function readProperties(
  schema: JsonSchema,
  value: Record<string, unknown>,
  reading: Reading,
): Record<string, unknown> {
  const { properties = {}, additionalProperties } = schema;
  const members: [string, unknown][] = [];
  let changed = false;
  for (const [name, member] of Object.entries(value)) {
    const memberSchema = Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
    if (member === null && standsForAbsent(schema, name, reading)) {
      changed = true;
      continue;
    }
    const result = isObject(memberSchema) ? read(memberSchema, member, reading) : member;
    changed ||= result !== member;
    members.push([name, result]);
  }
  // `fromEntries` defines members, where assignment would let a member called `__proto__` set the prototype.
  return changed ? Object.fromEntries(members) : value;
}

/** A strict client has to send every member; `null` where the type knows none is one that it leaves out. */
function standsForAbsent(schema: JsonSchema, name: string, { scope, allows }: Reading): boolean {
  if (allows.nullForAbsent !== true || schema.required?.includes(name) === true) return false;
  const member = Object.hasOwn(schema.properties ?? {}, name) ? schema.properties?.[name] : undefined;
  return member !== undefined && !matches(member, null, scope);
}
