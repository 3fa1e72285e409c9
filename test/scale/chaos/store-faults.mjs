import { setTimeout as wait } from "node:timers/promises";
import { RedisServer } from "../../support/redis-server.mjs";
import { COMBINATIONS } from "../clients/official.mjs";
import { startCluster } from "../cluster/cluster.mjs";
import { openWork } from "./open-work.mjs";

/**
 * @import { OpenWork } from "./open-work.mjs"
 *
 * A fault of Redis while calls, tasks, streams, and subscriptions are open.
 * @typedef {object} StoreFault
 * @property {string} name
 * @property {"interrupts" | "loses data"} effect
 * @property {number} seconds The time for which it is unreachable.
 * @property {readonly string[]} [redis] Options of `redis-server`.
 * @property {(redis: RedisServer) => Promise<void>} cause Resolves when the fault is over.
 *
 * @typedef {object} StoreFaultResult
 * @property {StoreFault} fault
 * @property {Piece[]} pieces
 * @property {string[]} doubled Effects that happened twice.
 * @property {string[]} problems All broken guarantees, as text.
 *
 * The result of one piece of work.
 * @typedef {object} Piece
 * @property {string} name
 * @property {"done" | "failed" | "stuck"} outcome
 * @property {string} reason The error that the client received.
 * @property {number} ms The time from the beginning of the fault to the outcome.
 */

/** The duration in seconds below which an outage must not fail anything that can wait. */
const SHORT_OUTAGE_SECONDS = 10;

/** The time within which each client has a result or an error after Redis has lost its data, in milliseconds. */
const LOSS_LIMIT_MS = 10_000;

/** The time within which each client has a result or an error after Redis is back, in milliseconds. */
const RECOVERY_LIMIT_MS = 20_000;

/** The number of concurrent faults, each with its own Redis and servers. Most of the time, all of them wait. */
const CONCURRENT_FAULTS = 3;

/** Matches what a client may receive if Redis is unreachable for long or loses data: an error that names the cause, or less progress. */
const ALLOWED_REASON = /reach the store|has lost|no such task|^Progress /;

/** @param {number} seconds @returns {StoreFault} */
function stop(seconds) {
  return {
    name: `stops for ${seconds} s`,
    effect: "interrupts",
    seconds,
    redis: ["--appendonly", "yes"],
    cause: async (redis) => {
      await redis.kill();
      await wait(seconds * 1000);
      await redis.start();
    },
  };
}

/** @param {number} seconds @returns {StoreFault} */
function freeze(seconds) {
  return {
    name: `does not respond for ${seconds} s`,
    effect: "interrupts",
    seconds,
    cause: async (redis) => {
      await redis.freeze();
      await wait(seconds * 1000);
      redis.thaw();
    },
  };
}

/** @type {readonly StoreFault[]} */
const LOSSES = [
  {
    name: "is emptied",
    effect: "loses data",
    seconds: 0,
    cause: async (redis) => void (await redis.command("FLUSHALL")),
  },
  {
    name: "restarts without its data",
    effect: "loses data",
    seconds: 1,
    cause: async (redis) => {
      await redis.kill();
      await wait(1000);
      await redis.start();
    },
  },
  {
    name: "evicts everything",
    effect: "loses data",
    seconds: 1,
    cause: async (redis) => {
      await redis.command("CONFIG", "SET", "maxmemory-policy", "allkeys-random");
      await redis.command("CONFIG", "SET", "maxmemory", "1");
      await wait(1000);
      await redis.command("CONFIG", "SET", "maxmemory", "0");
    },
  },
];

/** Outages of every length from 1 to 15 seconds, of both kinds in turn, and losses of data. */
export const STORE_FAULTS = [
  ...Array.from({ length: 15 }, (_, index) => (index % 2 === 0 ? stop : freeze)(index + 1)),
  ...LOSSES,
];

/**
 * Causes a fault while work of every kind is open.
 *
 * @param {string} program the built server
 * @param {StoreFault} fault
 * @returns {Promise<StoreFaultResult>}
 */
