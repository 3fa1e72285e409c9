import { mutate, toBytes } from "./bytes.mjs";
import { LATEST, LEGACY, PLACEHOLDERS } from "./messages.mjs";
import { junk } from "./values.mjs";
import { write } from "./text.mjs";

/**
 * @import { Grammar } from "./messages.mjs"
 * @import { Random } from "./random.mjs"
 */

/**
 * A request without the values that only the driver knows. All text has one character per byte.
 *
 * @typedef {object} HttpRequest
 * @property {string} line The request line.
 * @property {[name: string, value: string][]} headers
 * @property {string} body
 * @property {number[]} [cuts] Where the bytes are cut into pieces.
 * @property {number} [abort] The number of bytes after which the client disconnects.
 */

const TYPES = [
  "application/json; charset=utf-8",
  "APPLICATION/JSON",
  "application/json;charset=UTF-16",
  "application/json\t; charset=utf-8",
  "application/json;",
  "application/json-patch+json",
  "application/jsonp",
  "text/plain",
  "text/plain; application/json",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=application/json",
  "",
];
const ACCEPTS = [
  "application/json",
  "text/event-stream",
  "*/*",
  "text/html",
  "",
  "application/json;q=0",
  "a/b/c;;,",
];
const HOSTS = [
  "localhost",
  "127.0.0.1:1",
  "[::1]",
  "evil.example",
  "localhost.evil.example",
  "127.0.0.1@evil.example",
  "",
  "0.0.0.0",
];
const ORIGINS = [
  "http://localhost:5173",
  "https://evil.example",
  "null",
  "http://localhost.evil.example",
  "file://",
  "http://127.0.0.1@evil.example",
];
const VERBS = ["GET", "DELETE", "OPTIONS", "PUT", "HEAD", "TRACE", "PATCH", "POST"];
const TARGETS = [
  "/",
  "/mcp/",
  "/mcp?x=1",
  "//mcp",
  "/%6dcp",
  "/sse",
  "/messages",
  "/messages?sessionId=x",
  "/../mcp",
  "http://evil.example/mcp",
  "/.well-known/oauth-protected-resource",
  "*",
];

/** Generates valid and invalid HTTP requests. */
export class HttpGrammar {
  #messages;
  #random;
  #keys;

  /** @param {Grammar} messages @param {Random} random @param {readonly string[]} keys The keys that the server accepts, if it needs one. */
  constructor(messages, random, keys) {
    this.#messages = messages;
    this.#random = random;
    this.#keys = keys;
  }

  /** @returns {HttpRequest} */
  request() {
    const random = this.#random;
    const request = random.weighted([
      [90, () => this.#post()],
      [10, () => this.#other()],
    ])();
    if (random.chance(0.08)) {
      request.cuts = Array.from({ length: 1 + random.below(4) }, () => random.below(600)).toSorted(
        (a, b) => a - b,
      );
    }
    if (random.chance(0.03)) request.abort = random.below(1 + request.body.length + 300);
    return request;
  }

  /** @returns {HttpRequest} */
  #post() {
    const random = this.#random;
    const isModern = random.chance(0.5);
    const value = random.chance(0.85) ? this.#messages.request(isModern) : this.#messages.message();
    let body = toBytes(write(value));
    if (random.chance(0.08)) body = mutate(body, random);
    /** @type {[string, string][]} */
    const headers = [
      ["host", random.chance(0.97) ? "127.0.0.1" : random.pick(HOSTS)],
      ["content-type", random.chance(0.94) ? "application/json" : random.pick(TYPES)],
      ["accept", random.chance(0.92) ? "application/json, text/event-stream" : random.pick(ACCEPTS)],
      ...(isModern ? this.#modernHeaders(body) : this.#legacyHeaders()),
      ...this.#extras(),
    ];
    if (random.chance(0.9)) headers.push(["content-length", PLACEHOLDERS.length]);
    else {
      headers.push(["transfer-encoding", "chunked"]);
      body = toChunks(body, random);
    }
    return {
      line: `POST ${random.chance(0.97) ? "/mcp" : random.pick(TARGETS)} HTTP/1.1`,
      headers: this.#bent(headers),
      body,
    };
  }

  /** Generates headers that repeat the body correctly or incorrectly. @param {string} body @returns {[string, string][]} */
  #modernHeaders(body) {
    const random = this.#random;
    const { method, params } = readMembers(body);
    const name = params?.name ?? params?.uri ?? params?.taskId;
    /** @type {[string, string][]} */
    const headers = [["mcp-protocol-version", LATEST]];
    if (typeof method === "string") headers.push(["mcp-method", encode(method)]);
    if (typeof name === "string") headers.push(["mcp-name", encode(name)]);
    for (const [argument, header] of [
      ["region", "Region"],
      ["level", "Level"],
    ]) {
      const value = params?.arguments?.[/** @type {string} */ (argument)];
      if (typeof value !== "object" && value !== undefined)
        headers.push([`mcp-param-${header}`, encode(String(value))]);
    }
    if (random.chance(0.9)) return headers;
    const wrong = random.pick(headers);
    wrong[1] = random.pick([
      "",
      "=?base64?!!!?=",
      "=?base64?YQ?=",
      encode(write(junk(random)).slice(0, 50)),
      "tools/list",
    ]);
    return random.chance(0.3) ? headers.filter((each) => each !== wrong) : headers;
  }

  /** @returns {[string, string][]} */
  #legacyHeaders() {
    const random = this.#random;
    /** @type {[string, string][]} */
    const headers = [];
    if (random.chance(0.93)) {
      headers.push([
        "mcp-session-id",
        random.chance(0.95) ? PLACEHOLDERS.session : visible(write(junk(random))),
      ]);
    }
    if (random.chance(0.3))
      headers.push(["mcp-protocol-version", random.pick([...LEGACY, "1999-01-01", ""])]);
    return headers;
  }

