import { connect } from "node:net";
import { setTimeout as wait } from "node:timers/promises";

/**
 * The received part of a response.
 *
 * @typedef {object} Response
 * @property {number} status 0 when the connection was closed without one.
 * @property {Record<string, string>} headers
 * @property {string} body
 * @property {boolean} isComplete
 */

/**
 * Sends bytes over a separate connection, and reads the response.
 *
 * @param {object} given
 * @param {number} given.port
 * @param {readonly Buffer[]} given.pieces Each arrives by itself.
 * @param {boolean} [given.leaves] The client disconnects after it has sent them.
 * @param {(response: Response) => boolean} [given.isEnough] Called after each part of the response. If it returns true,
 * the client disconnects.
 * @param {AbortSignal} [given.signal] Disconnects the client.
 * @returns {Promise<Response>}
 */
export function exchange({ port, pieces, leaves = false, isEnough, signal }) {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1");
    let bytes = Buffer.alloc(0);
    /** @type {Response} */
    let response = { status: 0, headers: {}, body: "", isComplete: false };
    const finish = () => {
      socket.removeAllListeners("close");
      if (leaves || !response.isComplete) socket.resetAndDestroy();
      else socket.destroy();
      resolve(response);
    };
    signal?.addEventListener("abort", finish, { once: true });
    socket.setNoDelay(true);
    socket.on("error", () => {});
    socket.on("close", () =>
      resolve({
        ...response,
        isComplete: response.isComplete || !("content-length" in response.headers || isChunked(response)),
      }),
    );
    socket.on("data", (chunk) => {
      bytes = bytes.length === 0 ? chunk : Buffer.concat([bytes, chunk]);
      try {
        response = readResponse(bytes);
      } catch (error) {
        socket.destroy();
        return reject(error);
      }
      if (response.isComplete || isEnough?.(response) === true) finish();
    });
    void (async () => {
      for (const piece of pieces) {
        if (socket.destroyed) return;
        socket.write(piece);
        if (pieces.length > 1) await wait(1);
      }
      if (leaves) finish();
    })();
  });
}

/** @param {Response} response */
function isChunked({ headers }) {
  return headers["transfer-encoding"] === "chunked";
}

/** @param {Buffer} bytes @returns {Response} */
function readResponse(bytes) {
  const end = bytes.indexOf("\r\n\r\n");
  if (end < 0) return { status: 0, headers: {}, body: "", isComplete: false };
  const [line = "", ...fields] = bytes.toString("latin1", 0, end).split("\r\n");
  const [, status] = /^HTTP\/1\.1 (\d{3})/.exec(line) ?? [];
  if (status === undefined) throw new Error(`Not a response: ${line}`);
  const rest = bytes.subarray(end + 4);
  if (status.startsWith("1")) return readResponse(rest);
  /** @type {Record<string, string>} */
  const headers = {};
  for (const field of fields) {
    const colon = field.indexOf(":");
    headers[field.slice(0, colon).toLowerCase()] = field.slice(colon + 1).trim();
  }
  const response = { status: Number(status), headers, body: "", isComplete: false };
  if (isChunked(response)) return { ...response, ...readChunks(rest) };
  const length = Number(headers["content-length"] ?? (status === "204" || status === "202" ? 0 : Infinity));
  return {
    ...response,
    body: rest.toString("utf8", 0, Math.min(length, rest.length)),
    isComplete: rest.length >= length,
  };
}

/** @param {Buffer} bytes @returns {{ body: string, isComplete: boolean }} */
function readChunks(bytes) {
  const parts = [];
  let isComplete = false;
  for (let at = 0; ;) {
    const end = bytes.indexOf("\r\n", at);
    if (end < 0) break;
    const size = Number.parseInt(bytes.toString("latin1", at, end), 16);
    if (size === 0) {
      isComplete = true;
      break;
    }
    if (bytes.length < end + 2 + size + 2) break;
    parts.push(bytes.subarray(end + 2, end + 2 + size));
    at = end + 2 + size + 2;
  }
  return { body: Buffer.concat(parts).toString(), isComplete };
}

/** Returns the data of the complete events in a body. @param {string} body @returns {string[]} */
export function eventsIn(body) {
  return body
    .split("\n\n")
    .slice(0, -1)
    .map((event) =>
      event
        .split("\n")
        .flatMap((line) => (line.startsWith("data: ") ? [line.slice(6)] : []))
        .join("\n"),
    )
    .filter((data) => data !== "");
}
