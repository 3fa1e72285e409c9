/** Tasks in the memory of a server that stops, and the notifications that their clients receive. */
import { PassThrough } from "node:stream";
import type { ServerConfig } from "@tenon/runtime";
import { listen, type Listener } from "@tenon/runtime/node";
import { createServer, type Server } from "@tenon/runtime/server";
import { serveStdio } from "@tenon/runtime/stdio";
import { describe, expect, test } from "vitest";
import { eventually } from "../../support/eventually.js";
import { type Wire, WireClient } from "../../support/wire-client.js";
import { httpWire } from "../../support/wires.js";
import { createTasksFixture } from "./application.js";
import { Jobs } from "./handlers.js";

const REVISION = "2026-07-28";
const capabilities = { elicitation: {}, extensions: { "io.modelcontextprotocol/tasks": {} } };
const SHUTTING_DOWN = { code: -32603, message: "The server is shutting down." };

type Work = (signal: AbortSignal) => Promise<void>;
type Members = Record<string, unknown>;

interface Stopping {
  wire: Wire;
  stop(): Promise<void>;
}

/** The transports, in this process, so that a test observes disposals. */
const transports: [string, (server: Server) => Promise<Stopping>][] = [
  [
    "stdio",
    async (server) => {
      const [input, output] = [new PassThrough(), new PassThrough()];
      const transport = serveStdio(server, { input, output });
      let listener: (text: string) => void = () => {};
      output.setEncoding("utf8").on("data", (text: string) => {
        for (const line of text.split("\n")) if (line !== "") listener(line);
      });
      const wire: Wire = {
        send: (text) => void input.write(`${text}\n`),
        onMessage: (given) => (listener = given),
        close: async () => {},
      };
      await Promise.resolve();
      return { wire, stop: () => transport.close() };
    },
  ],
  [
    "HTTP",
    async (server) => {
      const listener: Listener = await listen(server, { port: 0 });
      return { wire: httpWire(listener.url, fetch), stop: () => listener.close() };
    },
  ],
];

