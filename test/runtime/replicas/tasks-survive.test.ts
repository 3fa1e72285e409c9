/** Tasks whose processes die: another process continues them, and each ends once. */
import * as fc from "fast-check";
import type { Middleware, ServerConfig } from "@tenon/runtime";
import { afterEach, describe, expect, test, vi } from "vitest";
import { eventually } from "../../support/eventually.js";
import type { WireClient } from "../../support/wire-client.js";
import { type Diary, Jobs } from "../tasks/handlers.js";
import {
  accept,
  closeReplicas,
  type Members,
  type Replica,
  startReplicas,
  startTask,
  untilStatus,
} from "./tasks-cluster.js";

const NAMES = ["a", "b", "c", "d"];
const open: Replica[] = [];

afterEach(async () => {
  vi.useRealTimers();
  await closeReplicas(open.splice(0));
});

/** Servers that write to one log, and whose runs wait while the gate of their server is closed. */
function start(count: number, config: ServerConfig = {}) {
  const lines: string[] = [];
  const closed = new Map<string, Promise<void>>();
  const diary: Diary = { lines, wait: async (by) => closed.get(by) };
  const replicas = startReplicas(count, (index) => ({
    ...config,
    provide: [new Jobs(NAMES[index], diary)],
  }));
  open.push(...replicas);
  /** Closes the gate for one server. Returns a function that opens it. */
  const close = (name: string): (() => void) => {
    let letGo = (): void => {};
    closed.set(name, new Promise((resolve) => (letGo = resolve)));
    return letGo;
  };
  const findLines = (pattern: RegExp): string[] => lines.filter((line) => pattern.test(line));
  return { replicas: replicas as [Replica, Replica, Replica, Replica], lines, close, seen: findLines };
}

const answer = (client: WireClient, taskId: string): Promise<Members> =>
  client.result("tasks/update", { taskId, inputResponses: { who: accept("Ada") } });

const getText = (task: Members): string =>
  (task["result"] as { content: { text: string }[] }).content[0]!.text;

