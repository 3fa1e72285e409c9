import { connect } from "node:net";
import { once } from "node:events";

/** @typedef {{ status: number, head: string, body: string }} HttpReply */

/**
 * A keep-alive HTTP/1.1 connection on a bare socket. It costs a fraction of what `node:http` does, so that measurements
 * do not include the client. It sends one request at a time. Bodies are ASCII, like everything that is measured here.
 */
export class HttpConnection {
  #data = "";
  /** @type {((reply: HttpReply) => void) | undefined} */
  #onReply;
  /** @type {((events: string) => void) | undefined} */
  #onEvents;
  /** @type {(error: Error) => void} */
  onError = () => {};

  /** @param {import("node:net").Socket} socket @param {URL} url */
  constructor(socket, url) {
    this.socket = socket;
    this.url = url;
    socket.setNoDelay(true);
    socket.setEncoding("latin1").on("data", (chunk) => this.#receive(/** @type {any} */ (chunk)));
    socket.on("error", (error) => this.onError(error));
    socket.on("close", () => this.onError(new Error(`The server closed a connection. ${this.#data}`)));
  }

  /** @param {URL} url */
  static async open(url) {
    const socket = connect(Number(url.port), url.hostname);
    await once(socket, "connect");
    return new HttpConnection(socket, url);
  }

  /**
   * Returns the request line, and the headers before the length.
   *
   * @param {Record<string, string>} headers @param {"POST" | "DELETE"} [method]
   */
  head(headers, method = "POST") {
    const all = {
      Host: this.url.host,
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
      ...headers,
    };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    return `${method} ${this.url.pathname} HTTP/1.1\r\n${lines.join("")}Content-Length: `;
  }

  /** @param {string} head from `head` @param {string} body @param {(reply: HttpReply) => void} onReply */
  send(head, body, onReply) {
    this.#onReply = onReply;
    this.socket.write(`${head}${body.length}\r\n\r\n${body}`, "latin1");
  }

  /**
   * @param {Record<string, string>} headers @param {string} body @param {"POST" | "DELETE"} [method]
   * @returns {Promise<HttpReply>}
   */
  exchange(headers, body, method) {
    return new Promise((resolve, reject) => {
      this.onError = reject;
      this.send(this.head(headers, method), body, resolve);
    });
  }

  /**
   * Sends a request whose response is a stream of events, and forwards the events.
   *
   * @param {Record<string, string>} headers @param {string} body @param {(text: string) => void} onEvents
   */
  stream(headers, body, onEvents) {
    this.#onEvents = onEvents;
    this.send(this.head(headers), body, () => {});
  }

  close() {
    this.onError = () => {};
    this.socket.destroy();
  }

  /** @param {string} chunk */
  #receive(chunk) {
    if (this.#onEvents !== undefined) {
      this.#onEvents(chunk);
      return;
    }
    this.#data = this.#data === "" ? chunk : this.#data + chunk;
    const reply = readReply(this.#data);
    if (reply === undefined) return;
    this.#data = "";
    this.#onReply?.(reply);
  }
}

/** Parses a complete response; returns `undefined` if a part is missing. @param {string} data @returns {HttpReply | undefined} */
function readReply(data) {
  const headEnd = data.indexOf("\r\n\r\n");
  if (headEnd < 0) return undefined;
  const head = data.slice(0, headEnd);
  const start = headEnd + 4;
  const status = Number(head.slice(9, 12));
  const length = /content-length: *(\d+)/i.exec(head);
  if (length !== null) {
    const end = start + Number(length[1]);
    return data.length < end ? undefined : { status, head, body: data.slice(start, end) };
  }
  if (!/transfer-encoding: *chunked/i.test(head)) return { status, head, body: "" };
  const body = joinChunks(data, start);
  return body === undefined ? undefined : { status, head, body };
}

/** @param {string} data @param {number} start @returns {string | undefined} */
function joinChunks(data, start) {
  let body = "";
  for (let at = start; ;) {
    const lineEnd = data.indexOf("\r\n", at);
    if (lineEnd < 0) return undefined;
    const size = Number.parseInt(data.slice(at, lineEnd), 16);
    const end = lineEnd + 2 + size;
    if (data.length < end + 2) return undefined;
    if (size === 0) return body;
    body += data.slice(lineEnd + 2, end);
    at = end + 2;
  }
}

/** Returns the value of a header in the head of a response. @param {string} head @param {string} name */
export function findHeader(head, name) {
  return new RegExp(`^${name}: *(.*)$`, "im").exec(head)?.[1]?.trim();
}
