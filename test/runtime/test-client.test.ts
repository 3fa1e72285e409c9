import type { Server } from "@tenon/runtime/server";
import { connect } from "@tenon/runtime/testing";
import { expect, onTestFinished, test, vi } from "vitest";
import { quietServer } from "../support/describe-transports.js";
import { createAskingFixture } from "./asking/application.js";
import { createFixture } from "./fixture/application.js";
import { Prompts, Resources, Tools } from "./fixture/src/handlers.js";

test("the test client keeps the latest of many notifications", async () => {
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
  const { notifications } = await connect(server as unknown as Server);
  expect(notifications.length).toBeGreaterThanOrEqual(9000);
  expect(notifications.length).toBeLessThanOrEqual(10_000);
  expect(notifications.at(-1)?.params).toEqual({ progressToken: 1, progress: 50_000 });
  expect(notifications[0]?.params).toMatchObject({ progress: 50_001 - notifications.length });
});

test("a call cancelled before it begins is not made", async () => {
  const tools = new Tools();
  const made = vi.spyOn(tools, "add");
  const client = await connect(
    quietServer(createFixture({ provide: [tools, new Prompts(), new Resources()] })),
  );
  onTestFinished(() => client.close());
  const call = client.callTool("add", { a: 1, b: 2 }, { signal: AbortSignal.abort("Never mind.") });
  await expect(call).rejects.toBe("Never mind.");
  expect(made).not.toHaveBeenCalled();
});

test.each(["2025-11-25", "2026-07-28"])("a missing answer ends the call at %s", async (revision) => {
  const client = await connect(quietServer(createAskingFixture()), {
    revision,
    answers: { elicit: () => undefined as never },
  });
  onTestFinished(() => client.close());
  const result = await client
    .callTool("greet")
    .catch((error: unknown) => ({ content: [{ text: String(error) }] }));
  expect(JSON.stringify(result.content)).toContain(
    "`answers.elicit` returned undefined. Return { action, content }.",
  );
});
