/** A store while Redis is unreachable, slow, full, or replaced, and its recovery without a restart. */
import { createServer, type Server, type Socket } from "node:net";
import { once } from "node:events";
import type { LogEntry } from "@tenon/runtime";
import { redis, type RedisOptions } from "@tenon/runtime/redis";
import type { Store } from "@tenon/runtime/store";
import { afterEach, describe, expect, test, vi } from "vitest";
// Internal: the store that reports the outages of another is tested against a real Redis in trouble.
import { guardStore } from "../../../packages/runtime/src/store/store-outages.js";
import { missingRedis, RedisServer } from "../../support/redis-server.mjs";

const LONG = 600_000;

const missing = missingRedis();
const closing: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function start(...args: string[]): Promise<RedisServer> {
  const server = await RedisServer.start(...args);
  closing.push(() => server.close());
  return server;
}

function open(url: string, options: RedisOptions = {}): Store {
  const { store } = redis(url, options);
  closing.push(() => store.close());
  return store;
}

/** Every method that sends a command to Redis. */
const METHODS: Record<string, (store: Store) => Promise<unknown>> = {
  get: (store) => store.get("key"),
  set: (store) => store.set("key", "x", { ttlMs: LONG }),
  "set, if absent": (store) => store.set("key", "x", { ttlMs: LONG, ifAbsent: true }),
  "set, if the version": (store) => store.set("key", "x", { ttlMs: LONG, ifVersion: "1" }),
  delete: (store) => store.delete("key"),
  append: (store) => store.append("stream", ["x"], { maxBytes: 1000, ttlMs: LONG }),
  read: (store) => store.read("other stream", ""),
  "read, waiting": (store) => store.read("other stream", "", { waitMs: LONG }),
  publish: (store) => store.publish("topic", "x"),
  subscribe: async (store) =>
    (
      await store.subscribe(
        ["topic"],
        () => {},
        () => {},
      )
    )(),
  consume: (store) => store.consume([{ key: "count", calls: 1000, windowMs: LONG }]),
  lease: (store) => store.lease("lease", "holder", LONG),
};

const failures = async (store: Store): Promise<Record<string, string>> => {
  const found = Object.entries(METHODS).map(async ([name, ask]) => {
    const error = await ask(store).then(
      () => "no error",
      (reason: Error) => reason.message,
    );
    return [name, error.replaceAll(/127\.0\.0\.1:\d+/g, "HOST")] as const;
  });
  return Object.fromEntries(await Promise.all(found));
};

const failAll = (problem: string): Record<string, string> =>
  Object.fromEntries(Object.keys(METHODS).map((name) => [name, problem]));

async function expectReached(store: Store): Promise<void> {
  await expect
    .poll(() =>
      store.get("reached").then(
        () => true,
        () => false,
      ),
    )
    .toBe(true);
}

async function expectWell(store: Store): Promise<void> {
  await expect.poll(() => store.set("well", "x", { ttlMs: LONG }).then(Boolean, () => false)).toBe(true);
  await expect.poll(async () => (await failures(withoutWaiting(store)))["subscribe"]).toBe("no error");
  expect(await failures(withoutWaiting(store))).toEqual(failAll("no error"));
}

/** Wraps a working store so that no caller reaches the end of a wait. */
function withoutWaiting(store: Store): Store {
  return new Proxy(store, {
    get: (target, name) =>
      name === "read"
        ? (stream: string, after: string) => target.read(stream, after)
        : (Reflect.get(target, name) as (...args: unknown[]) => unknown).bind(target),
  });
}

