/** Tasks in a queue: the interface, with a queue in this process. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TaskExecutor, TaskRunner } from "@tenon/runtime";
import { createServer } from "@tenon/runtime/server";
import { memoryStore, sharedStore } from "@tenon/runtime/store";
import { afterEach, describe, expect, onTestFinished, test } from "vitest";
import { bundle } from "../../support/bundle.mjs";
import { eventually } from "../../support/eventually.js";
import { createTasksFixture } from "../tasks/application.js";
import { type Diary, Jobs } from "../tasks/handlers.js";
import {
  accept,
  closeReplicas,
  type Replica,
  startReplicas,
  startTask,
  untilStatus,
} from "./tasks-cluster.js";

const open: Replica[] = [];
afterEach(() => closeReplicas(open.splice(0)));

/** A queue in this process whose entries run when the test requests it. */
class ListedTasks {
  readonly ids: string[] = [];
  readonly works: TaskRunner[] = [];
  isDown = false;

  /** Returns the executor with which one process uses the queue. */
  executor(): TaskExecutor {
    return {
      start: async (work) => void this.works.push(work),
      submit: async (id) => {
        if (this.isDown) throw new Error("amqp://secret refused");
        if (!this.ids.includes(id)) this.ids.push(id);
      },
      close: async () => {},
    };
  }

  /** Lets one process run the first job. */
  work(at: number, isLast = true): Promise<"done" | "interrupted"> {
    const [id = "none"] = this.ids.splice(0, 1);
    return this.works[at]!.run(id, { isFinal: isLast });
  }
}

function start(count: number, wait: Diary["wait"] = async () => {}) {
  const queue = new ListedTasks();
  const lines: string[] = [];
  const passed: string[] = [];
  const replicas = startReplicas(count, (index) => ({
    tasks: queue.executor(),
    provide: [new Jobs("abc"[index], { lines, wait })],
    use: [
      async (call, next) => {
        try {
          return await next();
        } finally {
          passed.push(`${"abc"[index]} ${call.name}`);
        }
      },
    ],
  }));
  open.push(...replicas);
  return { queue, lines, passed, replicas: replicas as [Replica, Replica, Replica] };
}

