/** @import { Note, Opening } from "./recorder.mjs" */

const MESSAGE = '{"jsonrpc":"2.0"';

/**
 * Writes down what client and server say to one another that are in one process, such as that of `tenon call`:
 * the code of both may be bundled, but what they hand over is text, and is parsed.
 *
 * @param {() => boolean} isAlone False once the process has heard of anybody else: then it parses their messages.
 * @param {(opening: Omit<Opening, "program">) => Note} open
 */
export function tapParsing(isAlone, open) {
  const parse = JSON.parse;
  /** @type {Note | undefined} */
  let note;
  JSON.parse = (text, ...rest) => {
    const value = parse(text, ...rest);
    if (typeof text === "string" && text.startsWith(MESSAGE) && isAlone()) {
      note ??= open({ way: "memory" });
      const { id, method } = value;
      note(id !== undefined && method !== undefined ? { heard: value } : { said: text });
    }
    return value;
  };
}
