/** What processes that share a store know of each other. */
import { memoryStore, shared, type Store } from "@tenon/runtime/store";
import { createServer } from "@tenon/runtime/server";
import { connect } from "@tenon/runtime/testing";
import { afterEach, describe, expect, test, vi } from "vitest";
import { Replica } from "../../../packages/runtime/src/replicas/replica.js";
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
  test("tell each other, one or all, and nobody else", async () => {
    const store = memoryStore();
    const [a, b, c, stranger] = [join(store), join(store), join(store), join(store, "other")];
    await vi.waitFor(() => expect([a, b, c, stranger].every(({ isHeld }) => isHeld)).toBe(true));
    const heard: unknown[] = [];
    for (const [name, replica] of Object.entries({ a, b, c, stranger })) {
      replica.on("news", (payload, from) => heard.push([name, payload, from]));
    }
    await a.tellAll("news", 1);
    await b.tell(c.id, "news", 2);
    await vi.waitFor(() => expect(heard).toHaveLength(3));
    expect(heard).toEqual([
      ["b", 1, a.id],
      ["c", 1, a.id],
      ["c", 2, b.id],
    ]);
  });

  test("know who is alive", async () => {
    const store = memoryStore();
    const [a, b] = [join(store), join(store)];
    await vi.waitFor(() => expect(a.isHeld && b.isHeld).toBe(true));
    expect(await a.isAlive(b.id)).toBe(true);
    await b.close();
    expect(b.isHeld).toBe(false);
    expect(await a.isAlive(b.id)).toBe(false);
  });

  test("find each other as soon as a store that was gone is back, and know that they may have missed something", async () => {
    const store = memoryStore();
    let isGone = true;
    const subscribe: Store["subscribe"] = (...args) =>
      isGone ? Promise.reject(new Error("connect ECONNREFUSED")) : store.subscribe(...args);
    const replica = join(replacedStore(store, { subscribe }));
    const onGap = vi.fn();
    replica.onGap(onGap);
    await vi.waitFor(() => expect(log.map(({ event }) => event)).toContain("store-missed"));
    isGone = false;
    await vi.waitFor(() => expect(onGap).toHaveBeenCalled(), 5000);
  });
});

describe("servers with a store", () => {
  test("hold a caller to one limit together", async () => {
    const store = memoryStore();
    const serve = () =>
      createServer(
        createFixture({
          store: shared(store),
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

  test("say what a store by itself has to be put into", () => {
    const config = { store: memoryStore() as never };
    expect(() => createServer(createFixture(config))).toThrowErrorMatchingInlineSnapshot(
      `[TypeError: \`store\` must be redis(…) of @tenon/runtime/redis, or shared(store) of @tenon/runtime/store for a store of your own]`,
    );
  });

  test("answer 503 while the store cannot be asked, and tell nobody why", async () => {
    const take = () => Promise.reject(new Error("redis://secret@10.0.0.1 refused"));
    const store = replacedStore(memoryStore(), { take });
    const config = {
      store: shared(store),
      rateLimit: { calls: 3, windowMs: 60_000 },
      log: (entry: LogEntry) => log.push(entry),
    };
    const client = await connect(createServer(createFixture(config)), { principal: "ada" });
    await expect(client.callTool("add", { a: 1, b: 2 })).rejects.toThrowErrorMatchingInlineSnapshot(
      `[RpcError: The server cannot reach what it shares with its other processes. Try again in a moment.]`,
    );
    await expect(client.callTool("add", { a: 1, b: 2 })).rejects.toThrow();
    expect(log.filter(({ event }) => event === "store-missed")).toHaveLength(1);
  });
});
