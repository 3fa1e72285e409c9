/**
 * Consumed request states (`ctx.consumeRequestState`): a request state with answers is accepted only once.
 *
 * The tool `transfer` consumes its state, asks `elicit-1`, sends money, and asks `elicit-2`.
 */
import { memoryStore } from "@tenon/runtime/store";
import { afterEach, describe, expect, test, vi } from "vitest";
// Internal: the bound on states in memory is beyond the number of calls that a test can make.
import { MemoryConsumedStates } from "../../../packages/runtime/src/call/input/replay/consumed-states.js";
import { Shop } from "../orders/application.js";
import { closeServers, connect, round, serve } from "./call-rounds.js";

afterEach(async () => {
  vi.useRealTimers();
  await closeServers();
});

describe("a consumed request state", () => {
  const answered = { "elicit-1": "Eve" };

  test("is rejected when it is sent again, even if the handler ignores errors", async () => {
    const shop = new Shop();
    const server = serve(shop);
    const first = await round(server, "transfer");
    const second = await round(server, "transfer", first, answered);
    const again = await round(server, "transfer", first, answered);
    expect(again.error).toMatchObject({
      code: -32602,
      message: expect.stringContaining("was already used") as string,
    });
    const last = await round(server, "transfer", second, { "elicit-2": "Ada" });
    expect(last.result).toMatchObject({ content: [{ text: expect.stringContaining("Eve send") as string }] });
  });

  test("is rejected by every process that shares a store", async () => {
    const [shop, store] = [new Shop(), memoryStore()];
    const first = await round(serve(shop, store), "transfer");
    const rounds = await Promise.all(
      [1, 2, 3].map(() => round(serve(shop, store), "transfer", first, answered)),
    );
    expect(rounds.filter(({ error }) => error === undefined)).toHaveLength(1);
    expect(shop.count("send")).toBe(1);
  });

  test("is also rejected as a copy that a repeated request obtained", async () => {
    const shop = new Shop();
    const server = serve(shop);
    const first = await round(server, "transfer");
    const copies = [await round(server, "transfer", first), await round(server, "transfer", first)];
    const rounds = [];
    for (const each of copies) rounds.push(await round(server, "transfer", each, answered));
    expect(rounds.map(({ error }) => error === undefined)).toEqual([true, false]);
  });

  test("expires on time despite retries without an answer", async () => {
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

  test("is remembered until it expires, for a bounded number of calls", () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const states = new MemoryConsumedStates();
    for (let id = 0; id < 65_536; id++) expect(states.consume(String(id), 1000)).toBe(true);
    expect(states.consume("0", 1000)).toBe(false);
    expect(() => states.consume("other", 1000)).toThrow(/Too many request states/);
    vi.advanceTimersByTime(1001);
    expect(states.consume("other", 1000)).toBe(true);
    expect(states.consume("0", 1000)).toBe(true);
  });

  test("has no effect for legacy clients, whose answers arrive once", async () => {
    const shop = new Shop();
    const client = connect(serve(shop), "2025-11-25");
    await client.open();
    expect(await client.call("transfer")).toMatchObject({ content: [{ text: "Ada send 1 Ada" }] });
  });
});
