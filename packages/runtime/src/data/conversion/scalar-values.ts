/**
 * Detection of values that JSON represents as strings. `scalar-conversions.ts` converts them.
 * @module
 */

/** Returns whether JSON represents a value as a string. */
export function isScalarValue(value: unknown): boolean {
  return (
    typeof value === "bigint" ||
    value instanceof Date ||
    value instanceof URL ||
    value instanceof RegExp ||
    isBytes(value)
  );
}

/** Returns whether a value is bytes: a `Uint8Array` or an `ArrayBuffer`. */
export function isBytes(value: unknown): value is Uint8Array | ArrayBuffer {
  return value instanceof Uint8Array || value instanceof ArrayBuffer;
}

/** Encodes bytes as Base64. */
export function encodeBase64(bytes: Uint8Array | ArrayBuffer): string {
  return bytes instanceof ArrayBuffer
    ? Buffer.from(bytes).toString("base64")
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
}

/** Returns whether a value can be JSON without a conversion. */
export function isJson(value: unknown): boolean {
  return !(value instanceof Set || value instanceof Map || isScalarValue(value));
}
