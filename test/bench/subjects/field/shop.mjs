/**
 * The work of the three tools, the same in every server, so that only the serving differs, and the client with which it
 * calls the API.
 * @module
 */
import { Redis } from "ioredis";
import { request } from "undici";

/** Number of products in the list of the most popular. */
const POPULAR = 10;
/** Number of orders that a cart shows. */
const RECENT = 5;

/** Calls the API with `fetch`. */
class FetchClient {
  /** @param {string} base */
  constructor(base) {
    this.base = base;
  }

  /** @param {string} path @param {object} [body] */
  async json(path, body) {
    const response = await fetch(
      this.base + path,
      body && {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      },
    );
    if (!response.ok) throw new Error(`The API responded with ${response.status}.`);
    return response.json();
  }
}

/** Calls the API with `request` of undici, over connections that it keeps. */
class UndiciClient {
  /** @param {string} base */
  constructor(base) {
    this.base = base;
  }

  /** @param {string} path @param {object} [body] @returns {Promise<any>} */
  async json(path, body) {
    const response = await request(
      this.base + path,
      body && {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      },
    );
    if (response.statusCode === 200) return response.body.json();
    await response.body.dump();
    throw new Error(`The API responded with ${response.statusCode}.`);
  }
}

/** The shop of the workload. */
export class Shop {
  /** @param {FetchClient | UndiciClient} api @param {Redis} redis */
  constructor(api, redis) {
    this.api = api;
    this.redis = redis;
  }

  /** Opens the shop that the environment describes. */
  static open() {
    const { FIELD_API = "", FIELD_REDIS = "", FIELD_CLIENT } = process.env;
    const api = FIELD_CLIENT === "undici" ? new UndiciClient(FIELD_API) : new FetchClient(FIELD_API);
    return new Shop(api, new Redis(FIELD_REDIS, { enableReadyCheck: false, maxRetriesPerRequest: 3 }));
  }

  /** @param {string} category @param {number} min_price @param {number} max_price @param {number} limit */
  async searchProducts(category, min_price, max_price, limit) {
    const query = new URLSearchParams({
      category,
      min_price: String(min_price),
      max_price: String(max_price),
      limit: String(limit),
    });
    const [found, members] = await Promise.all([
      this.api.json(`/products/search?${query}`),
      this.redis.zrevrange("bench:popular", 0, POPULAR - 1),
    ]);
    const popular = members.map((member) => Number(member.split(":")[1]));
    const ranks = new Map(popular.map((id, index) => [id, index + 1]));
    return {
      category,
      total_found: found.total_found,
      products: found.products.map((/** @type {any} */ { id, sku, name, price, rating }) => ({
        id,
        sku,
        name,
        price,
        rating,
        popularity_rank: ranks.get(id) ?? 0,
      })),
      top10_popular_ids: popular,
    };
  }

  /** @param {string} user_id */
  async getUserCart(user_id) {
    const stored = await this.redis.hgetall(`bench:cart:${user_id}`);
    const items = JSON.parse(stored["items"] ?? "[]");
    const [, history] = await Promise.all([
      this.api.json(`/products/${items[0]?.product_id ?? 1}`),
      this.redis.lrange(`bench:history:${user_id}`, 0, RECENT - 1),
    ]);
    return {
      user_id,
      cart: { items, item_count: items.length, estimated_total: Number(stored["total"] ?? 0) },
      recent_history: history.map((each) => JSON.parse(each)),
    };
  }

  /** @param {string} user_id @param {{ product_id: number, quantity: number }[]} items */
  async checkout(user_id, items) {
    const group = String(Number(user_id.split("-").pop()) % 100).padStart(5, "0");
    const order = { order_id: `ORD-${user_id}-${Date.now()}`, items, ts: Math.floor(Date.now() / 1000) };
    const [priced, count] = await Promise.all([
      this.api.json("/cart/calculate", { user_id, items }),
      this.redis.incr(`bench:ratelimit:user-${group}`),
      this.redis.rpush(`bench:history:${user_id}`, JSON.stringify(order)),
      this.redis.zincrby("bench:popular", 1, `product:${items[0]?.product_id ?? 1}`),
    ]);
    return {
      order_id: priced.order_id,
      user_id,
      total: priced.total,
      items_count: items.length,
      rate_limit_count: count,
      status: "confirmed",
    };
  }
}
