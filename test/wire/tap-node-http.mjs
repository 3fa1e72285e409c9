import diagnostics from "node:diagnostics_channel";
import { StringDecoder } from "node:string_decoder";
import { FOREIGN } from "./recorder.mjs";
import { tapPush } from "./tap-stdio.mjs";

/** @import { Note, Opening } from "./recorder.mjs" */

/**
 * Records the requests and responses of every server of `node:http` in this process.
 *
 * @param {(opening: Omit<Opening, "program">) => Note} open
 */
export function tapNodeHttp(open) {
  diagnostics.subscribe("http.server.request.start", (message) => {
    const { request, response, server } =
      /** @type {{ request: import("node:http").IncomingMessage, response: any, server: any }} */ (message);
    if (server[FOREIGN] === true) return;
    const { "mcp-protocol-version": version, "mcp-session-id": session } = request.headers;
    const note = open({
      way: "http",
      verb: request.method ?? "",
      url: request.url ?? "",
      ...(typeof version === "string" ? { version } : {}),
      ...(typeof session === "string" ? { session } : {}),
    });
    tapPush(/** @type {any} */ (request), (text) => note({ in: text }));
    tapResponse(response, note);
  });
}

/** @param {any} response @param {Note} note */
function tapResponse(response, note) {
  const { writeHead, write, end } = response;
  const decoder = new StringDecoder("utf8");
  /** @type {Record<string, unknown>} */
  const headers = {};
  let isBegun = false;
  // Files are not messages, and may be large.
  let isFile = false;
  const begin = () => {
    if (isBegun) return;
    isBegun = true;
    const header = (/** @type {string} */ name) => headers[name] ?? response.getHeader(name);
    const [type, session] = [header("content-type"), header("mcp-session-id")];
    isFile = type !== undefined && !/^text\/|json/.test(String(type));
    note({
      head: {
        status: response.statusCode,
        ...(type === undefined ? {} : { type: String(type) }),
        ...(session === undefined ? {} : { session: String(session) }),
      },
    });
  };
  const see = (/** @type {unknown} */ chunk) => {
    begin();
    if (isFile || chunk === undefined || chunk === null || typeof chunk === "function") return;
    const text = typeof chunk === "string" ? chunk : decoder.write(Buffer.from(/** @type {any} */ (chunk)));
    if (text !== "") note({ out: text });
  };
  response.writeHead = (/** @type {any[]} */ ...args) => {
    const given = args.at(-1);
    if (typeof given === "object" && given !== null) {
      for (const [name, value] of Object.entries(given)) headers[name.toLowerCase()] = value;
    }
    return writeHead.apply(response, args);
  };
  response.write = (/** @type {any[]} */ ...args) => {
    see(args[0]);
    return write.apply(response, args);
  };
  response.end = (/** @type {any[]} */ ...args) => {
    see(args[0]);
    note({ end: true });
    // Node's `end` may call `write` with the same text.
    response.write = write;
    return end.apply(response, args);
  };
}
