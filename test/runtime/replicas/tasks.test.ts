/** Tasks of servers that share a store, whichever server receives a request. */
import { memoryStore, sharedStore, type Store } from "@tenon/runtime/store";
import { createServer } from "@tenon/runtime/server";
import { afterEach, describe, expect, test } from "vitest";
import { eventually } from "../../support/eventually.js";
import { WireClient } from "../../support/wire-client.js";
import { memoryWire } from "../../support/wires.js";
import { createTasksFixture } from "../tasks/application.js";
import {
  accept,
  type Members,
  type Replica,
  startReplicas,
  startTask,
  untilStatus,
} from "./tasks-cluster.js";

const open: Replica[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map(({ server }) => server.close()));
});

function start(...args: Parameters<typeof startReplicas>): Replica[] {
  const replicas = startReplicas(...args);
  open.push(...replicas);
  return replicas;
}

/** Listens for tasks, and returns a function that lists the notifications that the client received. */
async function listen(client: WireClient, taskIds: string[]): Promise<() => Members[]> {
  void client.request("subscriptions/listen", { notifications: { taskIds } }, 900);
  const findNotifications = (method: string): Members[] =>
    client.notifications.flatMap((each) => (each.method === method ? [each.params as Members] : []));
  await eventually(() =>
    expect(findNotifications("notifications/subscriptions/acknowledged")).toHaveLength(1),
  );
  return () => findNotifications("notifications/tasks");
}