describe("a task whose process dies", () => {
  test("while it asks continues in the process that receives the answer, with the results of its steps", async () => {
    const { replicas, lines, seen } = start(2);
    const [a, b] = replicas;
    const taskId = await startTask(a.client("ada"), "journey", { to: "Rome" });
    const asked = await untilStatus(b.client("ada"), taskId, "input_required");
    await a.store.kill();
    await answer(b.client("ada"), taskId);
    const done = await untilStatus(b.client("ada"), taskId, "completed");
    expect(getText(done)).toBe("Ada goes to Rome with a's ticket on b's seat.");
    expect(seen(/ticket/)).toHaveLength(1);
    expect(seen(/seat/)).toHaveLength(1);
    // It is the same principal, with the same question under the same key.
    expect(lines[0]).toBe("a: run for ada");
    expect(seen(/run/)).toEqual(["a: run for ada", "b: run for ada"]);
    expect(done["createdAt"]).toBe(asked["createdAt"]);
  });

  test("fails if the store has lost its call", async () => {
    const [a, b] = start(2).replicas;
    const taskId = await startTask(a.client(), "journey", { to: "Rome" });
    await untilStatus(b.client(), taskId, "input_required");
    await b.store.delete(`tenon:${b.server.info.name}:task:{${taskId}}:call`);
    // Its process does not need the call.
    await untilStatus(b.client(), taskId, "input_required");
    await a.store.kill();
    expect(await untilStatus(b.client(), taskId, "failed")).toMatchObject({
      error: {
        message: "The server has lost the call of this task. Call again if the call is safe to repeat.",
      },
    });
  });

  test("after it was answered continues with the answer", async () => {
    const { replicas, close } = start(2);
    const [a, b] = replicas;
    close("a");
    const taskId = await startTask(a.client(), "journey", { to: "Rome" });
    await untilStatus(a.client(), taskId, "input_required");
    await answer(a.client(), taskId);
    await untilStatus(b.client(), taskId, "working");
    await a.store.kill();
    const done = await untilStatus(b.client(), taskId, "completed");
    expect(getText(done)).toBe("Ada goes to Rome with a's ticket on b's seat.");
  });

  test("keeps the answers given before it became a task", async () => {
    const { replicas } = start(2, { log: "off" });
    const [a, b] = replicas;
    const first = await a.client().result("tools/call", { name: "later" });
    const inputResponses = { user_name: accept("Ada") };
    const { requestState } = first;
    const created = await a.client().result("tools/call", { name: "later", inputResponses, requestState });
    const taskId = created["taskId"] as string;
    await untilStatus(b.client(), taskId, "input_required");
    await a.store.kill();
    await b.client().result("tasks/update", { taskId, inputResponses: { other: accept("Eve") } });
    expect(getText(await untilStatus(b.client(), taskId, "completed"))).toBe("For Ada and Eve: 0.");
  });

  test("is not changed by a process that was only paused", async () => {
    const { replicas, close, seen } = start(2);
    const [a, b] = replicas;
    const gates = { a: close("a"), b: close("b") };
    const taskId = await startTask(a.client(), "journey", { to: "Rome" });
    await untilStatus(a.client(), taskId, "input_required");
    await answer(a.client(), taskId);
    await a.store.kill();
    const taken = await eventually(async () => {
      const task = await b.client().result("tasks/get", { taskId });
      expect(seen(/b: run/)).toHaveLength(1);
      return task;
    });
    const listener = b.client();
    void listener.request("subscriptions/listen", { notifications: { taskIds: [taskId] } }, 900);
    await eventually(() => expect(listener.notifications).toHaveLength(1));
    a.store.resume();
    gates.a();
    // The handler ends, but the task does not.
    await eventually(() => expect(seen(/a: end/)).toHaveLength(1));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await b.client().result("tasks/get", { taskId })).toEqual(taken);
    expect(listener.notifications).toHaveLength(1);
    gates.b();
    const done = await untilStatus(b.client(), taskId, "completed");
    expect(getText(done)).toBe("Ada goes to Rome with a's ticket on a's seat.");
    expect(seen(/seat/)).toHaveLength(1);
    expect(listener.notifications.slice(1).map(({ params }) => params?.["status"])).toEqual(["completed"]);
  });

  test("is continued for a subscriber that does not poll", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const { replicas, lines, close, seen } = start(3);
    const [a, b, c] = replicas;
    close("a");
    const [followed, forgotten] = [
      await startTask(a.client(), "journey", { to: "Rome" }),
      await startTask(a.client(), "journey", { to: "Bonn" }),
    ];
    for (const taskId of [followed, forgotten]) {
      await untilStatus(a.client(), taskId, "input_required");
      await answer(a.client(), taskId);
    }
    await a.store.kill();
    const listener = b.client();
    void listener.request("subscriptions/listen", { notifications: { taskIds: [followed] } }, 900);
    await eventually(() => expect(listener.notifications.at(-1)?.params?.["status"]).toBe("completed"));
    expect(getText(await c.client().result("tasks/get", { taskId: followed }))).toContain("on b's seat.");
    // No client polls the other task: the living processes look for it periodically.
    expect(lines).toContain("b: end");
    expect(seen(/: end/)).toHaveLength(1);
    vi.advanceTimersByTime(20_000);
    await eventually(() => expect(seen(/: end/)).toHaveLength(2));
    const done = await untilStatus(c.client(), forgotten, "completed");
    expect(getText(done)).toMatch(/^Ada goes to Bonn with a's ticket on [bc]'s seat\.$/);
  });

  test("is reported to its subscriber as failed when the store has lost it", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const { replicas, close } = start(2);
    const [a, b] = replicas;
    close("a");
    const taskId = await startTask(a.client(), "journey", { to: "Rome" });
    await untilStatus(a.client(), taskId, "input_required");
    const listener = b.client();
    void listener.request("subscriptions/listen", { notifications: { taskIds: [taskId] } }, 900);
    const reports = () => listener.notifications.flatMap(({ params }) => params?.["error"] ?? []);
    await eventually(() => expect(listener.notifications).not.toEqual([]));
    expect(reports()).toEqual([]);
    expect(await b.store.delete(`tenon:jobs:task:{${taskId}}`)).toBe(true);
    for (let times = 0; times < 2; times++) {
      vi.advanceTimersByTime(20_000);
      await eventually(() => expect(reports()).toHaveLength(1));
    }
    expect(reports()).toMatchObject([{ message: expect.stringContaining("no longer stored") as string }]);
  });

  test("fails after three processes died running it", async () => {
    const { replicas, close, seen } = start(4);
    const [a, b, c, d] = replicas;
    for (const name of NAMES) close(name);
    const taskId = await startTask(a.client(), "journey", { to: "Rome" });
    await untilStatus(a.client(), taskId, "input_required");
    await answer(a.client(), taskId);
    for (const [index, dying] of [a, b, c].entries()) {
      const next = replicas[index + 1]!;
      await eventually(() => expect(seen(/run/)).toHaveLength(index + 1));
      await dying.store.kill();
      await next.client().result("tasks/get", { taskId });
    }
    const failed = await untilStatus(d.client(), taskId, "failed");
    expect(failed["error"]).toEqual({
      code: -32603,
      message: "The task failed because 3 processes crashed while they worked on it.",
    });
    expect(seen(/run/)).toHaveLength(3);
  });

  test("passes middleware and scope checks again, without counting against the rate limit again", async () => {
    const passed: string[] = [];
    const use: Middleware[] = [
      (call, next) => {
        passed.push(call.name);
        return next();
      },
    ];
    const { replicas } = start(2, { use, rateLimit: { calls: 1, windowMs: 60_000 } });
    const [a, b] = replicas;
    const taskId = await startTask(a.client("ada"), "journey", { to: "Rome" });
    await untilStatus(b.client("ada"), taskId, "input_required");
    await a.store.kill();
    await answer(b.client("ada"), taskId);
    await untilStatus(b.client("ada"), taskId, "completed");
    expect(passed).toEqual(["journey", "journey"]);
  });
});

