/**
 * Steps of a handler (`ctx.step`): each receives an idempotency key, and with a store its result is reused by the next runs.
 *
 * A modern call runs its handler again in each round. The tool `order` asks `elicit-1`, runs the step `reserve`, asks `elicit-2`,
 * and runs the step `pay`.
 */
import { memoryStore, type Store } from "@tenon/runtime/store";
import { afterEach, describe, expect, test, vi } from "vitest";
// Internal: the derivation of keys is compared with the RFC's example.
import { createIdempotencyKey } from "../../../packages/runtime/src/call/steps/idempotency-key.js";
import { Shop } from "../orders/application.js";
import { closeServers, connect, round, serve } from "./call-rounds.js";
import { crashableStore } from "./crashable-store.js";

const UUID = /^[\da-f]{8}-[\da-f]{4}-5[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

afterEach(closeServers);

/** Creates a promise and the function that resolves it. */
function gate(): { readonly passed: Promise<void>; open(): void } {
  let open = (): void => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open };
}

/** Lists the idempotency keys of an effect, one for each execution. */
const findKeys = (shop: Shop, effect: string): string[] =>
  shop.effects.flatMap((each) => (each.startsWith(`${effect} `) ? [each.slice(effect.length + 1)] : []));

describe("the idempotency key of a step", () => {
  test.each(["2025-11-25", "2026-07-28"])("is unique to the step and the call, at %s", async (revision) => {
    const shop = new Shop();
    const client = connect(serve(shop), revision);
    await client.open();
    await client.callAndAnswer("order");
    await client.callAndAnswer("order");
    const keys = shop.effects.map((each) => each.split(" ")[1] ?? "");
    expect(keys).toHaveLength(4);
    expect(new Set(keys).size).toBe(4);
    for (const key of keys) expect(key).toMatch(UUID);
  });

  test("is the same in every run of the call, in any process", async () => {
    const shop = new Shop();
    const first = await round(serve(shop), "order");
    await round(serve(shop), "order", first, { "elicit-1": "Ada" });
    await round(serve(shop), "order", first, { "elicit-1": "Ada" });
    const [one, other] = findKeys(shop, "reserve");
    expect(one).toMatch(UUID);
    expect(other).toBe(one);
  });

  test("is also unique for a step before the first question", async () => {
    const shop = new Shop();
    const server = serve(shop);
    const first = await round(server, "stepBeforeQuestion");
    await round(server, "stepBeforeQuestion", first, { "elicit-1": "Ada" });
    expect(shop.count("first")).toBe(1);
    const callKeys = [...findKeys(shop, "first"), ...findKeys(shop, "last")];
    expect(new Set(callKeys).size).toBe(2);
  });

  test("exists in a task", async () => {
    const shop = new Shop();
    const client = connect(serve(shop), "2026-07-28", {
      extensions: { "io.modelcontextprotocol/tasks": {} },
    });
    expect(await client.call("stepBeforeQuestion")).toMatchObject({ resultType: "task" });
    await vi.waitFor(() => expect(findKeys(shop, "first")[0]).toMatch(UUID));
  });

  test("is a UUID derived from the call and the step", () => {
    // The example in RFC 9562, appendix A.4.
    expect(createIdempotencyKey("6ba7b810-9dad-11d1-80b4-00c04fd430c8", "www.example.com")).toBe(
      "2ed6657d-e927-568b-95e1-2665a8aea6a2",
    );
  });
});