describe("a task queue", () => {
  test("runs the handler in the process it chooses, and nowhere else", async () => {
    const { queue, lines, passed, replicas } = start(2);
    const [a, b] = replicas.map(({ client }) => client("ada"));
    const taskId = await startTask(a!, "journey", { to: "Rome" });
    expect(queue.ids).toEqual([taskId]);
    // The middleware around it was passed, and has ended.
    await eventually(() => expect(passed).toEqual(["a journey"]));
    expect(lines).toEqual([]);
    expect((await b!.result("tasks/get", { taskId }))["status"]).toBe("working");
    const worked = queue.work(1);
    await untilStatus(a!, taskId, "input_required");
    await a!.result("tasks/update", { taskId, inputResponses: { who: accept("Ada") } });
    expect(await untilStatus(a!, taskId, "completed")).toMatchObject({
      result: { content: [{ text: "Ada goes to Rome with b's ticket on b's seat." }] },
    });
    expect(await worked).toBe("done");
    expect(lines[0]).toBe("b: run for ada");
  });

  test("receives no task that is rejected or done", async () => {
    const { queue, lines, replicas } = start(1);
    const client = replicas[0].client();
    expect(await client.call("journey", { to: 7, by: "car" })).toMatchObject({ isError: true });
    expect(queue.ids).toEqual([]);
    const taskId = await startTask(client, "journey", { to: "Rome" });
    await client.result("tasks/cancel", { taskId });
    expect(await queue.work(0)).toBe("done");
    expect(lines).toEqual([]);
    expect((await client.result("tasks/get", { taskId }))["status"]).toBe("cancelled");
  });

  test("may reject a call", async () => {
    const { queue, replicas } = start(1);
    const client = replicas[0].client();
    queue.isDown = true;
    const error = await client.error("tools/call", { name: "journey", arguments: { to: "Rome" } });
    expect(error.message).toBe(
      "The server cannot reach the store that its processes share. Try again in a moment.",
    );
  });

  test("runs a handler again after an internal error, but not after a handler's own failure", async () => {
    let isBroken = true;
    const { queue, lines, replicas } = start(2, async () => {
      if (isBroken) throw new Error("The printer is on fire.");
    });
    const client = replicas[0].client();
    const taskId = await startTask(client, "journey", { to: "Rome" });
    const first = queue.work(0, false);
    first.catch(() => {});
    await untilStatus(client, taskId, "input_required");
    await client.result("tasks/update", { taskId, inputResponses: { who: accept("Ada") } });
    await expect(first).rejects.toThrow("The handler failed with an internal error, which was logged.");
    expect((await client.result("tasks/get", { taskId }))["status"]).toBe("working");
    isBroken = false;
    queue.ids.push(taskId);
    expect(await queue.work(1, false)).toBe("done");
    expect(await untilStatus(client, taskId, "completed")).toMatchObject({
      result: { content: [{ text: "Ada goes to Rome with a's ticket on b's seat." }] },
    });
    expect(lines.filter((line) => line.includes("ticket"))).toHaveLength(1);

    const failing = await startTask(client, "fail");
    expect(await queue.work(0, false)).toBe("done");
    expect(await untilStatus(client, failing, "completed")).toMatchObject({ result: { isError: true } });

    isBroken = true;
    const last = await startTask(client, "journey", { to: "Bonn" });
    const worked = queue.work(0);
    await untilStatus(client, last, "input_required");
    await client.result("tasks/update", { taskId: last, inputResponses: { who: accept("Ada") } });
    expect(await worked).toBe("done");
    expect(await untilStatus(client, last, "completed")).toMatchObject({ result: { isError: true } });
  });

  test("receives a task back from a process that stops, and continues it elsewhere", async () => {
    const { queue, replicas } = start(2, (by) => (by === "a" ? new Promise(() => {}) : Promise.resolve()));
    const [a, b] = replicas;
    const taskId = await startTask(a.client(), "journey", { to: "Rome" });
    const worked = queue.work(0);
    await untilStatus(b.client(), taskId, "input_required");
    await b.client().result("tasks/update", { taskId, inputResponses: { who: accept("Ada") } });
    await a.server.close();
    expect(await worked).toBe("interrupted");
    queue.ids.push(taskId);
    expect(await queue.work(1)).toBe("done");
    await untilStatus(b.client(), taskId, "completed");
  });

  test("receives the tasks of a dead process, even those that were never in the queue", async () => {
    const { queue, replicas } = start(2);
    const [a, b] = replicas;
    const first = await a.client().result("tools/call", { name: "later" });
    const inputResponses = { user_name: accept("Ada") };
    const { requestState } = first;
    const created = await a.client().result("tools/call", { name: "later", inputResponses, requestState });
    const taskId = created["taskId"] as string;
    // A handler that has begun continues in its process.
    await untilStatus(b.client(), taskId, "input_required");
    expect(queue.ids).toEqual([]);
    await a.store.kill();
    await eventually(async () => {
      await b.client().result("tasks/get", { taskId });
      expect(queue.ids).toEqual([taskId]);
    });
    await b.client().result("tasks/update", { taskId, inputResponses: { other: accept("Eve") } });
    expect(await queue.work(1)).toBe("done");
    await untilStatus(b.client(), taskId, "completed");
  });

  test("abandons a task after three processes died running it", async () => {
    const { queue, replicas, lines } = start(3, () => new Promise(() => {}));
    const [a] = replicas;
    const taskId = await startTask(a.client(), "journey", { to: "Rome" });
    for (const at of [0, 1, 2]) {
      void queue.work(at);
      await eventually(() => expect(lines.filter((line) => line.includes("run"))).toHaveLength(at + 1));
      queue.ids.push(taskId);
      if (at < 2) await replicas[at]!.store.kill();
    }
    const d = startReplicas(1, { tasks: queue.executor() }, replicas[2].store)[0]!;
    open.push(d);
    expect(await queue.work(3)).toBe("done");
    expect(await d.client().result("tasks/get", { taskId })).toMatchObject({
      status: "failed",
      error: { message: "The task failed because 3 processes crashed while they worked on it." },
    });
  });

  test("warns once of tasks that are not in the store", async () => {
    const { queue, replicas } = start(1);
    const [a] = replicas;
    queue.ids.push("of another store", "of another store too");
    for (let count = 0; count < 2; count++) expect(await queue.work(0)).toBe("done");
    expect(a.log.filter(({ event }) => event === "task-queue")).toEqual([
      expect.objectContaining({
        level: "warn",
        msg: expect.stringContaining("Servers with different stores need different queues"),
      }),
    ]);
  });
});

test("a queue without a store is rejected", () => {
  const tasks = new ListedTasks().executor();
  expect(() => createServer(createTasksFixture({ tasks }))).toThrowErrorMatchingInlineSnapshot(
    `[TypeError: \`tasks\` of defineServer() needs a \`store\`, in which every process finds the tasks. Add one, such as \`store: redis(…)\` from @tenon/runtime/redis.]`,
  );
  const server = createServer(createTasksFixture({ tasks, store: sharedStore(memoryStore()) }));
  expect(server.hasTaskQueue).toBe(true);
  return server.close();
});

test("a task-only process without a queue is rejected with an error that names what it lacks", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tenon-tasks-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const outfile = join(folder, "serve.mjs");
  await bundle(join(import.meta.dirname, "../tasks/serve.ts"), outfile);
  const run = (...flags: string[]): string => {
    const { status, stderr } = spawnSync(process.execPath, [outfile, ...flags], { encoding: "utf8" });
    return `${status}: ${stderr.split("\n")[0]}`;
  };
  expect(run("--tasks-only")).toBe(
    "2: --tasks-only needs a tool with tasks, and a queue in src/server.ts, " +
      "such as `tasks: bullmq(…)` from @tenon/runtime/bullmq.",
  );
  expect(run("--tasks-only", "--http")).toBe(
    "2: --tasks-only serves no clients, so it cannot be combined with --http.",
  );
});
