/**
 * The headers in which a modern client repeats parts of its request, so that intermediaries can route
 * without reading bodies. A header that disagrees with the body is refused.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports
 * @module
 */

/** A request's header by its lower-case name. */
export type HeaderReader = (name: string) => string | undefined;

const SENTINEL_START = "=?base64?";
const SENTINEL_END = "?=";
const STRICT_BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/**
 * The text a header stands for, or `undefined` when it is malformed. Values beyond visible ASCII come as
 * `=?base64?…?=`; anything else is taken literally.
 *
 * @example
 * decodeHeader("=?base64?SGVsbG8=?=") // "Hello"
 */
export function decodeHeader(raw: string): string | undefined {
  const value = trimSpace(raw);
  const minimum = SENTINEL_START.length + SENTINEL_END.length;
  if (value.length < minimum || !value.startsWith(SENTINEL_START) || !value.endsWith(SENTINEL_END))
    return value;
  const encoded = value.slice(SENTINEL_START.length, -SENTINEL_END.length);
  if (encoded.length % 4 !== 0 || !STRICT_BASE64.test(encoded)) return undefined;
  const bytes = Buffer.from(encoded, "base64");
  // A last character with stray bits decodes too, but is not what any encoder writes.
  if (bytes.toString("base64") !== encoded) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** A regular expression would look at a run of spaces once for each of them. */
function trimSpace(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isSpace(text.charCodeAt(start))) start++;
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09;
}

/** True when the header is there, well formed, and stands for `expected`. */
export function headerEquals(raw: string | undefined, expected: string): boolean {
  return raw !== undefined && (raw === expected || decodeHeader(raw) === expected);
}