describe("a step, with a store,", () => {
  test("is not repeated by a retry if the response was lost", async () => {
    const [shop, store] = [new Shop(), memoryStore()];
    const first = await round(serve(shop, store), "order");
    const second = await round(serve(shop, store), "order", first, { "elicit-1": "Ada" });
    // The client retries as if it had not received the second response.
    const again = await round(serve(shop, store), "order", first, { "elicit-1": "Ada" });
    expect(shop.count("reserve")).toBe(1);
    for (const each of [second, again]) {
      const last = await round(serve(shop, store), "order", each, { "elicit-2": "Oslo" });
      expect(last.result).toMatchObject({ content: [{ text: "Ada, reserve 1, Oslo, pay 2" }] });
    }
    expect(shop.count("pay")).toBe(1);
  });

  test("runs once in concurrent runs, which wait for its result", async () => {
    const [shop, store] = [new Shop(), memoryStore()];
    const first = await round(serve(shop, store), "order");
    const { passed, open } = gate();
    const before = vi.fn(() => passed);
    shop.beforeEffect = before;
    const server = serve(shop, store);
    const rounds = [server, serve(shop, store), server].map((each) =>
      round(each, "order", first, { "elicit-1": "Ada" }),
    );
    await vi.waitFor(() => expect(before).toHaveBeenCalled());
    open();
    for (const each of rounds) expect((await each).result).toMatchObject({ resultType: "input_required" });
    expect(before).toHaveBeenCalledTimes(1);
  });

  test("runs again after its process died, with the same key", async () => {
    const [shop, store] = [new Shop(), memoryStore()];
    const crashable = crashableStore(store);
    const first = await round(serve(shop, store), "order");
    const [begun, resumed] = [gate(), gate()];
    shop.beforeEffect = () => {
      begun.open();
      return resumed.passed;
    };
    const late = round(serve(shop, crashable), "order", first, { "elicit-1": "Ada" });
    await begun.passed;
    shop.beforeEffect = async () => {};
    const retried = round(serve(shop, store), "order", first, { "elicit-1": "Ada" });
    await crashable.kill();
    const second = await retried;
    expect(second.result).toMatchObject({ resultType: "input_required" });
    // The first process was only paused. Its late effect has the same key, and the result of the second process is used.
    crashable.resume();
    resumed.open();
    const lateResponse = await late;
    const [key, ...others] = findKeys(shop, "reserve");
    expect(others).toEqual([key]);
    for (const each of [second, lateResponse]) {
      const last = await round(serve(shop, store), "order", each, { "elicit-2": "Oslo" });
      expect(last.result).toMatchObject({ content: [{ text: "Ada, reserve 1, Oslo, pay 3" }] });
    }
  });

  test("runs again in the next run if it fails", async () => {
    const [shop, store] = [new Shop(), memoryStore()];
    const first = await round(serve(shop, store), "order");
    shop.beforeEffect = () => Promise.reject(new Error("The shop is closed."));
    const failed = await round(serve(shop, store), "order", first, { "elicit-1": "Ada" });
    expect(failed.result).toMatchObject({ isError: true });
    shop.beforeEffect = async () => {};
    const again = await round(serve(shop, store), "order", first, { "elicit-1": "Ada" });
    expect(again.result).toMatchObject({ resultType: "input_required" });
    expect(shop.count("reserve")).toBe(1);
  });

  test("does not begin while the store is unreachable, but its result is kept if the store fails later", async () => {
    const shop = new Shop();
    const store = memoryStore();
    let isUnreachable = false;
    const set: Store["set"] = (...args) =>
      isUnreachable ? Promise.reject(new Error("connect ECONNREFUSED")) : store.set(...args);
    const failing = new Proxy(store, {
      get: (target, name) => {
        const method = name === "set" ? set : (Reflect.get(target, name) as () => unknown).bind(target);
        return method;
      },
    });
    const server = serve(shop, failing);
    const first = await round(server, "order");
    shop.beforeEffect = async () => {
      isUnreachable = true;
    };
    const second = await round(server, "order", first, { "elicit-1": "Ada" });
    expect(second.result).toMatchObject({ resultType: "input_required" });
    const rejected = await round(server, "order", second, { "elicit-2": "Oslo" });
    expect(rejected.error?.message).toMatch(/cannot reach the store/);
    expect(shop.effects).toHaveLength(1);
    isUnreachable = false;
    const again = await round(serve(shop, failing), "order", first, { "elicit-1": "Ada" });
    expect(again.result).toMatchObject({ resultType: "input_required" });
    expect(shop.effects).toHaveLength(1);
  });

  test("causes no store access in the first round of a call", async () => {
    const store = memoryStore();
    const get = vi.spyOn(store, "get");
    await round(serve(new Shop(), store), "stepBeforeQuestion");
    expect(get).not.toHaveBeenCalled();
  });
});
