/**
 * Comparison and measurement of JSON values as JSON Schema defines them.
 * @module
 */

/**
 * Returns whether two JSON values are equal. The order of items matters; that of members does not.
 *
 * @see https://json-schema.org/draft/2020-12/json-schema-core#name-instance-equality
 */
export function equal(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) return false;
  if (Array.isArray(left) || Array.isArray(right)) {
    if (!Array.isArray(left) || !Array.isArray(right) || left.length !== right.length) return false;
    return left.every((item, index) => equal(item, right[index]));
  }
  const names = Object.keys(left);
  if (names.length !== Object.keys(right).length) return false;
  return names.every(
    (name) =>
      Object.hasOwn(right, name) &&
      equal((left as Record<string, unknown>)[name], (right as Record<string, unknown>)[name]),
  );
}

/**
 * Returns whether no two items are equal. Takes time proportional to their total size. Comparing each item with all others
 * would let a long list block the server.
 */
export function uniqueItems(items: readonly unknown[]): boolean {
  const seen = new Set<string>();
  for (const item of items) {
    const text = toCanonicalText(item);
    if (seen.has(text)) return false;
    seen.add(text);
  }
  return true;
}

/** Returns a string that is the same for equal JSON values. */
function toCanonicalText(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  if (Array.isArray(value)) return `[${value.map((item) => toCanonicalText(item)).join(",")}]`;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, item]) => `${JSON.stringify(name)}:${toCanonicalText(item)}`).join(",")}}`;
}

/**
 * Returns the length of a string in characters, as JSON Schema counts them: a surrogate pair is one character.
 *
 * @example
 * ucs2length("🙂") // 1
 */
export function ucs2length(text: string): number {
  let length = text.length;
  for (let index = 1; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 0xdc00 || code > 0xdfff) continue;
    const before = text.charCodeAt(index - 1);
    if (before >= 0xd800 && before <= 0xdbff) {
      length--;
      index++;
    }
  }
  return length;
}

/**
 * Returns whether a number is a multiple of another, according to their decimal digits: 19.99 is a multiple of 0.01,
 * although the quotient of these floating-point numbers is not whole.
 *
 * @param factor greater than 0
 * @example
 * isMultiple(19.99, 0.01) // true
 * @see https://json-schema.org/draft/2020-12/json-schema-validation#name-multipleof
 */
export function isMultiple(value: number, factor: number): boolean {
  // The remainder of whole numbers is exact.
  if (Number.isInteger(value) && Number.isInteger(factor)) return value % factor === 0;
  const [digits, exponent] = toDecimal(value);
  const [factorDigits, factorExponent] = toDecimal(factor);
  const scale = Math.min(exponent, factorExponent);
  const toWhole = (of: bigint, from: number): bigint => of * 10n ** BigInt(from - scale);
  return toWhole(digits, exponent) % toWhole(factorDigits, factorExponent) === 0n;
}

/** Returns the digits of a finite number, and the power of ten by which they are multiplied. */
function toDecimal(value: number): [digits: bigint, exponent: number] {
  const [mantissa = "", exponent = "0"] = String(value).split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  return [BigInt(whole + fraction), Number(exponent) - fraction.length];
}
