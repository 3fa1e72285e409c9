/**
 * Finds values whose content JSON would silently lose or change.
 * @module
 */
import { joinPath } from "../explanations/paths.js";
import { isScalarValue } from "../conversion/scalar-values.js";
import { OutputError, type RejectOutput } from "./output-check.js";

/**
 * Describes a value whose content JSON loses, such as an `Error`, which becomes `{}`.
 *
 * @returns undefined for a value that JSON or `toWrittenJson` represents
 * @example
 * describeLost(NaN) // "NaN"
 * describeLost(Promise.resolve()) // "a Promise"
 */
export function describeLost(value: unknown): string | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? undefined : String(value);
  if (typeof value === "function" || typeof value === "symbol") return `a ${typeof value}`;
  if (typeof value !== "object" || value === null) return undefined;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "an invalid Date" : undefined;
  const kind = getKind(value);
  const isError = kind === "Error" || value instanceof Error;
  if (/^(?:Object|Array|Arguments)$/.test(kind) || isConverted(value) || isBoxed(value)) return undefined;
  // An author's class may have its own tag, and members that JSON writes.
  const hasMembers = !isError && !ArrayBuffer.isView(value) && Object.keys(value).length > 0;
  return hasMembers ? undefined : describeKind(value, kind);
}

/** Describes a value that JSON would lose, or represent as a value of another kind, such as a `Date`. */
export function describeChanged(value: unknown): string | undefined {
  if (typeof value === "bigint") return "a bigint";
  if (Array.isArray(value)) {
    if (value.includes(undefined)) return "an array with `undefined`";
    // Such as the match of a regular expression, which has `groups`.
    if (Object.keys(value).length > value.length) return "an array with members that JSON omits";
  }
  const isChanged = typeof value === "object" && value !== null && isConverted(value);
  if (isChanged) return describeLost(value) ?? describeKind(value, "object with a `toJSON` method");
  return describeLost(value) ?? (isInstance(value) ? describeKind(value, "instance of a class") : undefined);
}

/** Returns whether a value is an instance of a class with methods or accessors, which JSON omits. */
function isInstance(value: unknown): value is object {
  if (typeof value !== "object" || value === null || Array.isArray(value) || isBoxed(value)) return false;
  let prototype = Object.getPrototypeOf(value) as object | null;
  while (prototype !== null) {
    const next = Object.getPrototypeOf(prototype) as object | null;
    // The last prototype is that of all objects.
    if (next !== null && Object.getOwnPropertyNames(prototype).some((name) => name !== "constructor"))
      return true;
    prototype = next;
  }
  return false;
}

/** Returns whether a value is a boxed primitive, such as `Object(5)`, which JSON writes as 5. */
export function isBoxed(value: unknown): value is object {
  return typeof value === "object" && /^(?:Number|String|Boolean)$/.test(getKind(value));
}

/** Returns whether JSON represents an object in another form, without loss. */
export function isConverted(value: object): boolean {
  const { toJSON } = value as { toJSON?: unknown };
  return isScalarValue(value) || value instanceof Map || value instanceof Set || typeof toJSON === "function";
}

/** Returns what JavaScript calls the kind of an object: `Error` for every error, and `Object` for most classes. */
function getKind(value: unknown): string {
  return Object.prototype.toString.call(value).slice("[object ".length, -1);
}

/** Returns the name of an object's class, with its article. */
function describeKind(value: object, otherwise: string): string {
  const { constructor } = value as { constructor?: unknown };
  const name = typeof constructor === "function" && constructor !== Object ? constructor.name : "";
  const kind = name === "" ? otherwise : name;
  // The classes of the platform that begin with a U, such as `URL`, begin with the sound of a consonant.
  return `${/^[AEIO]/i.test(kind) ? "an" : "a"} ${kind}`;
}

/**
 * Finds the first part of a value that has a description.
 *
 * @param areMethodsParts false for results of tools: JSON omits methods of objects, and so do declared types
 * @returns the description and the path of the part, such as "`items[0].price` is NaN"; undefined if no part has one
 */
export function findPart(
  value: unknown,
  describe: (part: unknown) => string | undefined,
  areMethodsParts = false,
): string | undefined {
  const ancestors = new Set<object>();
  const find = (part: unknown, steps: readonly (string | number)[]): string | undefined => {
    const kind = describe(part);
    if (kind !== undefined) return steps.length === 0 ? `it is ${kind}` : `\`${joinPath(steps)}\` is ${kind}`;
    if (typeof part !== "object" || part === null) return undefined;
    if (ancestors.has(part)) return `\`${joinPath(steps)}\` refers to a value that contains it`;
    ancestors.add(part);
    for (const [name, member] of Object.entries(part)) {
      if (typeof member === "function" && !Array.isArray(part) && !areMethodsParts) continue;
      const found = find(member, [...steps, name]);
      if (found !== undefined) return found;
    }
    ancestors.delete(part);
    return undefined;
  };
  return find(value, []);
}

/**
 * Rejects data with a part whose content JSON would lose.
 *
 * @param json the data after its conversion to JSON
 */
export function checkNothingLost(json: unknown, reject: RejectOutput): void {
  const lost = findPart(json, describeLost);
  if (lost === undefined) return;
  const remedy = lost.endsWith(" a Promise") ? "Await it." : "Return a JSON value instead, or omit it.";
  reject(new OutputError(`The returned value cannot be written as JSON: ${lost}. ${remedy}`));
}