export async function runStoreFault(program, fault) {
  const redis = await RedisServer.start(...(fault.redis ?? []));
  const cluster = await startCluster({ program, redis: redis.url });
  try {
    const subscribers = await Promise.all(
      COMBINATIONS.map(async (combination, index) => {
        const client = await combination.connect(cluster.url);
        await client.watch(`note://${index}`);
        return { name: combination.name, id: String(index), client };
      }),
    );
    const works = await openWork(cluster);
    // These clients reconnect to another replica, and continue with what the first one has stored.
    cluster.proxy.cut(({ body }) => body.includes("tools/call") && body.includes("client 2.x (legacy)"));
    await wait(500);
    const began = performance.now();
    const limitMs = fault.effect === "loses data" ? LOSS_LIMIT_MS : fault.seconds * 1000 + RECOVERY_LIMIT_MS;
    const outcomes = works.map((work) => settle(work, began, limitMs));
    const over = fault.cause(redis);
    // Handlers and users continue in the middle of an outage.
    await wait(fault.seconds * 500);
    for (const work of works) if (fault.effect === "interrupts" || !work.isStored) work.release();
    await over;
    const pieces = await Promise.all(outcomes);
    const heard = subscribers.map((each) =>
      settle(
        { name: `subscription, ${each.name}`, promise: expectUpdate(cluster.url, each) },
        began,
        Infinity,
      ),
    );
    pieces.push(...(await Promise.all(heard)));
    const doubled = findDoubled(works, cluster.ledger);
    return { fault, pieces, doubled, problems: [...findProblems(fault, pieces), ...doubled] };
  } finally {
    await cluster.close();
    await redis.close();
  }
}

/**
 * Causes faults, a few at the same time.
 *
 * @param {string} program the built server
 * @param {readonly StoreFault[]} faults
 * @param {(result: StoreFaultResult) => void} onResult
 */
export async function runStoreFaults(program, faults, onResult) {
  const queue = [...faults];
  const worker = async () => {
    for (let fault = queue.shift(); fault !== undefined; fault = queue.shift())
      onResult(await runStoreFault(program, fault));
  };
  await Promise.all(Array.from({ length: CONCURRENT_FAULTS }, worker));
}

/**
 * @param {Pick<OpenWork, "name" | "promise">} work @param {number} began @param {number} limitMs
 * @returns {Promise<Piece>}
 */
async function settle({ name, promise }, began, limitMs) {
  const elapsed = () => performance.now() - began;
  const timer = new AbortController();
  const limit = limitMs === Infinity ? new Promise(() => {}) : wait(limitMs, undefined, timer);
  try {
    return await Promise.race([
      promise.then(
        () => ({ name, outcome: /** @type {const} */ ("done"), reason: "", ms: elapsed() }),
        (error) => ({
          name,
          outcome: /** @type {const} */ ("failed"),
          reason: String(error.message),
          ms: elapsed(),
        }),
      ),
      limit.then(() => ({ name, outcome: /** @type {const} */ ("stuck"), reason: "", ms: elapsed() })),
    ]);
  } finally {
    timer.abort();
    limit.catch(() => {});
  }
}

/**
 * Resolves when a subscriber receives a change that happens now.
 *
 * @param {URL} url @param {{ id: string, client: import("../clients/official.mjs").OfficialClient }} subscriber
 */
async function expectUpdate(url, { id, client }) {
  const count = () => client.heard.filter(({ params }) => params?.uri === `note://${id}`).length;
  const before = count();
  for (let attempts = 0; attempts < 100; attempts++) {
    const toucher = await COMBINATIONS[2]?.connect(url).catch(() => undefined);
    await toucher?.call("touch", { id }).catch(() => {});
    await toucher?.close();
    await wait(200);
    if (count() > before) return;
  }
  throw new Error("The subscriber receives no more changes.");
}

/** @param {StoreFault} fault @param {readonly Piece[]} pieces */
function findProblems(fault, pieces) {
  const mayFail = fault.effect === "loses data" || fault.seconds >= SHORT_OUTAGE_SECONDS;
  return pieces.flatMap(({ name, outcome, reason, ms }) => {
    const isSubscription = name.startsWith("subscription");
    if (outcome === "stuck") return `${name}: neither a result nor an error after ${Math.round(ms)} ms`;
    const isAllowed = mayFail && !isSubscription && ALLOWED_REASON.test(reason);
    return outcome === "failed" && !isAllowed ? `${name}: ${reason}` : [];
  });
}

/** @param {readonly OpenWork[]} works @param {import("../cluster/ledger.mjs").Ledger} ledger */
function findDoubled(works, ledger) {
  const names = [...ledger.effects.values()].map(({ name }) => name);
  return works
    .flatMap(({ effects }) => effects.filter((effect) => names.filter((name) => name === effect).length > 1))
    .map((effect) => `"${effect}" was done twice`);
}
