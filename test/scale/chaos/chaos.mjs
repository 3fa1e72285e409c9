import { setTimeout as wait } from "node:timers/promises";
import { Random } from "../../fuzz/generate/random.mjs";
import { RedisServer } from "../../support/redis-server.mjs";
import { COMBINATIONS } from "../clients/official.mjs";
import { NAMES, startCluster } from "../cluster/cluster.mjs";
import { honestFetch } from "./honest-fetch.mjs";
import { Outcomes } from "./outcomes.mjs";
import { Subscriber } from "./subscriber.mjs";
import { WORK } from "./work.mjs";

/**
 * @import { Cluster } from "../cluster/cluster.mjs"
 * @import { OfficialClient } from "../clients/official.mjs"
 *
 * @typedef {object} Plan
 * @property {string} program The built server.
 * @property {number} seed
 * @property {number} milliseconds How long processes are killed.
 * @property {number} [lanes] The number of concurrent clients.
 * @property {(line: string) => void} [say] Receives progress reports.
 * @property {boolean} [isShared] False for processes without a store, whose losses must be detected. Default: true.
 * @property {number} [stuckMs] How long a client may wait. Default: a minute.
 *
 * @typedef {object} Found
 * @property {Outcomes} outcomes
 * @property {Record<string, number>} kills By replica.
 * @property {number} effects
 * @property {number} repeated The number of effects that were repeated with their key.
 * @property {number} updates The number of changes that subscribers received.
 * @property {number} subscribers
 * @property {string} redis Its version.
 * @property {number} seconds
 */

/** The time limit for any event, including the end of a dead process's lease. */
const STUCK_MS = 60_000;

const SUBSCRIBERS = 6;

/**
 * Kills processes at random moments, under load, and restarts them. Then waits until all work has ended, and checks its
 * outcomes.
 *
 * @param {Plan} plan
 * @returns {Promise<Found>}
 */
export async function runChaos(plan) {
  const {
    program,
    seed,
    milliseconds,
    lanes = 12,
    say = () => {},
    isShared = true,
    stuckMs = STUCK_MS,
  } = plan;
  const random = new Random(seed);
  const started = performance.now();
  const redis = await RedisServer.start();
  const cluster = await startCluster({ program, ...(isShared && { redis: redis.url }) });
  const outcomes = new Outcomes(stuckMs);
  /** @type {Record<string, number>} */
  const kills = Object.fromEntries(NAMES.map((name) => [name, 0]));
  const isDone = () => performance.now() - started > milliseconds;
  const subscribers = Array.from(
    { length: SUBSCRIBERS },
    (_, index) => new Subscriber(cluster.url, COMBINATIONS[index % COMBINATIONS.length]),
  );
  try {
    await Promise.all(subscribers.map((each) => each.start()));
    const work = Array.from({ length: lanes }, (_, lane) =>
      workInLane({ cluster, outcomes, random: random.fork(lane + 1), lane, isDone }),
    );
    await Promise.all([
      killAtRandom(cluster, random.fork(0), isDone, kills),
      touchOften(cluster, isDone),
      report(outcomes, kills, isDone, started, say),
    ]);
    say("No more kills: what is under way comes to its end …");
    await Promise.all(work);
    await expectUpdates(cluster, subscribers, outcomes);
    findDoubled(cluster, outcomes);
    const [, version = "?"] = /redis_version:(\S+)/.exec(await redis.command("INFO", "server")) ?? [];
    const { effects, attempts } = cluster.ledger;
    return {
      outcomes,
      kills,
      effects: effects.size,
      repeated: attempts.length - effects.size,
      updates: subscribers.reduce((sum, { heard }) => sum + heard, 0),
      subscribers: subscribers.length,
      redis: version,
      seconds: (performance.now() - started) / 1000,
    };
  } finally {
    await Promise.all(subscribers.map((each) => each.close()));
    await cluster.close();
    await redis.close();
  }
}

/**
 * @param {Cluster} cluster @param {Random} random @param {() => boolean} isDone
 * @param {Record<string, number>} kills
 */
async function killAtRandom(cluster, random, isDone, kills) {
  while (!isDone()) {
    await wait(200 + random.below(1300));
    const name = random.pick(NAMES);
    // One kill in eight includes a second replica.
    const names = random.chance(1 / 8) ? NAMES.filter((each) => each !== name) : [name];
    await Promise.all(names.map((each) => cluster.replica(each).kill()));
    for (const each of names) kills[each] = (kills[each] ?? 0) + 1;
    await wait(random.below(400));
    await Promise.all(names.map((each) => cluster.replica(each).start()));
  }
}

/**
 * Runs one client after the other, each of which does several pieces of work.
 *
 * @param {{ cluster: Cluster, outcomes: Outcomes, random: Random, lane: number, isDone: () => boolean }} given
 */