  /** @returns {[string, string][]} */
  #extras() {
    const random = this.#random;
    /** @type {[string, string][]} */
    const headers = [];
    if (this.#keys.length > 0 && random.chance(0.8))
      headers.push(["authorization", `Bearer ${random.pick(this.#keys)}`]);
    if (random.chance(0.1)) headers.push(["origin", random.pick(ORIGINS)]);
    const tokens = [
      "Bearer",
      "Bearer ",
      "Basic Og==",
      "bearer a b",
      "Bearer tok_never_known",
      "DPoP tok_never_known",
    ];
    const singles = ["content-type", "host", "accept", "mcp-method", "content-length"];
    /** @type {(() => [string, string])[]} */
    const choices = [
      () => [
        "authorization",
        random.chance(0.8) ? random.pick(tokens) : `Bearer ${visible(write(junk(random)))}`,
      ],
      () => ["x-api-key", "tok_never_known_either"],
      () => ["last-event-id", random.pick([PLACEHOLDERS.event, "0-0", "1-999", "-", "0-99999999999999999"])],
      () => ["content-encoding", random.pick(["gzip", "identity", "br"])],
      () => ["x-forwarded-host", "evil.example"],
      () => ["x-forwarded-for", "10.0.0.1"],
      () => ["forwarded", "host=evil.example"],
      () => ["cookie", "a=b"],
      () => ["dpop", visible(write(junk(random)))],
      () => ["expect", random.pick(["100-continue", "x"])],
      () => ["connection", random.pick(["close", "upgrade", "keep-alive, mcp-session-id"])],
      () => ["upgrade", "websocket"],
      () => ["x-long", "x".repeat(random.below(9000))],
      () => [random.pick(singles), "text/plain"],
    ];
    while (random.chance(0.1)) headers.push(random.pick(choices)());
    return headers;
  }

  /** Sometimes changes the order of headers, or the case of their names. @param {[string, string][]} headers */
  #bent(headers) {
    const random = this.#random;
    if (random.chance(0.05)) headers.reverse();
    if (random.chance(0.05)) for (const each of headers) each[0] = each[0].toUpperCase();
    return headers;
  }

  /** @returns {HttpRequest} */
  #other() {
    const random = this.#random;
    const verb = random.chance(0.95)
      ? random.pick(VERBS)
      : random.pick(["FOO", "post", "CONNECT", "P\0ST", ""]);
    /** @type {[string, string][]} */
    const headers = [
      ["host", random.chance(0.9) ? "127.0.0.1" : random.pick(HOSTS)],
      ["accept", random.chance(0.8) ? "text/event-stream" : random.pick(ACCEPTS)],
      ...this.#legacyHeaders(),
      ...this.#extras(),
    ];
    const line = `${verb} ${random.chance(0.8) ? "/mcp" : random.pick(TARGETS)} HTTP/1.1`;
    return {
      line: random.chance(0.95) ? line : mutate(line, random),
      headers: this.#bent(headers),
      body: "",
    };
  }
}

/** Returns the members of a body that headers repeat. @param {string} body @returns {{ method?: unknown, params?: any }} */
function readMembers(body) {
  try {
    return Object(JSON.parse(Buffer.from(body, "latin1").toString()));
  } catch {
    return {};
  }
}

/** @param {string} value */
function encode(value) {
  const isPlain = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(value) && !value.startsWith("=?");
  return isPlain ? value : `=?base64?${Buffer.from(value).toString("base64")}?=`;
}

/** @param {string} text */
function visible(text) {
  return text.replaceAll(/[^\x21-\x7e]/g, "").slice(0, 200);
}

/** @param {string} body @param {Random} random */
function toChunks(body, random) {
  const at = random.below(body.length + 1);
  const parts = [body.slice(0, at), body.slice(at)].filter((part) => part !== "");
  const end = random.chance(0.95)
    ? "0\r\n\r\n"
    : random.pick(["0\r\nx: y\r\n\r\n", "zz\r\n\r\n", `0;${"x".repeat(100)}\r\n\r\n`]);
  return `${parts.map((part) => `${part.length.toString(16)}\r\n${part}\r\n`).join("")}${end}`;
}
