import { StringDecoder } from "node:string_decoder";

/**
 * @import { Note, Opening } from "./recorder.mjs"
 * @typedef {(opening: Omit<Opening, "program">) => Note} Open
 */

/**
 * Records this process's stdin and stdout, starting with the first input; earlier output is kept until then. Neither
 * stream is touched before the process itself uses it.
 *
 * @param {Open} open
 */
export function tapProcess(open) {
  /** @type {Note | undefined} */
  let note;
  let before = "";
  const begin = () => {
    if (note !== undefined) return note;
    note = open({ way: "stdio" });
    if (before !== "") note({ out: before });
    before = "";
    return note;
  };
  onFirstUse("stdin", (stream) => tapPush(stream, (text) => begin()({ in: text })));
  onFirstUse("stdout", (stream) =>
    tapWrite(stream, (text) => {
      if (note === undefined) before += text;
      else note({ out: text });
    }),
  );
}

/** @param {"stdin" | "stdout"} name @param {(stream: any) => void} prepare */
function onFirstUse(name, prepare) {
  const descriptor = Object.getOwnPropertyDescriptor(process, name);
  const read = descriptor?.get;
  if (read === undefined) return;
  let isPrepared = false;
  Object.defineProperty(process, name, {
    ...descriptor,
    get() {
      const stream = read.call(process);
      if (!isPrepared) {
        isPrepared = true;
        prepare(stream);
      }
      return stream;
    },
  });
}

/**
 * Passes the text of a readable stream to `see` when it arrives.
 *
 * @param {{ push(chunk: unknown, encoding?: BufferEncoding): boolean }} stream
 * @param {(text: string) => void} see
 */
export function tapPush(stream, see) {
  const push = stream.push;
  const decoder = new StringDecoder("utf8");
  stream.push = function (chunk, encoding) {
    if (typeof chunk === "string") see(chunk);
    // The last line needs no newline.
    else if (chunk === null) see("\n");
    else if (chunk instanceof Uint8Array) see(decoder.write(Buffer.from(chunk)));
    return push.call(this, chunk, encoding);
  };
}

/**
 * Passes the text that is written to a stream to `see`.
 *
 * @param {{ write(chunk: any, ...rest: any[]): boolean }} stream
 * @param {(text: string) => void} see
 */
export function tapWrite(stream, see) {
  const write = stream.write;
  const decoder = new StringDecoder("utf8");
  stream.write = function (chunk, ...rest) {
    const text = typeof chunk === "string" ? chunk : decoder.write(Buffer.from(chunk));
    if (text !== "") see(text);
    return write.call(this, chunk, ...rest);
  };
}

/**
 * Wraps `serveStdio` so that the streams that the caller passes are recorded.
 *
 * @template {object} Options
 * @template Transport
 * @param {(server: any, options?: Options) => Transport} serveStdio
 * @param {Open} open
 * @returns {(server: any, options?: Options) => Transport}
 */
export function tapServeStdio(serveStdio, open) {
  return (server, options) => {
    const { input, output } = /** @type {{ input?: any, output?: any }} */ (options ?? {});
    if (input === undefined || output === undefined) return serveStdio(server, options);
    const note = open({ way: "stdio" });
    tapPush(input, (text) => note({ in: text }));
    tapWrite(output, (text) => note({ out: text }));
    return serveStdio(server, options);
  };
}
