import { encodeBase64, isBytes } from "../conversion/scalar-values.js";
import { describeLost, isBoxed } from "./lost-values.js";
import { OutputError } from "./output-check.js";

/** Maximum depth to which a value is checked. Deeper and circular values are written step by step. */
const MAX_LEVELS = 64;

/**
 * Returns any value as JSON would represent it: the same value if it is already JSON. Parts whose content JSON would
 * lose are unchanged: see `checkNothingLost`.
 *
 * @param read converts a value that is not JSON before it is written
 * @throws OutputError if a value refers to itself
 * @example
 * toPlainJson(new Set(["a"])) // ["a"]
 */
export function toPlainJson(value: unknown, read: (value: unknown) => unknown = identity): unknown {
  if (value === undefined) return null;
  // Checking a value is many times faster than copying it.
  return isPlain(value, MAX_LEVELS) ? value : (toWrittenJson(read(value)) ?? null);
}

function identity(value: unknown): unknown {
  return value;
}

/** Returns whether a value is JSON already, except for members that are `undefined` and numbers that JSON cannot represent. */
function isPlain(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null)
    return typeof value !== "bigint" && typeof value !== "function" && typeof value !== "symbol";
  if (levels === 0) return false;
  if (Array.isArray(value)) {
    for (const item of value as unknown[]) if (!isPlain(item, levels - 1)) return false;
    return true;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if ((prototype !== Object.prototype && prototype !== null) || "toJSON" in value) return false;
  let members = 0;
  for (const name in value) {
    if (!isPlain((value as Record<string, unknown>)[name], levels - 1)) return false;
    members++;
  }
  return Object.getOwnPropertyNames(value).length === members;
}

/**
 * Returns any value as JSON would represent it, except for parts whose content JSON would lose: `NaN` stays `NaN` instead
 * of `null`, and a `Promise` stays one instead of `{}`, so that validation rejects it.
 *
 * @throws OutputError if a value refers to itself
 * @example
 * toWrittenJson({ a: new Set([1, NaN]), b: undefined }) // { a: [1, NaN] }
 */
export function toWrittenJson(given: unknown, key = "", ancestors = new Set<object>()): unknown {
  const value = toJsonValue(given, key);
  if (typeof value !== "object" || value === null || describeLost(value) !== undefined) return value;
  if (ancestors.has(value))
    throw new OutputError(
      `A circular value cannot be written as JSON: ${key === "" ? "it" : `\`${key}\``} refers to a value that contains it.`,
    );
  ancestors.add(value);
  const written = Array.isArray(value)
    ? Array.from(value, (item, index) => toWrittenJson(item, String(index), ancestors) ?? null)
    : // Assignment would let a member named `__proto__` set the prototype; `fromEntries` defines the member.
      Object.fromEntries(
        Object.entries(value)
          .map(([name, member]) => [name, toWrittenJson(member, name, ancestors)] as const)
          .filter(([, member]) => member !== undefined && typeof member !== "function"),
      );
  ancestors.delete(value);
  return written;
}

function toJsonValue(given: unknown, key: string): unknown {
  // `toJSON` of a `Buffer` would return a list of numbers.
  if (isBytes(given)) return encodeBase64(given);
  const { toJSON } = (typeof given === "object" && given !== null ? given : {}) as { toJSON?: unknown };
  const isInvalidDate = given instanceof Date && Number.isNaN(given.getTime());
  const value: unknown = typeof toJSON === "function" && !isInvalidDate ? toJSON.call(given, key) : given;
  if (value instanceof Set || value instanceof Map) return [...(value as Iterable<unknown>)];
  if (value instanceof RegExp) return value.source;
  if (isBoxed(value)) return value.valueOf();
  return typeof value === "bigint" ? value.toString() : value;
}
