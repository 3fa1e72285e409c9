import type { Server } from "@tenon/runtime/server";
import { expect, test } from "vitest";
import { LATEST } from "../../packages/runtime/src/protocol/revisions.js";
import { MemoryClient } from "../../packages/runtime/src/testing/memory-client.js";

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
