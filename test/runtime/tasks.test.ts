import { createServer } from "@tenon/runtime/server";
import { memoryStore, sharedStore } from "@tenon/runtime/store";
import { beforeAll, describe, expect, test } from "vitest";
import { describeTransports } from "../support/describe-transports.js";
import { eventually } from "../support/eventually.js";
import { WireClient } from "../support/wire-client.js";
import { headersFor, memoryWire } from "../support/wires.js";
import { createTasksFixture } from "./tasks/application.js";
import { Jobs } from "./tasks/handlers.js";

const REVISION = "2026-07-28";
const EXTENSION = "io.modelcontextprotocol/tasks";
const extensions = { [EXTENSION]: {} };
const accept = (name: string): object => ({ action: "accept", content: { name } });

type Members = Record<string, unknown>;

async function start(client: WireClient, name: string, args: Members = {}): Promise<string> {
  const result = await client.result("tools/call", { name, arguments: args });
  expect(result["resultType"]).toBe("task");
  return result["taskId"] as string;
}

/** Polls a task until it has the status. */
const until = (client: WireClient, taskId: string, status: string): Promise<Members> =>
  eventually(async () => {
    const task = await client.result("tasks/get", { taskId });
    expect(task["status"]).toBe(status);
    return task;
  });

describeTransports(createTasksFixture, (open) => {
  describe("a client that supports tasks", () => {
    let client: WireClient;
    beforeAll(async () => {
      client = await open({ revision: REVISION, capabilities: { elicitation: {}, extensions } });
    });

    test("sees the capability", async () => {
      const { capabilities } = await client.result("server/discover");
      expect(capabilities).toMatchObject({ extensions });
      expect(capabilities).not.toHaveProperty("tasks");
    });

    test("receives a task immediately, and its result later", async () => {
      const created = await client.result("tools/call", { name: "compute", arguments: { ms: 5 } });
      const isoTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string;
      expect(created).toEqual({
        resultType: "task",
        taskId: expect.stringMatching(/^[\w-]{32}$/) as string,
        status: "working",
        createdAt: isoTime,
        lastUpdatedAt: isoTime,
        ttlMs: expect.any(Number) as number,
        pollIntervalMs: expect.any(Number) as number,
        _meta: expect.any(Object) as object,
      });
      const task = await until(client, created["taskId"] as string, "completed");
      expect(task).toMatchObject({
        resultType: "complete",
        taskId: created["taskId"],
        result: { content: [{ type: "text", text: "Computed for 5 ms." }] },
      });
      for (const member of ["requestState", "error", "inputRequests"])
        expect(task).not.toHaveProperty(member);
    });

    test("receives no task from a tool without tasks", async () => {
      const result = await client.result("tools/call", {
        name: "greet",
        arguments: { name: "Ada" },
        task: { ttl: 5 },
      });
      expect(result).toMatchObject({ resultType: "complete", content: [{ text: "Hello, Ada!" }] });
      expect(result).not.toHaveProperty("taskId");
    });

    test("distinguishes a failed tool from a failed task", async () => {
      const failed = await until(client, await start(client, "fail"), "completed");
      expect(failed["result"]).toMatchObject({ isError: true, content: [{ text: "Out of paper." }] });
      const crashed = await until(client, await start(client, "crash", { how: "protocol" }), "failed");
      expect(crashed["error"]).toEqual({ code: -32603, message: "No connection.", data: { retry: true } });
      expect(crashed).not.toHaveProperty("result");
      const hidden = await until(client, await start(client, "crash", { how: "error" }), "completed");
      expect(JSON.stringify(hidden)).toContain("internal error");
      expect(JSON.stringify(hidden)).not.toContain("secret");
    });

    test("finds questions in the task and answers them one at a time", async () => {
      const taskId = await start(client, "two");
      const { inputRequests } = await until(client, taskId, "input_required");
      expect(inputRequests).toMatchObject({
        one: { method: "elicitation/create", params: { message: "One?" } },
        two: { method: "elicitation/create", params: { message: "Two?" } },
      });
      const answered = await client.result("tasks/update", {
        taskId,
        inputResponses: { two: accept("B"), other: 7 },
      });
      expect(Object.keys(answered).sort()).toEqual(["_meta", "resultType"]);
      const rest = await until(client, taskId, "input_required");
      expect(Object.keys(rest["inputRequests"] as object)).toEqual(["one"]);
      await client.result("tasks/update", { taskId, inputResponses: { one: accept("A"), two: accept("C") } });
      const done = await until(client, taskId, "completed");
      expect(done["result"]).toMatchObject({ content: [{ text: "A and B" }] });
    });

    test("receives an error for a malformed answer, which changes nothing", async () => {
      const taskId = await start(client, "confirm");
      await until(client, taskId, "input_required");
      for (const who of [7, null, { action: "maybe" }, { action: "accept", content: {} }]) {
        const error = await client.error("tasks/update", { taskId, inputResponses: { who } });
        expect(error.code).toBe(-32602);
      }
      expect((await client.error("tasks/update", { taskId })).code).toBe(-32602);
      await client.result("tasks/update", { taskId, inputResponses: { who: { action: "decline" } } });
      const done = await until(client, taskId, "completed");
      expect(done["result"]).toMatchObject({
        isError: true,
        content: [{ text: "The user chose to decline." }],
      });
    });

    test("first answers questions asked before the task begins", async () => {
      const first = await client.result("tools/call", { name: "later" });
      expect(first).toMatchObject({ resultType: "input_required", inputRequests: { user_name: {} } });
      expect(first).not.toHaveProperty("taskId");
      const created = await client.result("tools/call", {
        name: "later",
        inputResponses: { user_name: accept("Ada") },
        requestState: first["requestState"],
      });
      expect(created["resultType"]).toBe("task");
      expect(created).not.toHaveProperty("requestState");
      const taskId = created["taskId"] as string;
      await until(client, taskId, "input_required");
      await client.result("tasks/update", { taskId, inputResponses: { other: accept("Eve") } });
      const done = await until(client, taskId, "completed");
      expect(done["result"]).toMatchObject({ content: [{ text: "For Ada and Eve: 0." }] });
    });

    test("can cancel a task, even after its end", async () => {
      const before = await client.call("stopped");
      const taskId = await start(client, "compute", { ms: 60_000 });
      const acknowledged = await client.result("tasks/cancel", { taskId });
      expect(Object.keys(acknowledged).sort()).toEqual(["_meta", "resultType"]);
      const task = await until(client, taskId, "cancelled");
      expect(task).not.toHaveProperty("result");
      expect(await client.call("stopped")).not.toEqual(before);
      await client.result("tasks/cancel", { taskId });
      await client.result("tasks/update", { taskId, inputResponses: {} });
      await until(client, taskId, "cancelled");
    });

    test("lets a handler that waits for an answer clean up", async () => {
      const taskId = await start(client, "tidy");
      await until(client, taskId, "input_required");
      await client.result("tasks/cancel", { taskId });
      await eventually(async () =>
        expect(await client.call("ends")).toMatchObject({ content: [{ text: "AbortError" }] }),
      );
      expect(await until(client, taskId, "cancelled")).not.toHaveProperty("inputRequests");
    });

    test("receives no task from a handler that asked without waiting", async () => {
      const result = await client.result("tools/call", { name: "hasty" });
      expect(result).toMatchObject({ isError: true });
      expect(result).not.toHaveProperty("taskId");
    });

    test("receives an error for an unknown task, and for removed methods", async () => {
      for (const taskId of ["none", "", 7, null, "__proto__"]) {
        for (const method of ["tasks/get", "tasks/cancel"]) {
          expect((await client.error(method, { taskId })).code).toBe(-32602);
        }
      }
      for (const method of ["tasks/list", "tasks/result"]) {
        expect((await client.error(method, { taskId: "none" })).code).toBe(-32601);
      }
    });

    test("receives only questions for which it declares capabilities", async () => {
      const task = await until(client, await start(client, "roots"), "failed");
      expect(task["error"]).toMatchObject({ code: -32021, data: { requiredCapabilities: { roots: {} } } });
    });

    test("is notified of the tasks it follows", async () => {
      const taskId = await start(client, "confirm");
      await until(client, taskId, "input_required");
      void client.request("subscriptions/listen", { notifications: { taskIds: [taskId, "none"] } }, 900);
      const findNotifications = (method: string) =>
        eventually(() => {
          const found = client.notifications.filter((each) => each.method === method);
          expect(found.length).toBeGreaterThan(0);
          return found;
        });
      const [acknowledged] = await findNotifications("notifications/subscriptions/acknowledged");
      expect(acknowledged?.params).toMatchObject({ notifications: { taskIds: [taskId] } });
      await client.result("tasks/update", { taskId, inputResponses: { who: accept("Ada") } });
      await eventually(async () => {
        const statuses = (await findNotifications("notifications/tasks")).map(
          ({ params }) => params?.["status"],
        );
        expect(statuses).toEqual(["working", "completed"]);
      });
      const last = client.notifications.at(-1)?.params;
      expect(last).toMatchObject({
        taskId,
        result: { content: [{ text: expect.stringContaining("Confirmed by Ada") as string }] },
        _meta: { "io.modelcontextprotocol/subscriptionId": 900 },
      });
    });
  });

  describe("a task's progress", () => {
    test("is its status message until the end, sent at a bounded rate", async () => {
      const client = await open({ revision: REVISION, capabilities: { elicitation: {}, extensions } });
      const taskId = await start(client, "pages");
      void client.request("subscriptions/listen", { notifications: { taskIds: [taskId] } }, 901);
      const task = await until(client, taskId, "input_required");
      expect(task).toMatchObject({ statusMessage: "1000/1000 Page 1000" });
      await client.result("tasks/update", { taskId, inputResponses: { who: accept("Ada") } });
      expect(await until(client, taskId, "completed")).not.toHaveProperty("statusMessage");
      const updates = client.notifications.filter(({ method }) => method === "notifications/tasks");
      expect(updates.length).toBeLessThan(10);
      expect(client.notifications.map(({ method }) => method)).not.toContain("notifications/progress");
    });
  });

  describe("a client without task support", () => {
    test.each([REVISION, "2025-11-25"])("waits for the tool, at %s", async (revision) => {
      const client = await open({ revision, capabilities: { elicitation: {} }, answer: () => accept("Ada") });
      expect(await client.call("compute", { ms: 1 })).toMatchObject({
        content: [{ text: "Computed for 1 ms." }],
      });
      expect(await client.callAndAnswer("confirm")).toMatchObject({
        content: [{ text: expect.stringContaining("Confirmed by Ada") as string }],
      });
    });

    test("is rejected by a tool that requires tasks", async () => {
      const client = await open({ revision: REVISION });
      expect(await client.error("tools/call", { name: "fail" })).toMatchObject({
        code: -32021,
        data: { requiredCapabilities: { extensions } },
      });
      for (const method of ["tasks/get", "tasks/update", "tasks/cancel"]) {
        expect((await client.error(method, { taskId: "x", inputResponses: {} })).code).toBe(-32021);
      }
    });
  });
});