describe("a task of a server with several processes", () => {
  test("has the same state and result in each of them", async () => {
    const [a, b, c] = start(3).map(({ client }) => client()) as [WireClient, WireClient, WireClient];
    const taskId = await startTask(a, "two");
    const asked = await untilStatus(b, taskId, "input_required");
    expect(asked["inputRequests"]).toMatchObject({
      one: { method: "elicitation/create", params: { message: "One?" } },
      two: { method: "elicitation/create", params: { message: "Two?" } },
    });
    await b.result("tasks/update", { taskId, inputResponses: { two: accept("B"), other: 7 } });
    await c.result("tasks/update", { taskId, inputResponses: { one: accept("A"), two: accept("C") } });
    const done = await untilStatus(c, taskId, "completed");
    expect(done).toMatchObject({ result: { content: [{ text: "A and B" }] } });
    expect(done).not.toHaveProperty("inputRequests");
    for (const client of [a, b]) expect(await client.result("tasks/get", { taskId })).toEqual(done);
  });

  test("rejects malformed answers in every process", async () => {
    const [a, b] = start(2).map(({ client }) => client()) as [WireClient, WireClient];
    const taskId = await startTask(a, "confirm");
    const before = await untilStatus(b, taskId, "input_required");
    for (const who of [7, null, { action: "maybe" }, { action: "accept", content: {} }]) {
      const error = await b.error("tasks/update", { taskId, inputResponses: { who } });
      expect(error.code).toBe(-32602);
    }
    expect(await a.result("tasks/get", { taskId })).toEqual(before);
    await b.result("tasks/update", { taskId, inputResponses: { who: { action: "decline" } } });
    expect(await untilStatus(b, taskId, "completed")).toMatchObject({
      result: { isError: true, content: [{ text: "The user chose to decline." }] },
    });
  });

  test("accepts an answer to its form in a process of another version, whose form differs", async () => {
    const store = memoryStore();
    const [a] = start(1, {}, store) as [Replica];
    const { manifest, validators, ...rest } = createTasksFixture({ store: sharedStore(store), log: "off" });
    const form = {
      type: "object" as const,
      properties: { age: { type: "number" as const } },
      required: ["age"],
    };
    const newer = createServer({
      ...rest,
      manifest: { ...manifest, forms: { "src/handlers.ts#1": { requestedSchema: form, schema: form } } },
      validators: { ...validators, forms: { "src/handlers.ts#1": { input: () => false } } },
    });
    const b = new WireClient(memoryWire(newer), {
      revision: "2026-07-28",
      capabilities: { elicitation: {}, extensions: { "io.modelcontextprotocol/tasks": {} } },
    });
    const taskId = await startTask(a.client(), "confirm");
    await untilStatus(b, taskId, "input_required");
    const wrong = { who: { action: "accept", content: { age: 7 } } };
    expect((await b.error("tasks/update", { taskId, inputResponses: wrong })).code).toBe(-32602);
    await b.result("tasks/update", { taskId, inputResponses: { who: accept("Ada") } });
    expect(await untilStatus(b, taskId, "completed")).toMatchObject({
      result: { content: [{ text: "Confirmed by Ada after 1." }] },
    });
    await newer.close();
  });

  test("is aborted where it runs when another process receives its cancellation", async () => {
    const [a, b] = start(2).map(({ client }) => client()) as [WireClient, WireClient];
    const taskId = await startTask(a, "compute", { ms: 60_000 });
    await b.result("tasks/cancel", { taskId });
    await eventually(async () => expect(await a.call("stopped")).toMatchObject({ content: [{ text: "1" }] }));
    const cancelled = await untilStatus(a, taskId, "cancelled");
    await a.result("tasks/cancel", { taskId });
    expect(await b.result("tasks/get", { taskId })).toEqual(cancelled);
  });

  test("does not exist for other callers, in any process", async () => {
    const [a, b] = start(2) as [Replica, Replica];
    const taskId = await startTask(a.client("ada"), "confirm");
    for (const principal of ["eve", undefined]) {
      const eve = b.client(principal);
      for (const method of ["tasks/get", "tasks/update", "tasks/cancel"]) {
        const error = await eve.error(method, { taskId, inputResponses: { who: accept("Eve") } });
        expect(error).toMatchObject({ code: -32602, message: "There is no such task. It may have expired." });
      }
      const getNotifications = await listen(eve, [taskId]);
      expect(eve.notifications[0]?.params).toMatchObject({ notifications: { taskIds: [] } });
      expect(getNotifications()).toEqual([]);
    }
    await untilStatus(b.client("ada"), taskId, "input_required");
  });

  test("does not exist under a malformed ID", async () => {
    const [a] = start(1) as [Replica];
    const client = a.client();
    for (const taskId of ["none", "", 7, null, "__proto__", `${"x".repeat(31)}}`]) {
      expect((await client.error("tasks/get", { taskId })).code).toBe(-32602);
    }
  });

  test("notifies clients that are connected to another process", async () => {
    const [a, b] = start(2).map(({ client }) => client()) as [WireClient, WireClient];
    const taskId = await startTask(a, "confirm");
    await untilStatus(a, taskId, "input_required");
    const getNotifications = await listen(b, [taskId, "none"]);
    expect(b.notifications[0]?.params).toMatchObject({ notifications: { taskIds: [taskId] } });
    await a.result("tasks/update", { taskId, inputResponses: { who: accept("Ada") } });
    await eventually(() => expect(getNotifications().at(-1)?.["status"]).toBe("completed"));
    expect(getNotifications().at(-1)).toMatchObject({
      taskId,
      result: { content: [{ text: expect.stringContaining("Confirmed by Ada") as string }] },
      _meta: { "io.modelcontextprotocol/subscriptionId": 900 },
    });
  });

  test("reports progress in every process, to clients that poll and listen", async () => {
    const [a, b] = start(2).map(({ client }) => client()) as [WireClient, WireClient];
    const taskId = await startTask(a, "pages");
    const getNotifications = await listen(b, [taskId]);
    await untilStatus(b, taskId, "input_required");
    const latest = { statusMessage: "1000/1000 Page 1000" };
    await eventually(async () => expect(await b.result("tasks/get", { taskId })).toMatchObject(latest));
    await eventually(() => expect(getNotifications().at(-1)).toMatchObject(latest));
    await a.result("tasks/update", { taskId, inputResponses: { who: accept("Ada") } });
    expect(await untilStatus(b, taskId, "completed")).not.toHaveProperty("statusMessage");
    expect(getNotifications().length).toBeLessThan(10);
  });

  test("keeps the answers given before it became a task", async () => {
    const [a, b] = start(2, { log: "off" }).map(({ client }) => client()) as [WireClient, WireClient];
    const first = await a.result("tools/call", { name: "later" });
    const created = await a.result("tools/call", {
      name: "later",
      inputResponses: { user_name: accept("Ada") },
      requestState: first["requestState"],
    });
    const taskId = created["taskId"] as string;
    await untilStatus(b, taskId, "input_required");
    await b.result("tasks/update", { taskId, inputResponses: { other: accept("Eve") } });
    expect(await untilStatus(b, taskId, "completed")).toMatchObject({
      result: { content: [{ text: "For Ada and Eve: 0." }] },
    });
  });

  test("is acknowledged only after it is stored", async () => {
    const store = memoryStore();
    let isDown = true;
    const set: typeof store.set = (...args) =>
      isDown ? Promise.reject(new Error("redis://secret refused")) : store.set(...args);
    const [a] = start(1, {}, withSet(store, set)) as [Replica];
    const client = a.client();
    const error = await client.error("tools/call", { name: "compute", arguments: { ms: 60_000 } });
    expect(error.message).toBe(
      "The server cannot reach the store that its processes share. Try again in a moment.",
    );
    expect(await client.call("stopped")).toMatchObject({ content: [{ text: "1" }] });
    isDown = false;
    await untilStatus(client, await startTask(client, "compute", { ms: 0 }), "completed");
  });

  test("loses no result while the store is unreachable for a while", async () => {
    const store = memoryStore();
    let isDown = false;
    const set: typeof store.set = (...args) =>
      isDown ? Promise.reject(new Error("connect ECONNREFUSED")) : store.set(...args);
    const [a, b] = start(2, {}, withSet(store, set)) as [Replica, Replica];
    const taskId = await startTask(a.client(), "compute", { ms: 30 });
    isDown = true;
    await eventually(() => expect(a.log.map(({ event }) => event)).toContain("store-unreachable"));
    isDown = false;
    await untilStatus(b.client(), taskId, "completed");
  });

  test("fails if its record exceeds the limit", async () => {
    const [a, b] = start(2, { limits: { maxTaskBytes: 2000 } }).map(({ client }) => client()) as [
      WireClient,
      WireClient,
    ];
    const message =
      "The task is too large: its result, questions, answers, and step results may be at most 2000 bytes in total.";
    const large = await a.error("tools/call", { name: "echo", arguments: { text: "x".repeat(2000) } });
    expect(large.message).toBe(message);
    const taskId = await startTask(a, "echo", { text: "x".repeat(1200), times: 2 });
    expect(await untilStatus(b, taskId, "failed")).toMatchObject({ error: { code: -32603, message } });
    const asks = await startTask(a, "confirm");
    await untilStatus(b, asks, "input_required");
    const answer = { taskId: asks, inputResponses: { who: accept("x".repeat(2000)) } };
    expect((await b.error("tasks/update", answer)).message).toBe(message);
    await b.result("tasks/update", { taskId: asks, inputResponses: { who: accept("Ada") } });
    await untilStatus(a, asks, "completed");
  });

  test("is limited in number for each process", async () => {
    const [a, b] = start(2, { limits: { maxTasks: 1 } }) as [Replica, Replica];
    await startTask(a.client(), "compute", { ms: 60_000 });
    expect((await a.client().error("tools/call", { name: "confirm" })).message).toBe(
      "Too many tasks are in progress.",
    );
    await startTask(b.client(), "confirm");
  });

  test("is limited in time", async () => {
    const [a, b] = start(2, { limits: { taskLifetimeMs: 100 } }) as [Replica, Replica];
    const taskId = await startTask(a.client(), "compute", { ms: 60_000 });
    await eventually(async () => {
      expect((await b.client().error("tasks/get", { taskId })).code).toBe(-32602);
      expect(await a.client().call("stopped")).toMatchObject({ content: [{ text: "1" }] });
    });
  });

  test("costs the store 3 commands at its start, 3 at its end, and 1 or 2 per poll", async () => {
    const commands: string[] = [];
    const [a, b] = start(2, {}, recordCommands(memoryStore(), commands)) as [Replica, Replica];
    const took = async (act: () => Promise<unknown>): Promise<string[]> => {
      commands.length = 0;
      await act();
      return commands.filter((name) => !["lease", "subscribe"].includes(name));
    };
    // The first task announces to other processes that this one has tasks.
    await untilStatus(a.client(), await startTask(a.client(), "compute", { ms: 0 }), "completed");
    const whole = await took(async () => {
      const followed = await startTask(a.client(), "compute", { ms: 0 });
      await eventually(() => expect(commands).toContain("publish"));
      commands.push(followed);
    });
    const taskId = whole.pop()!;
    expect(whole.sort()).toEqual(["append", "get", "publish", "set", "set", "set"]);
    expect(await took(() => b.client().result("tasks/get", { taskId }))).toEqual(["get"]);
    const working = await startTask(a.client(), "compute", { ms: 60_000 });
    const twice = async (): Promise<void> => {
      for (let count = 0; count < 2; count++) await b.client().result("tasks/get", { taskId: working });
    };
    // Once a second, the store is queried whether the working process is alive.
    expect((await took(twice)).filter((name) => name === "get").length).toBeLessThanOrEqual(4);
  });

  test("is not shared with a server of another name", async () => {
    const store = memoryStore();
    const [a] = start(1, {}, store) as [Replica];
    const taskId = await startTask(a.client(), "confirm");
    const stranger = createServer(createTasksFixture({ name: "other", store: sharedStore(store) }));
    const client = new WireClient(memoryWire(stranger), {
      revision: "2026-07-28",
      capabilities: { extensions: { "io.modelcontextprotocol/tasks": {} } },
    });
    expect((await client.error("tasks/get", { taskId })).code).toBe(-32602);
    await stranger.close();
  });
});

/** Returns a store with another `set`. */
function withSet(store: Store, set: Store["set"]): Store {
  return new Proxy(store, {
    get: (target, name) => {
      if (name === "set") return set;
      const member = Reflect.get(target, name) as unknown;
      return typeof member === "function" ? (member.bind(target) as unknown) : member;
    },
  });
}

/** Returns a store that records its operations. */
function recordCommands(store: Store, commands: string[]): Store {
  return new Proxy(store, {
    get: (target, name) => {
      const member = Reflect.get(target, name) as unknown;
      if (typeof member !== "function") return member;
      return (...args: unknown[]) => {
        commands.push(String(name));
        return Reflect.apply(member, target, args) as unknown;
      };
    },
  });
}