describe.each(transports)("over %s, a server that stops", (_, serve) => {
  /** @param work the work that the handler of the task does */
  async function atWork(limits: ServerConfig["limits"], work: Work) {
    const lines: string[] = [];
    const wait = async (by: string, signal: AbortSignal): Promise<void> => {
      lines.push("at work");
      await work(signal);
    };
    const server = createServer(
      createTasksFixture({ limits: limits ?? {}, provide: [new Jobs("a", { lines, wait })] }),
    );
    const { wire, stop } = await serve(server);
    const client = new WireClient(wire, { revision: REVISION, capabilities });
    const startTask = async (name: string, args: Members = {}): Promise<string> =>
      (await client.result("tools/call", { name, arguments: args }))["taskId"] as string;
    const taskId = await startTask("journey", { to: "Rome" });
    const get = (id = taskId): Promise<Members> => client.result("tasks/get", { taskId: id });
    await eventually(async () => expect((await get())["status"]).toBe("input_required"));
    await client.result("tasks/update", {
      taskId,
      inputResponses: { who: { action: "accept", content: { name: "Ada" } } },
    });
    await eventually(() => expect(lines).toContain("at work"));
    /** Subscribes to the task. */
    const follow = async (): Promise<() => Members[]> => {
      const over = client.result("subscriptions/listen", { notifications: { taskIds: [taskId] } });
      await eventually(() => expect(client.notifications).toHaveLength(1));
      void over.then((result) =>
        client.notifications.push({ jsonrpc: "2.0", method: "over", params: result }),
      );
      return () => client.notifications.slice(1).map(({ method, params }) => ({ method, ...params }));
    };
    return { server, client, stop, startTask, get, followed: follow };
  }

  test("waits for tasks, and for clients that request their results", async () => {
    let finish: () => void = () => {};
    const work = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const { server, stop, get } = await atWork({ drainTimeoutMs: 60_000 }, () => work);
    const stopped = stop();
    expect(await get()).toMatchObject({ status: "working" });
    finish();
    await eventually(async () => expect((await get())["status"]).toBe("completed"));
    await stopped;
    await server.close();
  });

  test("notifies followers of a task's end, and ends their streams", async () => {
    let finish: () => void = () => {};
    const work = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const { server, stop, followed } = await atWork({ drainTimeoutMs: 60_000 }, () => work);
    const heard = await followed();
    const stopped = stop();
    finish();
    await eventually(() => expect(heard().at(-1)).toMatchObject({ method: "over" }));
    expect(heard().at(-2)).toMatchObject({ method: "notifications/tasks", status: "completed" });
    await stopped;
    await server.close();
  });

  test("aborts handlers that take longer, and keeps their results", async () => {
    const { server, stop, followed } = await atWork({ drainTimeoutMs: 300 }, async (signal) => {
      await new Promise((resolve) => {
        signal.addEventListener("abort", resolve);
      });
      throw signal.reason as Error;
    });
    const heard = await followed();
    await stop();
    await eventually(() => expect(heard().at(-1)).toMatchObject({ method: "over" }));
    expect(heard().at(-2)).toMatchObject({
      status: "completed",
      result: {
        isError: true,
        content: [{ text: 'The tool "journey" was stopped. The server is shutting down.' }],
      },
    });
    await server.close();
  });

  test("fails the tasks of handlers that ignore the signal", async () => {
    const { server, stop, followed } = await atWork({ drainTimeoutMs: 300 }, () => new Promise(() => {}));
    const heard = await followed();
    await stop();
    await eventually(() => expect(heard().at(-1)).toMatchObject({ method: "over" }));
    expect(heard().at(-2)).toMatchObject({ status: "failed", error: SHUTTING_DOWN });
    await server.close();
  });

  test("immediately fails the tasks that wait for an answer", async () => {
    let finish: () => void = () => {};
    const work = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const { server, stop, get, startTask } = await atWork({ drainTimeoutMs: 60_000 }, () => work);
    const waiting = await startTask("confirm");
    await eventually(async () => expect((await get(waiting))["status"]).toBe("input_required"));
    const stopped = stop();
    expect(await get(waiting)).toMatchObject({ status: "failed", error: SHUTTING_DOWN });
    finish();
    await eventually(async () => expect((await get())["status"]).toBe("completed"));
    await stopped;
    await server.close();
  });
});

test("over HTTP, a stopping server accepts only requests about tasks", async () => {
  const server = createServer(createTasksFixture({ limits: { drainTimeoutMs: 60_000 } }));
  const listener = await listen(server, { port: 0 });
  const client = new WireClient(httpWire(listener.url, fetch), { revision: REVISION, capabilities });
  const { taskId } = await client.result("tools/call", { name: "compute", arguments: { ms: 60_000 } });
  const stopped = listener.close();
  const post = async (method: string, body: object): Promise<number> => {
    const headers = {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-method": method,
    };
    const response = await fetch(listener.url, { method: "POST", headers, body: JSON.stringify(body) });
    await response.body?.cancel();
    return response.status;
  };
  const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "greet", arguments: {} } };
  expect(await post("tools/call", call)).toBe(503);
  // The header alone is not trusted.
  expect(await post("tasks/get", call)).toBe(503);
  expect((await fetch(listener.url)).status).toBe(503);
  await client.result("tasks/cancel", { taskId });
  await eventually(async () => {
    expect(await client.result("tasks/get", { taskId })).toMatchObject({ status: "cancelled" });
  });
  await stopped;
  await server.close();
});

test("over stdio, a stopping server rejects requests that are not about tasks", async () => {
  const server = createServer(createTasksFixture({ limits: { drainTimeoutMs: 60_000 } }));
  const { wire, stop } = await transports[0]![1](server);
  const client = new WireClient(wire, { revision: REVISION, capabilities });
  const { taskId } = await client.result("tools/call", { name: "compute", arguments: { ms: 60_000 } });
  const stopped = stop();
  expect(await client.error("tools/call", { name: "greet", arguments: { name: "Ada" } })).toEqual({
    code: -32600,
    message: "The server is shutting down.",
  });
  await client.result("tasks/cancel", { taskId });
  await client.result("tasks/get", { taskId });
  await stopped;
  await server.close();
});
