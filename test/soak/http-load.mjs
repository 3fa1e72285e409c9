import { Agent, request as httpRequest } from "node:http";
import { LATEST, LEGACY } from "../fuzz/generate/messages.mjs";

const META = {
  "io.modelcontextprotocol/protocolVersion": LATEST,
  "io.modelcontextprotocol/clientCapabilities": {},
};
const BOOK = { name: "book", arguments: { city: "Oslo", days: 2 } };
const BOOKED = "Booked 2 days in Oslo.";

/** The number of concurrent requests. */
const LANES = 16;

/**
 * A request over HTTP.
 *
 * @typedef {object} Given
 * @property {string} [verb]
 * @property {Record<string, string>} [headers]
 * @property {string} [body]
 * @property {boolean} [leaves] The client disconnects as soon as the response begins, or after a moment.
 */

/** An HTTP client that reuses its connections. */
class Client {
  #agent = new Agent({ keepAlive: true, maxSockets: LANES * 2 });

  /** @param {URL} url */
  constructor(url) {
    this.url = url;
  }

  /**
   * @param {Given} given
   * @returns {Promise<{ status: number, text: string, session: string | undefined }>} The status is 0 if the client has
   * disconnected.
   */
  send({ verb = "POST", headers = {}, body, leaves = false }) {
    return new Promise((resolve, reject) => {
      const all = {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...headers,
      };
      const left = { status: 0, text: "", session: undefined };
      const request = httpRequest(
        this.url,
        { method: verb, headers: all, agent: this.#agent },
        (response) => {
          /** @type {Buffer[]} */
          const chunks = [];
          response.on("data", (chunk) => chunks.push(chunk));
          response.on("error", () => resolve(left));
          response.on("end", () => {
            const session = response.headers["mcp-session-id"];
            resolve({
              status: response.statusCode ?? 0,
              text: Buffer.concat(chunks).toString(),
              session: typeof session === "string" ? session : undefined,
            });
          });
          if (!leaves) return;
          request.destroy();
          resolve(left);
        },
      );
      request.on("error", (error) => (leaves ? resolve(left) : reject(error)));
      request.end(body);
      if (leaves) setTimeout(() => request.destroy(), 5);
    });
  }

  close() {
    this.#agent.destroy();
  }
}

/** @param {string} method @param {Record<string, unknown>} params @param {object} [meta] @returns {Given} */
function modern(method, params, meta = {}) {
  const name = params["name"] ?? params["uri"];
  return {
    headers: {
      "mcp-protocol-version": LATEST,
      "mcp-method": method,
      ...(typeof name === "string" && { "mcp-name": name }),
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method,
      params: { ...params, _meta: { ...META, ...meta } },
    }),
  };
}

/**
 * Independent requests, each with a string that the response must contain; `undefined` if the client does not wait for one.
 *
 * @type {[given: Given, due: string | undefined][]}
 */
const ALONE = [
  [modern("tools/call", BOOK), BOOKED],
  [modern("tools/call", { name: "add", arguments: { a: 1, b: 2 } }), '"structuredContent":3'],
  [modern("tools/call", { name: "add", arguments: { a: "x" } }), '"isError":true'],
  [modern("tools/call", { name: "fail", arguments: { how: "tool" } }), "No such city"],
  [modern("tools/call", { name: "missing", arguments: {} }), '"code":-32602'],
  [modern("tools/call", { name: "countdown", arguments: { steps: 3 } }, { progressToken: "p" }), "Liftoff."],
  [{ ...modern("tools/call", { name: "wait", arguments: {} }), leaves: true }, undefined],
  [
    { ...modern("subscriptions/listen", { notifications: { toolsListChanged: true } }), leaves: true },
    undefined,
  ],
  [modern("tools/list", {}), '"name":"add"'],
  [modern("resources/read", { uri: "notes://today" }), "Rain."],
  [modern("resources/read", { uri: "note://a" }), "# a"],
  [{ ...modern("tools/call", BOOK), headers: { "mcp-protocol-version": LATEST } }, '"code":-32020'],
  [{ body: "{" }, '"code":-32700'],
  [{ verb: "PUT", body: "x" }, "Use POST."],
];

/**
 * Sends independent requests.
 *
 * @param {URL} url @param {number} count
 */
export async function loadAlone(url, count) {
  const client = new Client(url);
  await inLanes(count, async (number) => {
    const [given, due] = /** @type {(typeof ALONE)[number]} */ (ALONE[number % ALONE.length]);
    expectText(await client.send(given), due);
  });
  client.close();
}

/** The number of calls in each session. */
export const CALLS_PER_SESSION = 20;

/**
 * Opens sessions of all legacy revisions. Half of them are ended, and half are abandoned, with or without a stream.
 *
 * @param {URL} url @param {number} count The number of calls.
 */
export async function loadSessions(url, count) {
  const client = new Client(url);
  await inLanes(Math.ceil(count / CALLS_PER_SESSION), async (number) => {
    const protocolVersion = LEGACY[number % LEGACY.length];
    const params = { protocolVersion, capabilities: {}, clientInfo: { name: "soak", version: "1" } };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 0, method: "initialize", params });
    const { session } = await client.send({ body });
    if (session === undefined) throw new Error("There was no session.");
    const headers = { "mcp-session-id": session };
    await client.send({ headers, body: '{"jsonrpc":"2.0","method":"notifications/initialized"}' });
    if (number % 3 === 0) await client.send({ verb: "GET", headers, leaves: true });
    for (let call = 0; call < CALLS_PER_SESSION - 3; call++) {
      const [method, given, due] = /** @type {const} */ ([
        ["tools/call", BOOK, BOOKED],
        [
          "tools/call",
          { name: "countdown", arguments: { steps: 2 }, _meta: { progressToken: call } },
          "Liftoff.",
        ],
        ["tools/call", { name: "fail", arguments: { how: "tool" } }, "No such city"],
        ["tools/list", {}, '"name":"add"'],
        ["resources/read", { uri: "notes://today" }, "Rain."],
      ])[call % 5] ?? ["ping", {}, "{}"];
      const request = JSON.stringify({ jsonrpc: "2.0", id: call + 1, method, params: given });
      expectText(await client.send({ headers, body: request }), due);
    }
    // An abandoned call continues until its session ends.
    const waiting = JSON.stringify({
      jsonrpc: "2.0",
      id: "w",
      method: "tools/call",
      params: { name: "wait", arguments: {} },
    });
    await client.send({ headers, body: waiting, leaves: true });
    if (number % 2 === 0) await client.send({ verb: "DELETE", headers });
    else
      await client.send({
        headers,
        body: '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"w"}}',
      });
  });
  client.close();
}

/** @param {number} count @param {(number: number) => Promise<void>} work */
async function inLanes(count, work) {
  let next = 0;
  const lane = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}

/** @param {{ text: string }} answer @param {string | undefined} due */
function expectText({ text }, due) {
  if (due !== undefined && !text.includes(due)) throw new Error(`A wrong response: ${text.slice(0, 1000)}`);
}
