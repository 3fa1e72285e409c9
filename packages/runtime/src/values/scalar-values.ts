/**
 * Values that JSON writes as strings: which they are. What they are written as is in `scalar-conversions.ts`.
 * @module
 */

/** True for values that JSON writes as strings, of whatever kind. */
export function isScalarValue(value: unknown): boolean {
  return (
    typeof value === "bigint" ||
    value instanceof Date ||
    value instanceof URL ||
    value instanceof RegExp ||
    isBytes(value)
  );
}

/** Bytes in any of their JavaScript forms. */
export function isBytes(value: unknown): value is Uint8Array | ArrayBuffer {
  return value instanceof Uint8Array || value instanceof ArrayBuffer;
}

export function base64(bytes: Uint8Array | ArrayBuffer): string {
  return bytes instanceof ArrayBuffer
    ? Buffer.from(bytes).toString("base64")
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
}
