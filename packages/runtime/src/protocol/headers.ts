/**
 * The headers in which a modern client repeats parts of its request, so that intermediaries can route
 * without reading bodies. A header that disagrees with the body is refused.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports
 * @module
 */

/** A request's header by its lower-case name, without the space around its value. */
export type HeaderReader = (name: string) => string | undefined;

const ENCODED = /^=\?base64\?(.*)\?=$/;

/**
 * The text a header stands for, or `undefined` when it is malformed. Values beyond visible ASCII come as
 * `=?base64?…?=`; anything else is taken literally.
 *
 * @example
 * decodeHeader("=?base64?SGVsbG8=?=") // "Hello"
 */
export function decodeHeader(value: string): string | undefined {
  const encoded = ENCODED.exec(value)?.[1];
  if (encoded === undefined) return value;
  const bytes = Buffer.from(encoded, "base64");
  // Much else decodes too, but is not what any encoder writes.
  if (bytes.toString("base64") !== encoded) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** True when the header is there, well formed, and stands for `expected`. */
export function headerEquals(raw: string | undefined, expected: string): boolean {
  return raw !== undefined && (raw === expected || decodeHeader(raw) === expected);
}
