/** State that processes share through a store. */
import { memoryStore, sharedStore, type Store } from "@tenon/runtime/store";
import { createServer } from "@tenon/runtime/server";
import { connect } from "@tenon/runtime/testing";
import { afterEach, describe, expect, test, vi } from "vitest";
// Internal: a process among others, without the server that it belongs to.
import { Replica } from "../../../packages/runtime/src/cluster/replicas/replica.js";
import type { LogEntry } from "@tenon/runtime";
import { replacedStore } from "../../support/replaced-store.js";
import { createFixture } from "../fixture/application.js";

const log: LogEntry[] = [];
const open: Replica[] = [];

afterEach(async () => {
  for (const replica of open.splice(0)) await replica.close();
  log.length = 0;
});

function join(store: Store, name = "fixture"): Replica {
  const replica = new Replica({ store, name, log: (entry) => log.push(entry) });
  replica.start();
  open.push(replica);
  return replica;
}

describe("replicas of one server", () => {
  test("send messages to one or to all of the others, and to no other server", async () => {
    const store = memoryStore();
    const [a, b, c, stranger] = [join(store), join(store), join(store), join(store, "other")];
    await vi.waitFor(() => expect([a, b, c, stranger].every(({ isHeld }) => isHeld)).toBe(true));
    const heard: unknown[] = [];
    for (const [name, replica] of Object.entries({ a, b, c, stranger })) {
      replica.on("news", (payload, from) => heard.push([name, payload, from]));
    }
    await a.broadcast("news", 1);
    await b.send(c.id, "news", 2);
    await vi.waitFor(() => expect(heard).toHaveLength(3));
    expect(heard).toEqual([
      ["b", 1, a.id],
      ["c", 1, a.id],
      ["c", 2, b.id],
    ]);
  });

  test("know which others are alive", async () => {
    const store = memoryStore();
    const [a, b] = [join(store), join(store)];
    await vi.waitFor(() => expect(a.isHeld && b.isHeld).toBe(true));
    expect(await a.isAlive(b.id)).toBe(true);
    await b.close();
    expect(b.isHeld).toBe(false);
    expect(await a.isAlive(b.id)).toBe(false);
  });

  test("assume that all are alive after the store has lost the leases of all", async () => {
    let clock = 0;
    const store = memoryStore({ now: () => performance.now() + clock });
    const [a, b] = [join(store), join(store)];
    await vi.waitFor(() => expect(a.isHeld && b.isHeld).toBe(true));
    const onMissed = vi.fn();
    a.onMissed(onMissed);
    clock = 60_000;
    expect(await a.isAlive(b.id)).toBe(true);
    expect(onMissed).toHaveBeenCalledTimes(1);
    expect(log.filter(({ event }) => event === "lease-lost")).toMatchObject([{ level: "warn" }]);
  });

  test("find each other when a lost store recovers, and assume that they missed messages", async () => {
    const store = memoryStore();
    let isGone = true;
    const subscribe: Store["subscribe"] = (...args) =>
      isGone ? Promise.reject(new Error("connect ECONNREFUSED")) : store.subscribe(...args);
    const replica = join(replacedStore(store, { subscribe }));
    const onMissed = vi.fn();
    replica.onMissed(onMissed);
    await vi.waitFor(() => expect(log.map(({ event }) => event)).toContain("store-unreachable"));
    isGone = false;
    await vi.waitFor(() => expect(onMissed).toHaveBeenCalled(), 5000);
  });
});

describe("servers with a store", () => {
  test("share the rate limit of each caller", async () => {
    const store = memoryStore();
    const serve = () =>
      createServer(
        createFixture({
          store: sharedStore(store),
          rateLimit: { calls: 3, windowMs: 60_000 },
          stdio: { principal: "ada" },
        }),
      );
    const clients = await Promise.all(
      [serve(), serve()].map((server) => connect(server, { principal: "ada" })),
    );
    const results = [];
    for (const index of [0, 1, 0, 1]) {
      results.push(await clients[index]!.callTool("add", { a: 1, b: 2 }));
    }
    expect(results.map(({ isError }) => isError === true)).toEqual([false, false, false, true]);
  });

  test("report a store that is not wrapped in `sharedStore`", () => {
    const config = { store: memoryStore() as never };
    expect(() => createServer(createFixture(config))).toThrow(
      "store must be redis(…), workers(), or sharedStore(store) (got an object)",
    );
  });

  test("report a store that lacks a method", () => {
    const incomplete = { get: () => Promise.resolve(undefined) } as never;
    expect(() => sharedStore(incomplete)).toThrow("sharedStore: the store must have the method `set`");
    expect(() => sharedStore(undefined as never)).toThrow(
      "sharedStore: the store must have the method `get`",
    );
  });

  test("respond with 503 while the store is unreachable, without the reason", async () => {
    const consume = () => Promise.reject(new Error("redis://secret@10.0.0.1 refused"));
    const store = replacedStore(memoryStore(), { consume });
    const config = {
      store: sharedStore(store),
      rateLimit: { calls: 3, windowMs: 60_000 },
      log: (entry: LogEntry) => log.push(entry),
    };
    const client = await connect(createServer(createFixture(config)), { principal: "ada" });
    await expect(client.callTool("add", { a: 1, b: 2 })).rejects.toThrowErrorMatchingInlineSnapshot(
      `[RpcError: The server cannot reach the store that its processes share. Try again in a moment.]`,
    );
    await expect(client.callTool("add", { a: 1, b: 2 })).rejects.toThrow();
    const reported = log.filter(({ event }) => event === "store-unreachable").map(({ msg }) => msg);
    expect(reported).toEqual(["The store is unreachable: redis://(secret)@10.0.0.1 refused"]);
  });
});
