/** What is done once however often, and wherever, a call is run; and what is refused when it comes twice. */
import { memoryStore, shared, type Store } from "@tenon/runtime/store";
import { createServer, type Server } from "@tenon/runtime/server";
import { afterEach, describe, expect, test, vi } from "vitest";
import { idempotencyKey } from "../../../packages/runtime/src/ask/once/idempotency-key.js";
import { MemorySpentStates } from "../../../packages/runtime/src/ask/replay/spent-states.js";
import { WireClient } from "../../support/wire-client.js";
import { memoryWire } from "../../support/wires.js";
import type { WireMessage } from "../../wire/schemas.mjs";
import { createOrdersFixture, Shop } from "../orders/application.js";
import { mortal } from "./mortal-store.js";

const STATE_KEYS = "k".repeat(32);
const UUID = /^[\da-f]{8}-[\da-f]{4}-5[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
const accept = (name: string): object => ({ action: "accept", content: { name } });

type Members = Record<string, unknown>;

const servers: Server[] = [];
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

function serve(shop: Shop, store?: Store): Server {
  const config = { log: "off" as const, ...(store && { store: shared(store) }) };
  const server = createServer(createOrdersFixture(shop, config), { stateKeys: STATE_KEYS });
  servers.push(server);
  return server;
}

function connect(server: Server, revision = "2026-07-28", more: Members = {}): WireClient {
  const capabilities = { elicitation: {}, ...more };
  return new WireClient(memoryWire(server), { revision, capabilities, answer: () => accept("Ada") });
}

/** One round of a call: what it was answered. */
function round(server: Server, name: string, previous?: WireMessage, answers: Members = {}) {
  const { requestState } = previous?.result ?? {};
  const inputResponses = Object.fromEntries(
    Object.entries(answers).map(([key, who]) => [key, accept(String(who))]),
  );
  const retry = previous && { requestState, inputResponses };
  return connect(server).request("tools/call", { name, ...retry });
}

/** Something that a test lets go on when it wants to. */
function gate(): { readonly passed: Promise<void>; open(): void } {
  let open = (): void => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open };
}

const keysOf = (shop: Shop, effect: string): string[] =>
  shop.done.flatMap((each) => (each.startsWith(`${effect} `) ? [each.slice(effect.length + 1)] : []));

describe("an effect", () => {
  test.each(["2025-11-25", "2026-07-28"])("gets an idempotency key of its own, at %s", async (revision) => {
    const shop = new Shop();
    const client = connect(serve(shop), revision);
    await client.open();
    await client.callThrough("order");
    await client.callThrough("order");
    const keys = shop.done.map((each) => each.split(" ")[1] ?? "");
    expect(keys).toHaveLength(4);
    expect(new Set(keys).size).toBe(4);
    for (const key of keys) expect(key).toMatch(UUID);
  });

  test("gets the same key in every run of its call, wherever it is run", async () => {
    const shop = new Shop();
    const first = await round(serve(shop), "order");
    await round(serve(shop), "order", first, { "elicit-1": "Ada" });
    await round(serve(shop), "order", first, { "elicit-1": "Ada" });
    const [one, other] = keysOf(shop, "reserve");
    expect(one).toMatch(UUID);
    expect(other).toBe(one);
  });

  test("in front of the first question gets a key that others of its call do not get", async () => {
    const shop = new Shop();
    const server = serve(shop);
    const first = await round(server, "early");
    await round(server, "early", first, { "elicit-1": "Ada" });
    expect(shop.count("first")).toBe(1);
    const callKeys = [...keysOf(shop, "first"), ...keysOf(shop, "last")];
    expect(new Set(callKeys).size).toBe(2);
  });

  test("gets one in a task, too", async () => {
    const shop = new Shop();
    const client = connect(serve(shop), "2026-07-28", {
      extensions: { "io.modelcontextprotocol/tasks": {} },
    });
    expect(await client.call("early")).toMatchObject({ resultType: "task" });
    await vi.waitFor(() => expect(keysOf(shop, "first")[0]).toMatch(UUID));
  });

  test("has a key that is a UUID of its call's", () => {
    // The example of RFC 9562, appendix A.4.
    expect(idempotencyKey("6ba7b810-9dad-11d1-80b4-00c04fd430c8", "www.example.com")).toBe(
      "2ed6657d-e927-568b-95e1-2665a8aea6a2",
    );
  });
});

