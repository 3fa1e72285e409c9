import type { Server } from "@tenon/runtime/server";
import { connect as connectInMemory } from "@tenon/runtime/testing";
import { expect, onTestFinished, test, vi } from "vitest";
import { LATEST } from "../../packages/runtime/src/protocol/revisions.js";
import { MemoryClient } from "../../packages/runtime/src/testing/memory-client.js";
import { quietServer } from "../support/describe-transports.js";
import { createFixture } from "./fixture/application.js";
import { Prompts, Resources, Tools } from "./fixture/handlers.js";

test("of many notifications, the test client keeps the last", async () => {
  const server = {
    connect: (peer: { send(text: string): void }) => ({
      receive({ id }: { id: number }) {
        for (let progress = 1; progress <= 50_000; progress += 1) {
          const params = { progressToken: 1, progress };
          peer.send(JSON.stringify({ jsonrpc: "2.0", method: "notifications/progress", params }));
        }
        return { text: JSON.stringify({ jsonrpc: "2.0", id, result: { capabilities: {} } }) };
      },
      close() {},
    }),
  };
  const client = new MemoryClient(server as unknown as Server, LATEST, {});
  await client.open();
  const { notifications } = client;
  expect(notifications.length).toBeGreaterThanOrEqual(9000);
  expect(notifications.length).toBeLessThanOrEqual(10_000);
  expect(notifications.at(-1)?.params).toEqual({ progressToken: 1, progress: 50_000 });
  expect(notifications[0]?.params).toMatchObject({ progress: 50_001 - notifications.length });
});

test("a call that is cancelled before it begins is not made", async () => {
  const tools = new Tools();
  const made = vi.spyOn(tools, "add");
  const client = await connectInMemory(
    quietServer(createFixture({ provide: [tools, new Prompts(), new Resources()] })),
  );
  onTestFinished(() => client.close());
  const call = client.callTool("add", { a: 1, b: 2 }, { signal: AbortSignal.abort("Never mind.") });
  await expect(call).rejects.toBe("Never mind.");
  expect(made).not.toHaveBeenCalled();
});
