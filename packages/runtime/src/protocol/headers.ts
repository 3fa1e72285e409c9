/**
 * Headers in which a modern client repeats parts of its request, so that intermediaries can route it without reading
 * the body. The server rejects a header that disagrees with the body.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports
 * @module
 */

/** Function that returns a header of the request by its lower-case name, without surrounding spaces. */
export type HeaderReader = (name: string) => string | undefined;

const ENCODED = /^=\?base64\?(.*)\?=$/;

/**
 * Decodes a header value, or returns `undefined` if it is malformed. Values beyond visible ASCII are encoded as
 * `=?base64?…?=`; all others are literal.
 *
 * @example
 * decodeHeader("=?base64?SGVsbG8=?=") // "Hello"
 */
export function decodeHeader(value: string): string | undefined {
  const encoded = ENCODED.exec(value)?.[1];
  if (encoded === undefined) return value;
  const bytes = Buffer.from(encoded, "base64");
  // `Buffer` also decodes text that no encoder writes.
  if (bytes.toString("base64") !== encoded) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Returns whether the header is present, well formed, and represents `expected`. */
export function headerEquals(raw: string | undefined, expected: string): boolean {
  return raw !== undefined && (raw === expected || decodeHeader(raw) === expected);
}