describe("an effect, with a store", () => {
  test("is not done again by a retry after its process died before it answered", async () => {
    const [shop, store] = [new Shop(), memoryStore()];
    const first = await round(serve(shop, store), "order");
    const second = await round(serve(shop, store), "order", first, { "elicit-1": "Ada" });
    // Of the second round, whose answer was lost, the client knows nothing.
    const again = await round(serve(shop, store), "order", first, { "elicit-1": "Ada" });
    expect(shop.count("reserve")).toBe(1);
    for (const each of [second, again]) {
      const last = await round(serve(shop, store), "order", each, { "elicit-2": "Oslo" });
      expect(last.result).toMatchObject({ content: [{ text: "Ada, reserve 1, Oslo, pay 2" }] });
    }
    expect(shop.count("pay")).toBe(1);
  });

  test("is done by one of two runs at the same time; the other waits for its result", async () => {
    const [shop, store] = [new Shop(), memoryStore()];
    const first = await round(serve(shop, store), "order");
    const { passed, open } = gate();
    const before = vi.fn(() => passed);
    shop.before = before;
    const server = serve(shop, store);
    const rounds = [server, serve(shop, store), server].map((each) =>
      round(each, "order", first, { "elicit-1": "Ada" }),
    );
    await vi.waitFor(() => expect(before).toHaveBeenCalled());
    open();
    for (const each of rounds) expect((await each).result).toMatchObject({ resultType: "input_required" });
    expect(before).toHaveBeenCalledTimes(1);
  });

  test("is taken over from a process that has died, under the same key", async () => {
    const [shop, store] = [new Shop(), memoryStore()];
    const dying = mortal(store);
    const first = await round(serve(shop, store), "order");
    const [begun, late] = [gate(), gate()];
    shop.before = () => {
      begun.open();
      return late.passed;
    };
    const lost = round(serve(shop, dying), "order", first, { "elicit-1": "Ada" });
    await begun.passed;
    shop.before = async () => {};
    const retried = round(serve(shop, store), "order", first, { "elicit-1": "Ada" });
    await dying.kill();
    const second = await retried;
    expect(second.result).toMatchObject({ resultType: "input_required" });
    // It was only stopped: what it did too late it did under the same key, and what the other did is what counts.
    dying.wake();
    late.open();
    const zombie = await lost;
    const [key, ...others] = keysOf(shop, "reserve");
    expect(others).toEqual([key]);
    for (const each of [second, zombie]) {
      const last = await round(serve(shop, store), "order", each, { "elicit-2": "Oslo" });
      expect(last.result).toMatchObject({ content: [{ text: "Ada, reserve 1, Oslo, pay 3" }] });
    }
  });

  test("that fails is tried again by the next run", async () => {
    const [shop, store] = [new Shop(), memoryStore()];
    const first = await round(serve(shop, store), "order");
    shop.before = () => Promise.reject(new Error("The shop is closed."));
    const failed = await round(serve(shop, store), "order", first, { "elicit-1": "Ada" });
    expect(failed.result).toMatchObject({ isError: true });
    shop.before = async () => {};
    const again = await round(serve(shop, store), "order", first, { "elicit-1": "Ada" });
    expect(again.result).toMatchObject({ resultType: "input_required" });
    expect(shop.count("reserve")).toBe(1);
  });

  test("is not begun while the store cannot be asked, and is kept though the store is gone when it ends", async () => {
    const shop = new Shop();
    const store = memoryStore();
    let isGone = false;
    const set: Store["set"] = (...args) =>
      isGone ? Promise.reject(new Error("connect ECONNREFUSED")) : store.set(...args);
    const failing = new Proxy(store, {
      get: (target, name) => {
        const method = name === "set" ? set : (Reflect.get(target, name) as () => unknown).bind(target);
        return method;
      },
    });
    const server = serve(shop, failing);
    const first = await round(server, "order");
    shop.before = async () => {
      isGone = true;
    };
    const second = await round(server, "order", first, { "elicit-1": "Ada" });
    expect(second.result).toMatchObject({ resultType: "input_required" });
    const refused = await round(server, "order", second, { "elicit-2": "Oslo" });
    expect(refused.error?.message).toMatch(/cannot reach what it shares/);
    expect(shop.done).toHaveLength(1);
    isGone = false;
    const again = await round(serve(shop, failing), "order", first, { "elicit-1": "Ada" });
    expect(again.result).toMatchObject({ resultType: "input_required" });
    expect(shop.done).toHaveLength(1);
  });

  test("costs the first round of a call nothing", async () => {
    const store = memoryStore();
    const get = vi.spyOn(store, "get");
    await round(serve(new Shop(), store), "early");
    expect(get).not.toHaveBeenCalled();
  });
});

