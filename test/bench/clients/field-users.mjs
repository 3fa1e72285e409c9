/**
 * The users of the published benchmark: each calls every tool in its own session, lists the tools in another, and
 * pauses.
 * @module
 */
import { isDeepStrictEqual } from "node:util";
import { setTimeout as wait } from "node:timers/promises";
import {
  createCart,
  createHistory,
  priceOrder,
  searchCatalog,
  userName,
} from "../subjects/field/catalog.mjs";
import { eventData } from "./http-client.mjs";
import { findHeader, HttpConnection } from "./http-connection.mjs";
import { INITIALIZED, requestText, WrongAnswer } from "./requests.mjs";

const PAUSE_MS = 50;
const SEARCH = { category: "Electronics", min_price: 50, max_price: 500, limit: 10 };
const ITEMS = [
  { product_id: 42, quantity: 2 },
  { product_id: 1337, quantity: 1 },
];
const INITIALIZE = requestText("legacy", 1, "initialize", {
  protocolVersion: "2024-11-05",
  capabilities: {},
  clientInfo: { name: "field", version: "1.0.0" },
});

/** @typedef {{ body: string, check: (result: any) => boolean }} Request */
/** @typedef {{ counted: number, latencies: number[], seconds: number }} FieldLoad latencies of tool calls, in milliseconds */

/** Several users of one server, each with a connection that it keeps. */
export class FieldUsers {
  /** @param {readonly { connection: HttpConnection, requests: Request[] }[]} users */
  constructor(users) {
    this.users = users;
  }

  /** @param {URL} url @param {number} count */
  static async open(url, count) {
    const users = [];
    for (let user = 1; user <= count; user++) {
      users.push({ connection: await HttpConnection.open(url), requests: createRequests(user) });
    }
    return new FieldUsers(users);
  }

  /**
   * Repeats what users do, and checks every response.
   *
   * @param {number} milliseconds after which no user begins another round @returns {Promise<FieldLoad>}
   * `counted` are the requests that the published benchmark counts: neither notifications, nor the ends of sessions
   */
  async load(milliseconds) {
    /** @type {number[]} */
    const latencies = [];
    const started = performance.now();
    let counted = 0;
    await Promise.all(
      this.users.map(async ({ connection, requests }) => {
        while (performance.now() - started < milliseconds) {
          for (const request of requests) {
            const latency = await inSession(connection, request);
            if (request !== LIST) latencies.push(latency);
            counted += 2;
          }
          await wait(PAUSE_MS);
        }
      }),
    );
    return { counted, latencies, seconds: (performance.now() - started) / 1000 };
  }

  close() {
    for (const { connection } of this.users) connection.close();
  }
}

/**
 * Opens a session, sends one request, and ends the session.
 *
 * @param {HttpConnection} connection @param {Request} request @returns {Promise<number>} milliseconds of the request
 */
async function inSession(connection, { body, check }) {
  const opened = await connection.exchange({}, INITIALIZE);
  const id = findHeader(opened.head, "mcp-session-id");
  const headers = id === undefined ? {} : { "Mcp-Session-Id": id };
  if (readResult(opened)?.protocolVersion !== "2024-11-05") throw new WrongAnswer("initialize", opened);
  const noted = await connection.exchange(headers, INITIALIZED);
  if (noted.status !== 202) throw new WrongAnswer("notifications/initialized", noted);
  const sentAt = performance.now();
  const reply = await connection.exchange(headers, body);
  const latency = performance.now() - sentAt;
  if (!check(readResult(reply))) throw new WrongAnswer(body, reply);
  if (id !== undefined) {
    const ended = await connection.exchange(headers, "", "DELETE");
    if (ended.status !== 200 && ended.status !== 204) throw new WrongAnswer("DELETE", ended);
  }
  return latency;
}

/** @param {import("./http-connection.mjs").HttpReply} reply @returns {any} */
function readResult({ status, body }) {
  return status === 200 ? JSON.parse(body.startsWith("{") ? body : eventData(body)).result : undefined;
}

/** @type {Request} */
const LIST = {
  body: requestText("legacy", 2, "tools/list"),
  check: (result) => result?.tools?.length === 3,
};

const FOUND = searchCatalog(SEARCH.category, SEARCH.min_price, SEARCH.max_price, SEARCH.limit);
const FOUND_IDS = FOUND.products.map(({ id }) => id);

/** @param {number} user from 1 @returns {Request[]} */
function createRequests(user) {
  const user_id = userName(user);
  const { items, total } = createCart(user);
  const cart = { items, item_count: items.length, estimated_total: total };
  const history = createHistory(user, 5);
  const order = priceOrder({ user_id, items: ITEMS });
  return [
    call("search_products", SEARCH, ({ total_found, products, top10_popular_ids }) => {
      const ids = products.map((/** @type {{ id: number }} */ { id }) => id);
      return (
        total_found === FOUND.total_found &&
        isDeepStrictEqual(ids, FOUND_IDS) &&
        top10_popular_ids.length === 10
      );
    }),
    call(
      "get_user_cart",
      { user_id },
      (value) => isDeepStrictEqual(value.cart, cart) && isDeepStrictEqual(value.recent_history, history),
    ),
    call(
      "checkout",
      { user_id, items: ITEMS },
      (value) =>
        value.status === "confirmed" &&
        value.order_id === order.order_id &&
        value.total === order.total &&
        value.items_count === ITEMS.length &&
        value.rate_limit_count > 0,
    ),
    LIST,
  ];
}

/** @param {string} name @param {object} args @param {(value: any) => boolean} check @returns {Request} */
function call(name, args, check) {
  return {
    body: requestText("legacy", 2, "tools/call", { name, arguments: args }),
    check: (result) => result?.isError !== true && check(JSON.parse(result?.content?.[0]?.text ?? "{}")),
  };
}
