import { spawn } from "node:child_process";
import { once } from "node:events";
import { RedisServer } from "../../support/redis-server.mjs";
import { createCart, createHistory, getPopularity, PRODUCTS, userName } from "../subjects/field/catalog.mjs";

const CARTS = 10_000;
const HISTORIES = 1000;
const ORDERS_PER_HISTORY = 20;
const RATE_LIMITS = 100;

/** Starts a Redis that contains the data of the workload. */
export async function startFieldRedis() {
  const redis = await RedisServer.start();
  const child = spawn("redis-cli", ["-p", String(redis.port), "--pipe"], {
    stdio: ["pipe", "ignore", "inherit"],
  });
  for (const command of seeds()) child.stdin.write(encode(command));
  child.stdin.end();
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`redis-cli could not fill Redis: it ended with exit code ${code}.`);
  return redis;
}

/** @returns {Generator<string[]>} commands */
function* seeds() {
  for (let user = 1; user <= CARTS; user++) {
    const { items, total } = createCart(user);
    const name = userName(user);
    const fields = {
      user_id: name,
      items: JSON.stringify(items),
      created: "1740000000",
      expires: "1740086400",
    };
    yield ["HSET", `bench:cart:${name}`, ...Object.entries(fields).flat(), "total", total.toFixed(2)];
  }
  for (let user = 1; user <= HISTORIES; user++) {
    const orders = createHistory(user, ORDERS_PER_HISTORY).map((order) => JSON.stringify(order));
    yield ["RPUSH", `bench:history:${userName(user)}`, ...orders];
  }
  for (let id = 1; id <= PRODUCTS; id++) {
    yield ["ZADD", "bench:popular", String(getPopularity(id)), `product:${id}`];
  }
  for (let group = 0; group < RATE_LIMITS; group++) yield ["SET", `bench:ratelimit:${userName(group)}`, "0"];
}

/** Encodes a command of ASCII arguments in the protocol of Redis. @param {readonly string[]} command */
function encode(command) {
  return `*${command.length}\r\n${command.map((each) => `$${each.length}\r\n${each}\r\n`).join("")}`;
}
