import type { Limits } from "@tenon/runtime";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { LATEST, LATEST_LEGACY, quietServer } from "../support/describe-transports.js";
import { WireClient } from "../support/wire-client.js";
import { memoryWire } from "../support/wires.js";
import { createFixture } from "./fixture/application.js";
import { createNotebook, Notebook } from "./fixture/notebook.js";

async function connect(limits: Partial<Limits>, revision = LATEST): Promise<WireClient> {
  const client = new WireClient(memoryWire(quietServer(createNotebook({ limits }))), { revision });
  await client.open();
  return client;
}

describe("a call that takes too long", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
  afterEach(() => void vi.useRealTimers());

  test.each([LATEST, LATEST_LEGACY])("is stopped and answered at %s", async (revision) => {
    const client = await connect({ callMs: 30 }, revision);
    Notebook.lastAbort = "";
    const stopped = client.call("slow", { ms: 60_000 });
    await vi.advanceTimersByTimeAsync(30);
    expect(await stopped).toMatchObject({
      isError: true,
      content: [{ type: "text", text: "The call took longer than 30 ms and was stopped." }],
    });
    expect(Notebook.lastAbort).toBe("TimeoutError");
    const inTime = client.call("slow", { ms: 29 });
    await vi.advanceTimersByTimeAsync(29);
    expect(await inTime).toMatchObject({ content: [{ text: "Done." }] });
  });

  test("is stopped when it listens to nothing at all, and answered once", async () => {
    const wire = memoryWire(quietServer(createFixture({ limits: { callMs: 20 } })));
    const said: string[] = [];
    const onMessage: typeof wire.onMessage = (listener) =>
      wire.onMessage((text) => {
        said.push(text);
        listener(text);
      });
    const client = new WireClient({ ...wire, onMessage }, { revision: LATEST });
    const calls = [client.call("never"), client.call("pause", { ms: 40 })];
    await vi.advanceTimersByTimeAsync(20);
    expect(await Promise.all(calls)).toMatchObject([{ isError: true }, { isError: true }]);
    await vi.advanceTimersByTimeAsync(40);
    expect(await client.call("nothing")).toMatchObject({ content: [] });
    expect(said).toHaveLength(3);
  });

  test("does not end subscriptions", async () => {
    const client = await connect({ callMs: 20 });
    const listening = client.request("subscriptions/listen", { notifications: { toolsListChanged: true } });
    await vi.advanceTimersByTimeAsync(60);
    expect(await Promise.race([listening, Promise.resolve("open")])).toBe("open");
  });
});

describe("calls in progress", () => {
  test("are as many as the limits allow, while subscriptions do not count", async () => {
    const client = await connect({ calls: 3 });
    for (let count = 0; count < 5; count++) {
      void client.request("subscriptions/listen", { notifications: {} });
    }
    const running = Array.from({ length: 3 }, () => client.call("slow", { ms: 50 }));
    expect(await client.error("tools/call", { name: "slow", arguments: { ms: 1 } })).toMatchObject({
      code: -32603,
      message: "Too many requests are in progress on this connection.",
    });
    await Promise.all(running);
    expect(await client.call("slow", { ms: 1 })).toMatchObject({ content: [{ text: "Done." }] });
  });

  test("leave room for a ping", async () => {
    const client = await connect({ calls: 1 }, LATEST_LEGACY);
    const running = client.call("slow", { ms: 50 });
    expect(await client.result("ping")).toEqual({});
    await running;
  });
});

test.each([{ callMs: -1 }, { calls: 0 }, { subscriptions: 0 }, { subscribedResources: Number.NaN }])(
  "an invalid limit is refused: %j",
  (limits) => {
    expect(() => quietServer(createFixture({ limits }))).toThrow(/must be a positive number/);
  },
);
