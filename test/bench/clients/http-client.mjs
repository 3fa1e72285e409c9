import { findHeader, HttpConnection } from "./http-connection.mjs";
import { callText, INITIALIZED, initializeText, requestText, REVISION, WrongAnswer } from "./requests.mjs";

/** @typedef {import("./requests.mjs").Call} Call */
/** `stateless` is how SDK v1 avoids sessions: handshake revisions, each request on its own. */
/** @typedef {"modern" | "sessions" | "stateless"} HttpMode */

/** Several connections to one server, each with its own session if the mode has sessions. */
export class HttpClient {
  #nextId = 1;

  /** @param {HttpMode} mode @param {{ connection: HttpConnection, headers: Record<string, string> }[]} peers */
  constructor(mode, peers) {
    this.mode = mode;
    /** @type {import("./requests.mjs").Era} */
    this.era = mode === "modern" ? "modern" : "legacy";
    this.peers = peers;
  }

  /**
   * @param {URL} url @param {HttpMode} mode @param {number} connections
   * @param {Record<string, string>} more headers of every request
   */
  static async open(url, mode, connections, more = {}) {
    const peers = [];
    for (let index = 0; index < connections; index++) {
      const connection = await HttpConnection.open(url);
      const version = mode === "modern" ? REVISION.modern : REVISION.legacy;
      const headers = { "MCP-Protocol-Version": version, ...more };
      peers.push({
        connection,
        headers: mode === "sessions" ? { ...headers, ...(await openSession(connection)) } : headers,
      });
    }
    return new HttpClient(mode, peers);
  }

  /**
   * Keeps every connection busy until `milliseconds` have passed or `most` calls are made, and checks every response.
   *
   * @param {Call} call @param {{ milliseconds?: number, most?: number }} until
   * @returns {Promise<{ latencies: number[], seconds: number }>} latencies in milliseconds
   */
  load(call, { milliseconds = Infinity, most = Infinity }) {
    const { era, peers } = this;
    const modern = {
      "Mcp-Method": call.method,
      ...(call.name === undefined ? {} : { "Mcp-Name": call.name }),
    };
    /** @type {number[]} */
    const latencies = [];
    const started = performance.now();
    const last = started + milliseconds;
    let asked = 0;
    let busy = peers.length;
    return new Promise((resolve, reject) => {
      for (const { connection, headers } of peers) {
        const head = connection.head(era === "modern" ? { ...headers, ...modern } : headers);
        connection.onError = reject;
        let id = 0;
        let sentAt = 0;
        const ask = () => {
          asked++;
          id = this.#nextId++;
          sentAt = performance.now();
          connection.send(head, callText(era, id, call), onReply);
        };
        /** @param {import("./http-connection.mjs").HttpReply} reply */
        const onReply = (reply) => {
          const now = performance.now();
          latencies.push(now - sentAt);
          if (!isRight(reply, id, call)) {
            reject(new WrongAnswer(callText(era, id, call), `${reply.head}\n\n${reply.body}`));
          } else if (now < last && asked < most) {
            ask();
          } else if (--busy === 0) {
            resolve({ latencies, seconds: (now - started) / 1000 });
          }
        };
        ask();
      }
    });
  }

  close() {
    for (const { connection } of this.peers) connection.close();
  }
}

/** @param {import("./http-connection.mjs").HttpReply} reply @param {number} id @param {Call} call */
function isRight({ status, body }, id, call) {
  if (status !== 200) return false;
  const answer = JSON.parse(body.startsWith("{") ? body : eventData(body));
  return answer.id === id && call.check(answer.result, id);
}

/** Returns the data of the first event of a stream, as JSON text. @param {string} body */
export function eventData(body) {
  return /^data: (.+)$/m.exec(body)?.[1] ?? "null";
}

/**
 * @param {HttpConnection} connection
 * @returns {Promise<Record<string, string>>} the headers that belong to the session
 */
export async function openSession(connection) {
  const reply = await connection.exchange({}, initializeText(0));
  const id = findHeader(reply.head, "mcp-session-id");
  if (reply.status !== 200) throw new WrongAnswer("initialize", reply);
  const headers = {
    "MCP-Protocol-Version": REVISION.legacy,
    ...(id === undefined ? {} : { "Mcp-Session-Id": id }),
  };
  const noted = await connection.exchange(headers, INITIALIZED);
  if (noted.status !== 202) throw new WrongAnswer("notifications/initialized", noted);
  return headers;
}

/** Sends one independent request at 2026-07-28. @param {HttpConnection} connection @param {string} method @param {object} params */
export async function modernRequest(connection, method, params) {
  const named = "name" in params ? { "Mcp-Name": String(params.name) } : {};
  const headers = { "MCP-Protocol-Version": REVISION.modern, "Mcp-Method": method, ...named };
  const { body } = await connection.exchange(headers, requestText("modern", 1, method, params));
  return JSON.parse(body);
}