describe.skipIf(missing !== undefined)(`Redis${missing ? ` (skipped: ${missing})` : ""}`, () => {
  test("when unreachable, immediately rejects every method with the reason, and recovers", async () => {
    const server = await start("--appendonly", "yes");
    const store = open(server.url);
    const version = await store.set("kept", "x", { ttlMs: LONG });
    const [id] = await store.append("kept", ["entry"], { maxBytes: 1000, ttlMs: LONG });
    await server.kill();
    await expect
      .poll(() => failures(store))
      .toEqual(failAll("Redis is unreachable: connect ECONNREFUSED HOST"));
    await server.start();
    await expectWell(store);
    expect(await store.get("kept")).toEqual({ value: "x", version });
    expect(await store.read("kept", "")).toEqual({ entries: [{ id, value: "entry" }], missed: false });
  });

  test("when unreachable at startup, is used as soon as it is available", async () => {
    const server = await start();
    await server.kill();
    const store = open(server.url);
    expect(await failures(store)).toEqual(failAll("Redis is unreachable: connect ECONNREFUSED HOST"));
    await server.start();
    await expectWell(store);
  });

  test("when unresponsive, delays no caller for long, and is retried", async () => {
    const server = await start();
    const store = open(server.url, { timeoutMs: 500 });
    await expectWell(store);
    await server.freeze();
    const first = await failures(store);
    for (const problem of Object.values(first))
      expect(problem).toMatch(
        /^Redis (?:did not respond within 500 ms|is unreachable: it does not respond)$/,
      );
    // It does not respond to a new connection either.
    await expect
      .poll(async () => new Set(Object.values(await failures(store))))
      .toEqual(new Set(["Redis is unreachable: it does not respond"]));
    server.thaw();
    await expectWell(store);
  });

  test("when paused by its administrator, behaves the same", async () => {
    const server = await start();
    const store = open(server.url, { timeoutMs: 500 });
    await expectWell(store);
    await server.command("CLIENT", "PAUSE", 2000, "ALL");
    for (const problem of Object.values(await failures(store))) expect(problem).not.toBe("no error");
    await expectWell(store);
  });

  test("when out of memory, rejects whole writes and still serves reads", async () => {
    const server = await start("--maxmemory-policy", "noeviction");
    const store = open(server.url);
    const [id] = await store.append("stream", ["before"], { maxBytes: 1000, ttlMs: LONG });
    await store.set("key", "before", { ttlMs: LONG });
    const lease = await store.lease("held", "me", LONG);
    await server.command("CONFIG", "SET", "maxmemory", "1mb");
    const found = await failures(withoutWaiting(store));
    const oom = expect.stringContaining("OOM command not allowed") as string;
    expect(found).toEqual({
      ...failAll("no error"),
      set: oom,
      "set, if absent": oom,
      append: oom,
      consume: oom,
      lease: oom,
    });
    await expect(store.append("stream", ["one", "two"], { maxBytes: 1, ttlMs: LONG })).rejects.toThrow("OOM");
    expect((await store.read("stream", "")).entries).toEqual([{ id, value: "before" }]);
    expect(await lease?.renew()).toBe(true);
    await server.command("CONFIG", "SET", "maxmemory", "0");
    await expectWell(store);
    expect(await server.command("PTTL", "s|{stream}")).not.toBe("-1");
  });

  test("when it lost its scripts, receives them again", async () => {
    const server = await start();
    const store = open(server.url);
    await expectWell(store);
    await server.command("SCRIPT", "FLUSH", "SYNC");
    expect(await failures(withoutWaiting(store))).toEqual(failAll("no error"));
  });

  test("when demoted to a replica, is reached again over a new connection to its address", async () => {
    const [server, other] = [await start(), await start()];
    const store = open(server.url);
    await expectWell(store);
    await server.command("REPLICAOF", "127.0.0.1", other.port);
    await expect(store.set("key", "x", { ttlMs: LONG })).rejects.toThrow("READONLY");
    await server.command("REPLICAOF", "NO", "ONE");
    await expectWell(store);
    // A connection was made in place of the first, since an address may be another machine's by then.
    const { store: another } = redis(server.url);
    await another.close();
    expect(await server.command("INFO", "stats")).toMatch(/total_connections_received:\d+/);
  });

  test("when too few replicas confirm a write, reports it", async () => {
    const server = await start();
    const store = open(server.url, { waitReplicas: 1, timeoutMs: 1000 });
    const problem = "The write reached only 0 of 1 Redis replicas";
    await expect(store.set("key", "x", { ttlMs: LONG })).rejects.toThrow(problem);
    await expect(store.append("s", ["x"], { maxBytes: 9, ttlMs: LONG })).rejects.toThrow(problem);
    await expect(store.lease("lease", "me", LONG)).rejects.toThrow(problem);
    const copy = await start("--replicaof", "127.0.0.1", String(server.port));
    await expect.poll(() => copy.command("INFO", "replication")).toContain("master_link_status:up");
    await expect.poll(() => store.set("key", "y", { ttlMs: LONG }).then(Boolean, () => false)).toBe(true);
    // What was acknowledged is on the copy when the first one dies.
    const acknowledged: string[] = [];
    for (let index = 0; index < 50; index += 1) {
      await store.set(`acknowledged ${index}`, "x", { ttlMs: LONG });
      acknowledged.push(`acknowledged ${index}`);
    }
    await server.kill();
    await copy.command("REPLICAOF", "NO", "ONE");
    const after = open(copy.url);
    for (const key of acknowledged) expect((await after.get(key))?.value).toBe("x");
  });

  test("when it breaks connections, subscriptions and readers continue with a notice of missed messages", async () => {
    const server = await start();
    const [store, other] = [open(server.url), open(server.url)];
    const heard: string[] = [];
    const onMissed = vi.fn();
    const end = await store.subscribe(
      ["one", "two"],
      (message, topic) => heard.push(`${topic} ${message}`),
      onMissed,
    );
    await store.subscribe(
      ["two"],
      () => {},
      () => {},
    );
    const reading = store.read("stream", "", { waitMs: LONG });
    await other.publish("one", "before");
    await expect.poll(() => heard).toEqual(["one before"]);
    expect(onMissed).not.toHaveBeenCalled();
    for (let times = 1; times <= 3; times += 1) {
      await server.command("CLIENT", "KILL", "TYPE", "pubsub");
      await expect.poll(() => onMissed.mock.calls.length).toBeGreaterThanOrEqual(times);
      await expect
        .poll(() => other.publish("two", "after").then(() => heard.includes("two after")))
        .toBe(true);
      heard.length = 0;
    }
    await other.append("stream", ["entry"], { maxBytes: 100, ttlMs: LONG });
    expect((await reading).entries.map(({ value }) => value)).toEqual(["entry"]);
    await server.command("CLIENT", "KILL", "TYPE", "normal");
    await expectWell(store);
    await end();
    expect(await server.command("PUBSUB", "NUMSUB", "one", "two")).toBe("one\n0\ntwo\n1");
  });

  test("when killed repeatedly under load, loses nothing it acknowledged", async () => {
    const server = await start("--appendonly", "yes");
    const acknowledged = new Map<string, string>();
    const over = new AbortController();
    const fences: number[] = [];
    const write = async (store: Store, name: string): Promise<void> => {
      for (let index = 0; !over.signal.aborted; index += 1) {
        const value = `${name} ${index}`;
        await store
          .append("stream", [value], { maxBytes: 2 ** 24, ttlMs: LONG })
          .then(([id]) => acknowledged.set(value, id!))
          .catch(() => new Promise((resolve) => setTimeout(resolve, 5)));
      }
    };
    const stores = ["a", "b", "c"].map((name) => ({ name, store: open(server.url) }));
    const writing = stores.map(({ name, store }) => write(store, name));
    const [{ store }] = stores as [(typeof stores)[0]];
    for (let times = 0; times < 4; times += 1) {
      const before = acknowledged.size;
      await expect.poll(() => acknowledged.size).toBeGreaterThan(before + 30);
      await expectReached(store);
      const lease = await store.lease("lease", "holder", LONG);
      await lease?.release();
      if (lease !== undefined) fences.push(lease.fencingToken);
      await server.kill();
      await server.start();
    }
    over.abort();
    await Promise.all(writing);
    await expectReached(store);
    const found = new Map<string, string>();
    for (let after = ""; ;) {
      const { entries, missed } = await store.read("stream", after);
      expect(missed).toBe(false);
      if (entries.length === 0) break;
      for (const { id, value } of entries) {
        expect(found.has(value), value).toBe(false);
        found.set(value, id);
      }
      after = entries.at(-1)!.id;
    }
    expect([...acknowledged].filter(([value, id]) => found.get(value) !== id)).toEqual([]);
    expect(fences).toEqual(fences.toSorted((one, other) => one - other));
  });

  test("when down, is retried with growing delays, on one connection at a time", async () => {
    const { port, attempts, stop } = await startRefusingPort();
    closing.push(stop);
    const store = open(`redis://127.0.0.1:${port}`);
    for (let calls = 0; calls < 50; calls += 1) await expect(store.get("key")).rejects.toThrow();
    await new Promise((resolve) => setTimeout(resolve, 2000));
    // Delays double from 100 ms, with at least half of each waited, so this many retries fit into two seconds.
    expect(attempts()).toBeGreaterThan(2);
    expect(attempts()).toBeLessThanOrEqual(8);
  });

  test("has two connections per store, however many wait and listen, and none after it is closed", async () => {
    const server = await start();
    const store = open(server.url, { timeoutMs: 30_000 });
    const stop = new AbortController();
    const reading = Array.from({ length: 2000 }, (_, index) =>
      store.read(`stream ${index}`, "", { waitMs: LONG, signal: stop.signal }),
    );
    const ends = await Promise.all(
      Array.from({ length: 2000 }, (_, index) =>
        store.subscribe(
          [`topic ${index % 500}`],
          () => {},
          () => {},
        ),
      ),
    );
    const clients = async () => (await server.command("CLIENT", "LIST")).split("\n").length - 1;
    expect(await clients()).toBe(2);
    expect((await server.command("PUBSUB", "CHANNELS", "topic *")).split("\n")).toHaveLength(500);
    await Promise.all(ends.map((end) => end()));
    stop.abort();
    await Promise.all(reading);
    await expect.poll(() => server.command("PUBSUB", "CHANNELS", "*")).toBe("");
    await store.close();
    await expect.poll(clients).toBe(0);
  });
});

