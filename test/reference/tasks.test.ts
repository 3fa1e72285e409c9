/** Tasks of 2026-07-28 with the official client of the extension. */
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { runServer } from "../interop/official-clients.js";
import type { WireMessage } from "../wire/schemas.mjs";
import { headersFor } from "../support/wires.js";
import {
  createTaskSessionFromClient,
  resultFromTaskOutcome,
  type TaskEnabledSession,
} from "../third-party/ext-tasks.js";

const clientInfo = { name: "interop", version: "1.0.0" };
const capabilities = { elicitation: { form: {} } };
const server = runServer(join(import.meta.dirname, "../../examples/everything/dist/server.js"));
afterAll(() => server.stop());

/** Responses of the client's user, by request. */
const ANSWERS: Record<string, Record<string, string | boolean>> = {
  "Delete notes.txt?": { confirm: true },
  "Who writes?": { name: "Ada" },
  "Who reads?": { name: "Grace" },
  "What is your name?": { name: "Joan" },
};

let session: TaskEnabledSession;
beforeEach(async () => {
  session = await openSession();
});

/** Opens a session of a separate client, as when a user starts another one. */
async function openSession(): Promise<TaskEnabledSession> {
  const url = await server.url();
  const client = new Client(clientInfo, { capabilities, versionNegotiation: { mode: "auto" } });
  await client.connect(new StreamableHTTPClientTransport(url));
  let requests = 0;
  const opened = createTaskSessionFromClient(client, {
    endpointId: "everything",
    v2RequestFraming: { protocolVersion: "2026-07-28", clientInfo, clientCapabilities: capabilities },
    // The 2.x client rejects results that are tasks, so these requests bypass it.
    rawDispatch: async (request, { signal } = {}) => {
      const message = { ...(request as object), jsonrpc: "2.0", id: ++requests };
      const response = await fetch(url, {
        method: "POST",
        headers: headersFor(message),
        body: JSON.stringify(message),
        signal: signal ?? null,
      });
      const text = await response.text();
      const events = text.split("\n").flatMap((line) => (line.startsWith("data: ") ? [line.slice(6)] : []));
      const { error, result } = JSON.parse(events.at(-1) ?? text) as WireMessage;
      return error === undefined
        ? { kind: "result", result: result as never }
        : { kind: "error", error: error as never };
    },
    onInputRequest: (async (request: { params: { message: string } }) => ({
      action: "accept",
      content: ANSWERS[request.params.message],
    })) as never,
  });
  onTestFinished(async () => {
    await opened.close();
    await client.close();
  });
  return opened;
}

async function text(name: string, args: Record<string, string | number> = {}): Promise<string> {
  const execution = await session.callTool(name, args);
  expect(execution.kind).toBe("task");
  const { content, isError = false } = resultFromTaskOutcome((await execution.settle()).outcome) as {
    content: { text: string }[];
    isError?: boolean;
  };
  return `${isError ? "error: " : ""}${content.map((each) => each.text).join("\n")}`;
}

test("a tool without tasks responds immediately", async () => {
  const execution = await session.callTool("greet", { name: "Ada" });
  expect(execution.kind).toBe("immediate");
  expect((await execution.settle()).outcome).toMatchObject({
    status: "completed",
    result: { content: [{ type: "text", text: "Hello, Ada!" }] },
  });
});

test.each([
  ["completes after a while", "slow_compute", { seconds: 0.2, label: "pi" }, "Computed pi in 0.2 s."],
  ["fails with a message for the model", "failing_job", {}, "error: The job failed, as it always does."],
  ["asks a question", "confirm_delete", { filename: "notes.txt" }, "Deleted notes.txt."],
  ["asks two questions at once", "multi_input", {}, "Ada writes to Grace."],
  ["asks a question before it begins", "test_tool_with_task", {}, "Hello, Joan! The work is done."],
])("a task %s", async (_, name, args, expected) => {
  expect(await text(name, args)).toBe(expected);
});

test("a task ends with a protocol error", async () => {
  const execution = await session.callTool("protocol_error_job");
  expect((await execution.settle()).outcome).toMatchObject({
    status: "failed",
    error: { code: -32603, message: expect.stringContaining("The job broke down") },
  });
});

test("a task can be cancelled", async () => {
  const execution = await session.callTool("slow_compute", { seconds: 600 });
  await execution.cancel();
  expect((await execution.settle()).outcome).toMatchObject({ status: "cancelled" });
});

test("a task is found again by a client that continues it", async () => {
  const execution = await session.callTool("slow_compute", { seconds: 0.5, label: "e" });
  if (execution.kind !== "task") throw new Error("no task");
  const reference = execution.serializeReference();
  // Closing the first session would cancel its tasks.
  await execution.detach();
  const another = await openSession();
  const resumed = await another.resumeTask(reference);
  expect((await resumed.settle()).outcome).toMatchObject({
    status: "completed",
    result: { content: [{ text: "Computed e in 0.5 s." }] },
  });
});