async function workInLane({ cluster, outcomes, random, lane, isDone }) {
  for (let turn = 0; !isDone(); turn++) {
    const combination = random.pick(COMBINATIONS);
    /** @type {Set<() => void>} */
    const lost = new Set();
    const fetching = honestFetch(() => lost.forEach((tell) => tell()));
    const elicit = async (/** @type {string} */ message) => {
      await wait(random.below(250));
      return { action: "accept", content: message.includes("Who") ? { person: "Ada" } : { sure: true } };
    };
    const client = await timeWork(outcomes, `connect, ${combination.era}`, () =>
      combination.connect(cluster.url, { answers: { elicit }, fetch: fetching }),
    );
    if (client === undefined) continue;
    for (let piece = 0, pieces = 1 + random.below(5); piece < pieces && !isDone(); piece++) {
      const name = `job ${lane}.${turn}.${piece}`;
      const [kind, work] = random.weighted(
        WORK.map(([weight, ...rest]) => /** @type {const} */ ([weight, rest])),
      );
      cluster.ledger.open(`${name} answered`);
      const leaving = new AbortController();
      const leave = () => leaving.abort(new Error("The stream broke, and cannot be resumed."));
      lost.add(leave);
      const { url, ledger } = cluster;
      const label = kind === "task" ? kind : `${kind}, ${combination.era}`;
      const done = await timeWork(outcomes, label, async () => {
        const wrong = await work({ url, client, ledger, random, name, signal: leaving.signal });
        if (wrong !== undefined) outcomes.lost.push(wrong);
        return true;
      });
      lost.delete(leave);
      if (done === undefined && outcomes.stuck > 0) break;
    }
    await client.close().catch(() => {});
  }
}

/**
 * Does a piece of work and records its outcome.
 *
 * @template T
 * @param {Outcomes} outcomes @param {string} kind @param {() => Promise<T>} work
 * @returns {Promise<T | undefined>} Undefined if it failed.
 */
async function timeWork(outcomes, kind, work) {
  const began = performance.now();
  const stuck = new AbortController();
  const patience = wait(outcomes.stuckMs, STUCK, { signal: stuck.signal, ref: false }).catch(() => STUCK);
  try {
    const result = await Promise.race([work(), patience]);
    const isStuck = result === STUCK;
    outcomes.note(kind, isStuck ? "stuck" : "acknowledged", performance.now() - began);
    return isStuck ? undefined : /** @type {T} */ (result);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    // An issued session must survive, too.
    if (/no such session/i.test(reason)) outcomes.lost.push(`${kind}: ${reason}`);
    outcomes.note(kind, "failed", performance.now() - began, reason);
    return undefined;
  } finally {
    stuck.abort();
  }
}

const STUCK = Symbol("stuck");

/** Announces a change of a note at the next replica. @param {Cluster} cluster */
async function touch({ url }) {
  const client = await COMBINATIONS[2]?.connect(url);
  await client?.call("touch", { id: "chaos" });
  await client?.close();
}

/** @param {Cluster} cluster @param {() => boolean} isDone */
async function touchOften(cluster, isDone) {
  while (!isDone()) {
    await touch(cluster).catch(() => {});
    await wait(200);
  }
}

/** Checks that each subscriber is notified of changes after all faults. @param {Cluster} cluster @param {Subscriber[]} subscribers @param {Outcomes} outcomes */
async function expectUpdates(cluster, subscribers, outcomes) {
  await Promise.all(
    subscribers.map(async (subscriber) => {
      const before = subscriber.heard;
      await timeWork(outcomes, `subscriber, ${subscriber.era}`, async () => {
        while (subscriber.heard === before) {
          await touch(cluster).catch(() => {});
          await wait(100);
        }
      });
    }),
  );
}

/** Returns the effects that happened under two keys. @param {Cluster} cluster @param {Outcomes} outcomes */
function findDoubled({ ledger }, outcomes) {
  /** @type {Map<string, number>} */
  const byName = new Map();
  for (const { name } of ledger.effects.values()) byName.set(name, (byName.get(name) ?? 0) + 1);
  for (const [name, count] of byName)
    if (count > 1) outcomes.doubled.push(`"${name}" was done ${count} times`);
}

/**
 * @param {Outcomes} outcomes @param {Record<string, number>} kills @param {() => boolean} isDone
 * @param {number} started @param {(line: string) => void} say
 */
async function report(outcomes, kills, isDone, started, say) {
  for (let second = 1; !isDone(); second++) {
    await wait(1000);
    if (second % 20 !== 0) continue;
    const seconds = Math.round((performance.now() - started) / 1000);
    const killed = Object.values(kills).reduce((sum, count) => sum + count, 0);
    const clock = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    say(`${clock.padStart(6)}  ${outcomes.calls} calls, ${killed} kills, ${outcomes.faults} faults`);
  }
}
