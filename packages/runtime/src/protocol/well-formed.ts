/**
 * Half a surrogate pair is not Unicode text, and many JSON parsers reject a message that contains one. UTF-8 decoders replace
 * such parts of text with U+FFFD, and so does this module.
 *
 * @module
 */

/** An escaped backslash, a pair of surrogates, or a lone surrogate, in JSON text. */
const ESCAPES =
  /\\\\|\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\u[dD][89a-fA-F][\da-fA-F]{2}/g;

/**
 * A regular expression is four times as fast as `includes`: 19 instead of 70 µs for 64 KiB of text with quotes and line
 * breaks.
 */
const ESCAPED_SURROGATE = /\\u[dD]/;

const LONE_LENGTH = "\\ud800".length;

/**
 * Replaces surrogates without their other half in JSON text. They are always escaped there, since `JSON.stringify`
 * escapes them.
 *
 * @example
 * toWellFormedJson('"a\\ud800b"') // '"a\ufffdb"'
 */
export function toWellFormedJson(text: string): string {
  // Nearly all messages have no escaped surrogates.
  if (!ESCAPED_SURROGATE.test(text)) return text;
  return text.replaceAll(ESCAPES, (found) => (found.length === LONE_LENGTH ? "\ufffd" : found));
}
