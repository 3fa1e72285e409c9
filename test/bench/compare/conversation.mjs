/**
 * A conversation with a server at a handshake revision, over stdio or HTTP, that also collects output that does not
 * belong to the protocol.
 * @module
 */
import { openSession } from "../clients/http-client.mjs";
import { HttpConnection } from "../clients/http-connection.mjs";
import { INITIALIZED, initializeText, requestText } from "../clients/requests.mjs";
import { ServerProcess } from "../clients/server-process.mjs";
import { startHttp, waitForTools } from "./speed.mjs";

/** @import { PreparedRival, Variant } from "./prepare.mjs" */

/** @typedef {{ result?: any, error?: { code: number, message: string } }} Reply */

/**
 * @typedef {object} Conversation
 * @property {(method: string, params?: object) => Promise<Reply>} request
 * @property {() => readonly string[]} foreignLines lines of stdout that are not JSON
 * @property {() => Promise<void>} close
 */

const REPLY_TIMEOUT_MS = 15_000;

/**
 * Opens a conversation over the first transport of a rival.
 *
 * @param {PreparedRival} prepared @param {Variant} [variant]
 * @param {string} [handshake] the text of `initialize`, with the ID 0
 * @returns {Promise<Conversation & { opened: Reply }>}
 */
export async function converse(prepared, variant = "measured", handshake = initializeText(0)) {
  return prepared.rival.transports.includes("stdio")
    ? await overStdio(prepared, variant, handshake)
    : await overHttp(prepared, variant, handshake);
}

/** @param {PreparedRival} prepared @param {Variant} variant @param {string} handshake */
async function overStdio(prepared, variant, handshake) {
  const server = new ServerProcess(prepared.command("stdio", variant));
  /** @type {string[]} */
  const foreign = [];
  /** @type {Map<number, (reply: Reply) => void>} */
  const waiting = new Map();
  let rest = "";
  server.child.stdout.setEncoding("utf8").on("data", (chunk) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines.filter((each) => each.trim() !== "")) {
      const message = parse(line);
      if (message === undefined) foreign.push(line);
      else waiting.get(message.id)?.(message);
    }
  });
  let nextId = 1;
  /** @type {(id: number, text: string) => Promise<Reply>} */
  const exchange = (id, text) =>
    new Promise((resolve, reject) => {
      const fail = (/** @type {string} */ why) => reject(new Error(`${why}: ${server.output.slice(-300)}`));
      const timer = setTimeout(() => fail("No response"), REPLY_TIMEOUT_MS);
      void server.exited.then(() => fail("The server ended"));
      waiting.set(id, (reply) => {
        clearTimeout(timer);
        resolve(reply);
      });
      server.child.stdin.write(`${text}\n`);
    });
  try {
    const opened = await exchange(0, handshake);
    server.child.stdin.write(`${INITIALIZED}\n`);
    return {
      opened,
      request: (/** @type {string} */ method, /** @type {object} */ params = {}) =>
        exchange(nextId, requestText("legacy", nextId++, method, params)),
      foreignLines: () => foreign,
      close: () => server.stop(),
    };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** @param {PreparedRival} prepared @param {Variant} variant @param {string} handshake */
async function overHttp(prepared, variant, handshake) {
  const server = startHttp(prepared, variant);
  try {
    await waitForTools(prepared, server);
    const connection = await HttpConnection.open(prepared.url);
    const opened = readReply((await connection.exchange({}, handshake)).body);
    const headers = await openSession(connection);
    return {
      opened,
      request: async (/** @type {string} */ method, /** @type {object} */ params = {}) =>
        readReply((await connection.exchange(headers, requestText("legacy", 1, method, params))).body),
      foreignLines: () => [],
      close: async () => {
        connection.close();
        await server.stop();
      },
    };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/**
 * Reads the response in the body of an HTTP response: JSON, or the last event of a stream.
 *
 * @param {string} body @returns {Reply}
 */
export function readReply(body) {
  const data = body
    .match(/^data: ?\{.*$/gm)
    ?.at(-1)
    ?.replace(/^data: ?/, "");
  return parse(data ?? body) ?? {};
}

/** @param {string} text @returns {any} */
function parse(text) {
  try {
    const value = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