describe("a state that is spent", () => {
  const answered = { "elicit-1": "Eve" };

  test("is refused from then on, whatever the handler makes of errors", async () => {
    const shop = new Shop();
    const server = serve(shop);
    const first = await round(server, "transfer");
    const second = await round(server, "transfer", first, answered);
    const again = await round(server, "transfer", first, answered);
    expect(again.error).toMatchObject({
      code: -32602,
      message: expect.stringContaining("has been used already") as string,
    });
    const last = await round(server, "transfer", second, { "elicit-2": "Ada" });
    expect(last.result).toMatchObject({ content: [{ text: expect.stringContaining("Eve send") as string }] });
  });

  test("is refused at any process that shares a store", async () => {
    const [shop, store] = [new Shop(), memoryStore()];
    const first = await round(serve(shop, store), "transfer");
    const rounds = await Promise.all(
      [1, 2, 3].map(() => round(serve(shop, store), "transfer", first, answered)),
    );
    expect(rounds.filter(({ error }) => error === undefined)).toHaveLength(1);
    expect(shop.count("send")).toBe(1);
  });

  test("cannot be had in two copies by asking for it twice", async () => {
    const shop = new Shop();
    const server = serve(shop);
    const first = await round(server, "transfer");
    const copies = [await round(server, "transfer", first), await round(server, "transfer", first)];
    const rounds = [];
    for (const each of copies) rounds.push(await round(server, "transfer", each, answered));
    expect(rounds.map(({ error }) => error === undefined)).toEqual([true, false]);
  });

  test("does not become valid for longer by retries that bring no answer", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const server = serve(new Shop());
    let last = await round(server, "transfer");
    for (let minutes = 0; minutes < 9; minutes += 3) {
      vi.setSystemTime(Date.now() + 3 * 60_000);
      last = await round(server, "transfer", last);
      expect(last.result).toMatchObject({ resultType: "input_required" });
    }
    vi.setSystemTime(Date.now() + 60_001);
    expect((await round(server, "transfer", last, answered)).error?.message).toMatch(/expired/);
  });

  test("is known for as long as it would be valid, of so many calls", () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const states = new MemorySpentStates();
    for (let id = 0; id < 65_536; id++) expect(states.spend(String(id), 1000)).toBe(true);
    expect(states.spend("0", 1000)).toBe(false);
    expect(() => states.spend("other", 1000)).toThrow(/Too many states/);
    vi.advanceTimersByTime(1001);
    expect(states.spend("other", 1000)).toBe(true);
    expect(states.spend("0", 1000)).toBe(true);
  });

  test("is nothing to legacy clients, whose answers come once", async () => {
    const shop = new Shop();
    const client = connect(serve(shop), "2025-11-25");
    await client.open();
    expect(await client.call("transfer")).toMatchObject({ content: [{ text: "Ada send 1 Ada" }] });
  });
});
