/**
 * Models send `"5"` for a number and JSON text for an object. Where the schema leaves only one reading, it is
 * taken; everything else stays as it is, for the validator to refuse.
 * @module
 */
import type { JsonSchema, JsonTypeName } from "./json-schema.js";
import { isDeeperThan, isObject } from "./jsonrpc.js";
import { isTypeAllowed, matches, resolve, typeOf } from "./schema-match.js";

/** JSON inside a string may nest at most this deep. */
const TEXT_DEPTH = 64;

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * Returns `value` as the schema would have it, copying only what changes.
 *
 * @example
 * readLeniently({ type: "object", properties: { days: { type: "integer" } } }, { days: "5" }) // { days: 5 }
 */
export function readLeniently(schema: JsonSchema, value: unknown, root: JsonSchema = schema): unknown {
  const resolved = resolve(schema, root);
  if (resolved === undefined) return value;
  const branches = resolved.anyOf ?? resolved.oneOf;
  if (branches !== undefined) return readBranch(branches, value, root);
  const types = allowedTypes(resolved);
  if (types === undefined) return readMembers(resolved, value, root);
  const type = typeOf(value);
  if (isTypeAllowed(type, types)) return readMembers(resolved, value, root);
  if (typeof value !== "string") return value;
  const read = readText(value.trim(), types);
  return read === undefined ? value : readMembers(resolved, read.value, root);
}

/** The one alternative whose lenient reading fits; none when several differ. */
function readBranch(branches: readonly JsonSchema[], value: unknown, root: JsonSchema): unknown {
  if (branches.some((branch) => matches(branch, value, root))) return value;
  const readings = branches
    .map((branch) => ({ branch, reading: readLeniently(branch, value, root) }))
    .filter(({ branch, reading }) => reading !== value && matches(branch, reading, root));
  const [first] = readings;
  if (first === undefined) return value;
  const text = JSON.stringify(first.reading);
  return readings.every(({ reading }) => JSON.stringify(reading) === text) ? first.reading : value;
}

/** What the schema lets a value be; `undefined` when it does not say. */
function allowedTypes(schema: JsonSchema): JsonTypeName[] | undefined {
  if (schema.type !== undefined) return Array.isArray(schema.type) ? schema.type : [schema.type];
  const constants = schema.enum ?? (Object.hasOwn(schema, "const") ? [schema.const] : undefined);
  if (constants === undefined) return undefined;
  return constants.map(typeOf).filter((type) => type !== undefined);
}

function readText(text: string, types: readonly JsonTypeName[]): { value: unknown } | undefined {
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
    return readJson(text);
  }
  return undefined;
}

function readJson(text: string): { value: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isDeeperThan(value, TEXT_DEPTH) ? undefined : { value };
  } catch {
    return undefined;
  }
}

function readMembers(schema: JsonSchema, value: unknown, root: JsonSchema): unknown {
  if (Array.isArray(value)) return readItems(schema, value, root);
  if (isObject(value)) return readProperties(schema, value, root);
  return value;
}

function readItems(schema: JsonSchema, value: unknown[], root: JsonSchema): unknown[] {
  let changed = false;
  const items = value.map((item, index) => {
    const itemSchema = schema.prefixItems?.[index] ?? schema.items;
    const reading = isObject(itemSchema) ? readLeniently(itemSchema, item, root) : item;
    changed ||= reading !== item;
    return reading;
  });
  return changed ? items : value;
}

function readProperties(
  schema: JsonSchema,
  value: Record<string, unknown>,
  root: JsonSchema,
): Record<string, unknown> {
  const { properties = {}, additionalProperties } = schema;
  const changes: [string, unknown][] = [];
  for (const [name, member] of Object.entries(value)) {
    const memberSchema = Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
    if (!isObject(memberSchema)) continue;
    const reading = readLeniently(memberSchema, member, root);
    if (reading !== member) changes.push([name, reading]);
  }
  if (changes.length === 0) return value;
  // `fromEntries` defines members, where assignment would let a member called `__proto__` set the prototype.
  return Object.fromEntries([...Object.entries(value), ...changes]);
}
