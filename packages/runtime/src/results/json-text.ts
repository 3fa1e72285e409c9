import { base64, isBytes } from "../values/scalar-values.js";

/** Values nested deeper, or in themselves, are not looked through. */
const MOST_LEVELS = 64;

/**
 * JSON text of any value; what JSON has no form for is written in the form the compiler gives it.
 *
 * @throws TypeError when a value refers to itself
 * @example
 * jsonText({ tags: new Set(["a"]) }) // '{"tags":["a"]}'
 */
export function jsonText(value: unknown): string {
  // Looking through a value is many times cheaper than making another of it.
  return JSON.stringify(isPlain(value, MOST_LEVELS, false) ? value : writtenJson(value)) ?? "null";
}

/**
 * What is left of any value once it has been JSON: the value itself where it is made of nothing else.
 *
 * @param read what becomes of a value that is more than JSON, before it is written
 * @throws TypeError when a value refers to itself
 * @example
 * plainJson(new Set(["a"])) // ["a"]
 */
export function plainJson(value: unknown, read: (value: unknown) => unknown = asItIs): unknown {
  if (value === undefined) return null;
  return isPlain(value, MOST_LEVELS, true) ? value : (writtenJson(read(value)) ?? null);
}

function asItIs(value: unknown): unknown {
  return value;
}

/**
 * True for what `JSON.stringify` writes rightly by itself.
 *
 * @param isItself whether it has to be JSON already, but for members that are `undefined`: no `Date`, no function, and no
 *   member that is not enumerable
 */
function isPlain(value: unknown, levels: number, isItself: boolean): boolean {
  if (typeof value !== "object" || value === null) {
    return (
      typeof value !== "bigint" && !(isItself && (typeof value === "function" || typeof value === "symbol"))
    );
  }
  if (levels === 0) return false;
  if (Array.isArray(value)) {
    for (const item of value as unknown[]) if (!isPlain(item, levels - 1, isItself)) return false;
    return true;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return !isItself && value instanceof Date;
  if ("toJSON" in value) return false;
  let members = 0;
  for (const name in value) {
    if (!isPlain((value as Record<string, unknown>)[name], levels - 1, isItself)) return false;
    members++;
  }
  return !isItself || Object.getOwnPropertyNames(value).length === members;
}

/**
 * What JSON makes of any value, but for numbers that JSON does not have: `NaN`, of which it makes `null`, is no `null` for
 * the type that the value is held to.
 *
 * @throws TypeError when a value refers to itself
 * @example
 * writtenJson({ a: new Set([1, NaN]), b: undefined }) // { a: [1, NaN] }
 */
export function writtenJson(given: unknown, key = "", around = new Set<object>()): unknown {
  const value = inJson(given, key);
  if (typeof value === "function" || typeof value === "symbol") return undefined;
  if (typeof value !== "object" || value === null) return value;
  if (around.has(value)) throw new TypeError("A circular value, which is inside of itself, has no JSON.");
  around.add(value);
  const written = Array.isArray(value)
    ? Array.from(value, (item, index) => writtenJson(item, String(index), around) ?? null)
    : // `fromEntries` defines members, where assignment would let a member called `__proto__` set the prototype.
      Object.fromEntries(
        Object.entries(value)
          .map(([name, member]) => [name, writtenJson(member, name, around)] as const)
          .filter(([, member]) => member !== undefined),
      );
  around.delete(value);
  return written;
}

/** `Object(5)`, which JSON writes as 5. */
const BOXED = /^\[object (?:Number|String|Boolean)\]$/;

function inJson(given: unknown, key: string): unknown {
  // A `Buffer` would give a list of numbers.
  if (isBytes(given)) return base64(given);
  const { toJSON } = (typeof given === "object" && given !== null ? given : {}) as { toJSON?: unknown };
  const value: unknown = typeof toJSON === "function" ? toJSON.call(given, key) : given;
  if (value instanceof Set || value instanceof Map) return [...(value as Iterable<unknown>)];
  if (value instanceof RegExp) return value.source;
  if (BOXED.test(Object.prototype.toString.call(value))) return (value as object).valueOf();
  return typeof value === "bigint" ? value.toString() : value;
}
