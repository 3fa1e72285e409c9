const MIME_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?: *; *[\w!#$&^.+-]+=(?:[\w!#$&^.+-]+|"[^"]*"))*$/;

const MAX_MIME_TYPE_CHARACTERS = 255;

/**
 * Returns whether a value is a MIME type, possibly with parameters.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6838#section-4.2
 * @example
 * isMimeType("text/plain; charset=utf-8") // true
 * isMimeType("png") // false
 */
export function isMimeType(value: unknown): boolean {
  return typeof value === "string" && value.length <= MAX_MIME_TYPE_CHARACTERS && MIME_TYPE.test(value);
}