describe.skipIf(missing !== undefined)("the log about Redis", () => {
  test("reports once that it is unreachable, why, and for how long", async () => {
    const server = await start();
    const entries: LogEntry[] = [];
    const store = guardStore(open(server.url), (entry) => void entries.push(entry));
    await store.get("key");
    await server.kill();
    await expect
      .poll(() => failures(store))
      .toEqual(failAll("The server cannot reach the store that its processes share. Try again in a moment."));
    for (let calls = 0; calls < 20; calls += 1) await failures(store);
    await server.start();
    await expectWell(store);
    await expect.poll(() => store.get("key").then(() => entries.length)).toBe(2);
    expect(lines(entries)).toMatchInlineSnapshot(`
      [
        "error: The store is unreachable: Redis is unreachable: connect ECONNREFUSED 127.0.0.1:6379",
        "info: The store is reachable again after N seconds",
      ]
    `);
  });

  test("reports once that it is full, though it can be read", async () => {
    const server = await start("--maxmemory-policy", "noeviction");
    const entries: LogEntry[] = [];
    const store = guardStore(open(server.url), (entry) => void entries.push(entry));
    await store.get("key");
    await server.command("CONFIG", "SET", "maxmemory", "1mb");
    for (let calls = 0; calls < 20; calls += 1) await failures(withoutWaiting(store));
    await server.command("CONFIG", "SET", "maxmemory", "0");
    await expectWell(store);
    await expect.poll(() => store.get("key").then(() => entries.length)).toBe(2);
    expect(lines(entries)).toMatchInlineSnapshot(`
      [
        "error: The store is unreachable: Redis error: OOM command not allowed when used memory > 'maxmemory'.",
        "info: The store is reachable again after N seconds",
      ]
    `);
  });
});

/** Formats log entries for people, without the parts that differ in every run. */
function lines(entries: readonly LogEntry[]): string[] {
  return entries.map(({ level, msg }) =>
    `${level}: ${msg}`
      .replace(/Socket closed unexpectedly|read ECONNRESET/, "connect ECONNREFUSED 127.0.0.1:6379")
      .replaceAll(/127\.0\.0\.1:\d+/g, "127.0.0.1:6379")
      .replace(/after .*second.*/, "after N seconds"),
  );
}

/** Starts a server that accepts connections and closes them at once. */
async function startRefusingPort(): Promise<{ port: number; attempts: () => number; stop: () => void }> {
  let count = 0;
  const server: Server = createServer((socket: Socket) => {
    count += 1;
    socket.destroy();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    port: typeof address === "object" ? (address?.port ?? 0) : 0,
    attempts: () => count,
    stop: () => void server.close(),
  };
}
