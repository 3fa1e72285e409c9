/**
 * Requests that clients send, and the results that they must receive.
 * @module
 */
import { isDeepStrictEqual } from "node:util";
import { add, document, search } from "../subjects/workload.mjs";

/** @typedef {"legacy" | "modern"} Era */
/** @typedef {import("./http-connection.mjs").HttpConnection} HttpConnection */

/**
 * @typedef {object} Call a request that is repeated; its turn is its ID, so that concurrent requests differ
 * @property {string} method
 * @property {string} [name] of the tool
 * @property {(turn: number) => object} params
 * @property {(result: any, turn: number) => boolean} check
 */

export const REVISION = { legacy: "2025-11-25", modern: "2026-07-28" };

const CLIENT = { name: "bench", version: "1.0.0" };
const META = JSON.stringify({
  "io.modelcontextprotocol/protocolVersion": REVISION.modern,
  "io.modelcontextprotocol/clientInfo": CLIENT,
  "io.modelcontextprotocol/clientCapabilities": {},
});

/** @param {Era} era @param {number} id @param {string} method @param {object} [params] */
export function requestText(era, id, method, params = {}) {
  const members = JSON.stringify(params).slice(1, -1);
  const meta = era === "modern" ? `${members === "" ? "" : ","}"_meta":${META}` : "";
  return `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":{${members}${meta}}}`;
}

/** @param {Era} era @param {number} id @param {Call} call */
export function callText(era, id, call) {
  return requestText(era, id, call.method, call.params(id));
}

/** @param {number} id */
export function initializeText(id) {
  return requestText("legacy", id, "initialize", {
    protocolVersion: REVISION.legacy,
    capabilities: {},
    clientInfo: CLIENT,
  });
}

export const INITIALIZED = '{"jsonrpc":"2.0","method":"notifications/initialized"}';

const SEARCHES = Array.from({ length: 64 }, (_, index) => {
  const args = {
    query: ["The", "ar", "line", "way"][index % 4] ?? "",
    limit: 1 + (index % 5),
    filters: {
      tags: index % 3 === 0 ? ["place", "work"] : ["place"],
      price: { min: index % 20, max: 40 + (index % 8) },
      order: /** @type {"cheapest" | "dearest"} */ (index % 2 === 0 ? "cheapest" : "dearest"),
    },
  };
  const found = search(args);
  return { args, found, text: JSON.stringify(found) };
});

/** @param {number} turn */
function getSearch(turn) {
  return /** @type {(typeof SEARCHES)[number]} */ (SEARCHES[turn % SEARCHES.length]);
}

const DOCUMENT = document();

/** Sends one independent request at 2026-07-28, and checks its response. @param {HttpConnection} connection @param {Call} call @param {number} turn */
export async function modernCall(connection, call, turn) {
  const named = call.name === undefined ? {} : { "Mcp-Name": call.name };
  const headers = { "MCP-Protocol-Version": REVISION.modern, "Mcp-Method": call.method, ...named };
  const { body } = await connection.exchange(headers, callText("modern", turn, call));
  if (!call.check(JSON.parse(body).result, turn)) throw new WrongAnswer(callText("modern", turn, call), body);
}

/** @param {any} result @returns {string | undefined} */
function onlyText(result) {
  if (result?.isError === true || result?.content?.length !== 1) return undefined;
  return result.content[0].text;
}

/**
 * @param {string} name @param {(turn: number) => object} args @param {(result: any, turn: number) => boolean} check
 * @returns {Call}
 */
function toolCall(name, args, check) {
  return { method: "tools/call", name, params: (turn) => ({ name, arguments: args(turn) }), check };
}

/** The calls that are measured. */
export const CALLS = {
  add: toolCall(
    "add",
    (turn) => ({ a: turn, b: (turn % 1000) + 0.5 }),
    (result, turn) => onlyText(result) === add(turn, (turn % 1000) + 0.5),
  ),
  search: toolCall(
    "search",
    (turn) => getSearch(turn).args,
    (result, turn) => {
      const { found, text } = getSearch(turn);
      return onlyText(result) === text && isDeepStrictEqual(result.structuredContent, found);
    },
  ),
  document: toolCall(
    "document",
    () => ({}),
    (result) => onlyText(result) === DOCUMENT,
  ),
  compute: toolCall(
    "compute",
    (turn) => ({ seed: turn }),
    // Computing it again would take the client as long as the server.
    (result) => /^[\da-f]{64}$/.test(onlyText(result) ?? ""),
  ),
};

/** @param {number} tools the expected number, unless there are more pages @returns {Call} */
export function listCall(tools) {
  return {
    method: "tools/list",
    params: () => ({}),
    check: (result) => result?.tools?.length === tools || typeof result?.nextCursor === "string",
  };
}

/** An unexpected response. A run with wrong responses measures nothing. */
export class WrongAnswer extends Error {
  /** @param {string} asked @param {unknown} got */
  constructor(asked, got) {
    const text = typeof got === "string" ? got : (JSON.stringify(got) ?? String(got));
    super(`wrong answer to ${asked.slice(0, 300)}:\n${text.slice(0, 600)}`);
  }
}
