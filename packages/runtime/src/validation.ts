/**
 * What validators generated at build time import.
 *
 * @example
 * import { equal, formats, ucs2length } from "@tenon/runtime/validation";
 * @module
 */
import { formats as predicates } from "./formats.js";

export { deepEqual as equal } from "./equality.js";

/** Format name → the format as ajv's generated code calls it. */
export const formats: Record<string, { validate: (text: string) => boolean }> = Object.fromEntries(
  Object.entries(predicates).map(([name, validate]) => [name, { validate }]),
);

/**
 * The length of a text in characters, as JSON Schema counts them: a surrogate pair is one.
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
