/** @import { Note, Opening } from "./recorder.mjs" */

const MESSAGE = '{"jsonrpc":"2.0"';

/**
 * Records the messages between a client and a server in one process, such as that of `tenon call`. The code of both may be
 * bundled, but the messages are text that is parsed.
 *
 * @param {() => boolean} isAlone False when the process also has other clients or servers, whose messages it parses.
 * @param {(opening: Omit<Opening, "program">) => Note} open
 */
export function tapParsing(isAlone, open) {
  const parse = JSON.parse;
  /** @type {Note | undefined} */
  let note;
  let isReadable = true;
  JSON.parse = (text, ...rest) => {
    const value = parse(text, ...rest);
    if (typeof text === "string" && text.startsWith(MESSAGE) && isReadable && isAlone()) {
      const { id, method } = value;
      // A client of another server parses a response first. And in legacy conversations, which begin with `initialize`,
      // both sides send requests: the parsed text does not show which.
      if (note === undefined && (method === undefined || method === "initialize")) {
        isReadable = false;
        return value;
      }
      note ??= open({ way: "memory" });
      note(id !== undefined && method !== undefined ? { received: value } : { sent: text });
    }
    return value;
  };
}