describe("tasks of one server", () => {
  const capabilities = { elicitation: {}, extensions };
  const createClient = (server: ReturnType<typeof createServer>, principal?: string) =>
    new WireClient(memoryWire(server, principal), { revision: REVISION, capabilities });

  test("belong to the caller that started them", async () => {
    const server = createServer(createTasksFixture());
    const [ada, eve] = [createClient(server, "ada"), createClient(server, "eve")];
    const taskId = await start(ada, "confirm");
    for (const method of ["tasks/get", "tasks/update", "tasks/cancel"]) {
      expect((await eve.error(method, { taskId, inputResponses: { who: accept("Eve") } })).code).toBe(-32602);
    }
    expect(await until(createClient(server, "ada"), taskId, "input_required")).toMatchObject({ taskId });
    await server.close();
  });

  test("are limited: only ended tasks make room for new ones", async () => {
    const server = createServer(createTasksFixture({ limits: { maxTasks: 2 } }));
    const client = createClient(server);
    const first = await start(client, "compute", { ms: 0 });
    await until(client, first, "completed");
    await start(client, "confirm");
    await start(client, "confirm");
    expect((await client.error("tasks/get", { taskId: first })).code).toBe(-32602);
    expect((await client.error("tools/call", { name: "confirm" })).message).toBe(
      "Too many tasks are in progress.",
    );
    await server.close();
  });

  test.each(["memory", "store"])(
    "finish before the instances that they use are disposed of, in %s",
    async (where) => {
      const lines: string[] = [];
      const wait = async (_: string, signal: AbortSignal): Promise<void> => {
        lines.push("at work");
        await new Promise((resolve) => {
          signal.addEventListener("abort", resolve);
        });
        // The cleanup of an aborted handler: it rolls back, or kills a process.
        for (let step = 0; step < 50; step++) await new Promise(setImmediate);
        lines.push("tidied up");
        throw signal.reason as Error;
      };
      class Kept extends Jobs {
        [Symbol.dispose](): void {
          lines.push("disposed");
        }
      }
      const store = where === "store" ? { store: sharedStore(memoryStore()) } : {};
      const config = { ...store, provide: [new Kept("a", { lines: [], wait })] };
      const server = createServer(createTasksFixture(config));
      const client = createClient(server);
      const taskId = await start(client, "journey", { to: "Rome" });
      await until(client, taskId, "input_required");
      await client.result("tasks/update", { taskId, inputResponses: { who: accept("Ada") } });
      await eventually(() => expect(lines).toEqual(["at work"]));
      await server.close();
      expect(lines).toEqual(["at work", "tidied up", "disposed"]);
    },
  );

  test("do not abort the signal of a handler that has returned, since it would roll back", async () => {
    const server = createServer(createTasksFixture());
    const client = createClient(server);
    await until(client, await start(client, "compute", { ms: 1 }), "completed");
    expect(await client.call("stopped")).toMatchObject({ content: [{ text: "0" }] });
    await server.close();
  });

  test("end after a limited time", async () => {
    const server = createServer(createTasksFixture({ limits: { taskLifetimeMs: 20 } }));
    const client = createClient(server);
    const taskId = await start(client, "compute", { ms: 60_000 });
    await eventually(async () => expect((await client.error("tasks/get", { taskId })).code).toBe(-32602));
    expect(await client.call("stopped")).toMatchObject({ content: [{ text: "1" }] });
    await server.close();
  });
});

test("headers of task requests name the task", () => {
  const params = { taskId: "t1", _meta: { "io.modelcontextprotocol/protocolVersion": REVISION } };
  const message = { jsonrpc: "2.0", id: 1, method: "tasks/get", params };
  expect(headersFor(message)).toMatchObject({ "mcp-method": "tasks/get", "mcp-name": "t1" });
});
