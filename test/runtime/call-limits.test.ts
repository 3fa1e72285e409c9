import type { Limits } from "@tenon/runtime";
import { describe, expect, test } from "vitest";
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
  test.each([LATEST, LATEST_LEGACY])("is stopped and answered at %s", async (revision) => {
    const client = await connect({ callMs: 30 }, revision);
    Notebook.lastAbort = "";
    expect(await client.call("slow", { ms: 60_000 })).toMatchObject({
      isError: true,
      content: [{ type: "text", text: "The call took longer than 30 ms and was stopped." }],
    });
    expect(Notebook.lastAbort).toBe("TimeoutError");
    expect(await client.call("slow", { ms: 1 })).toMatchObject({ content: [{ text: "Done." }] });
  });

  test("is stopped when it listens to nothing at all, and answered once", async () => {
    const server = quietServer(createFixture({ limits: { callMs: 20 } }));
    const client = new WireClient(memoryWire(server), { revision: LATEST });
    expect(await client.call("never")).toMatchObject({ isError: true });
    expect(await client.call("pause", { ms: 40 })).toMatchObject({ isError: true });
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(await client.call("nothing")).toMatchObject({ content: [] });
  });

  test("does not end subscriptions", async () => {
    const client = await connect({ callMs: 20 });
    const listening = client.request("subscriptions/listen", { notifications: { toolsListChanged: true } });
    const later = new Promise((resolve) => setTimeout(resolve, 60, "open"));
    expect(await Promise.race([listening, later])).toBe("open");
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
  "a limit that is none is refused: %j",
  (limits) => {
    expect(() => quietServer(createFixture({ limits }))).toThrow(/must be a positive number/);
  },
);
