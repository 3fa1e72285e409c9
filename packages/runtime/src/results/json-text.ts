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
  // Looking through a value is many times cheaper than a function called for each of its parts.
  const text = isPlain(value, MOST_LEVELS, false) ? JSON.stringify(value) : JSON.stringify(value, richer);
  return text ?? "null";
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
  return value !== undefined && isPlain(value, MOST_LEVELS, true) ? value : JSON.parse(jsonText(read(value)));
}

function asItIs(value: unknown): unknown {
  return value;
}

/**
 * True for what `JSON.stringify` writes rightly by itself.
 *
 * @param isItself whether it has to be JSON already, but for members that are `undefined`: no `Date`, no function
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
  for (const name in value) {
    if (!isPlain((value as Record<string, unknown>)[name], levels - 1, isItself)) return false;
  }
  return true;
}

function richer(this: unknown, key: string, value: unknown): unknown {
  // A `Buffer` has been asked for its JSON already, which is a list of numbers.
  const given = (this as Record<string, unknown>)[key];
  if (isBytes(given)) return base64(given);
  if (value instanceof Set || value instanceof Map) return [...(value as Iterable<unknown>)];
  if (value instanceof RegExp) return value.source;
  return typeof value === "bigint" ? value.toString() : value;
}