test("when a process stops, its task continues in another process, and no crash is counted", async () => {
  const { replicas, close, seen } = start(4);
  for (const name of NAMES.slice(0, 3)) close(name);
  const [a, , , d] = replicas;
  const taskId = await startTask(a.client(), "journey", { to: "Rome" });
  await untilStatus(a.client(), taskId, "input_required");
  await answer(a.client(), taskId);
  for (const [index, { server }] of replicas.slice(0, 3).entries()) {
    await eventually(() => expect(seen(/run/)).toHaveLength(index + 1));
    await server.close();
    await replicas[index + 1]!.client().result("tasks/get", { taskId });
  }
  expect(getText(await untilStatus(d.client(), taskId, "completed"))).toContain("on d's seat.");
});

/** An operation on a task, and the process on which it happens. */
type Step = { do: "answer" | "cancel" | "get" | "kill" | "go"; at: number };

const step: fc.Arbitrary<Step> = fc.record({
  do: fc.constantFrom("answer", "cancel", "get", "get", "kill", "go"),
  at: fc.integer({ min: 0, max: 2 }),
});

test("a task has the same end in all processes, whatever process fails at whatever step", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), async (steps) => {
      const { replicas, close } = start(3, { log: "off" });
      const gates = NAMES.map((name) => close(name));
      const clients = replicas.map(({ client }) => client("ada"));
      const taskId = await startTask(clients[0]!, "journey", { to: "Rome" });
      const alive = new Set([0, 1, 2]);
      const ends: Members[] = [];
      const look = async (at: number): Promise<void> => {
        const task = await clients[at]!.result("tasks/get", { taskId });
        if (!["working", "input_required"].includes(task["status"] as string)) ends.push(task);
      };
      const steps_: Record<Step["do"], (at: number) => Promise<unknown>> = {
        answer: (at) => answer(clients[at]!, taskId),
        cancel: (at) => clients[at]!.result("tasks/cancel", { taskId }),
        get: look,
        go: async (at) => gates[at]!(),
        kill: async (at) => {
          if (alive.size === 1) return;
          alive.delete(at);
          await replicas[at]!.store.kill();
        },
      };
      const pending: Promise<unknown>[] = [];
      for (const { do: name, at } of steps) {
        if (!alive.has(at)) continue;
        // Some happen at the same time.
        pending.push(steps_[name](at));
        if (name === "get" || name === "kill") await pending.at(-1);
      }
      // The dead processes return, and all handlers finish.
      for (const [at, { store }] of replicas.entries()) if (!alive.has(at)) store.resume();
      for (const go of gates) go();
      const [last] = [...alive] as [number];
      await eventually(async () => {
        await answer(clients[last]!, taskId);
        await look(last);
        expect(ends.length).toBeGreaterThan(0);
      });
      for (const at of alive) await look(at);
      for (const at of alive) await look(at);
      for (const end of ends) expect(end).toEqual(ends[0]);
      // Requests to processes that died receive an error when these are closed.
      await Promise.all([Promise.allSettled(pending), closeReplicas(open.splice(0))]);
    }),
    { numRuns: 40 },
  );
});
