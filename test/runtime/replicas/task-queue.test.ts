/** Tasks by way of a queue: the seam, with a queue of a test's own. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TaskExecutor, TaskWork } from "@tenon/runtime";
import { createServer } from "@tenon/runtime/server";
import { memoryStore, shared } from "@tenon/runtime/store";
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

/** A queue in this process, worked on when the test says so. */
class ListedTasks {
  readonly ids: string[] = [];
  readonly works: TaskWork[] = [];
  isDown = false;

  /** One process's way to it. */
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

  /** Has one process work on the first. */
  work(at: number, isLast = true): Promise<"done" | "handed-over"> {
    const [id = "none"] = this.ids.splice(0, 1);
    return this.works[at]!.run(id, { isLast });
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

describe("a queue of tasks", () => {
  test("has the handler run where it says, and nowhere else", async () => {
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

  test("is not asked for what is refused, or is over", async () => {
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

  test("refuses a call that it cannot take", async () => {
    const { queue, replicas } = start(1);
    const client = replicas[0].client();
    queue.isDown = true;
    const error = await client.error("tools/call", { name: "journey", arguments: { to: "Rome" } });
    expect(error.message).toBe(
      "The server cannot reach what it shares with its other processes. Try again in a moment.",
    );
  });

  test("runs a handler again that fails by an internal error, but not what a handler says itself", async () => {
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
    await expect(first).rejects.toThrow("The handler failed by an internal error, which the log has.");
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

  test("gets a task back from a process that stops, and goes on with it elsewhere", async () => {
    const { queue, replicas } = start(2, (by) => (by === "a" ? new Promise(() => {}) : Promise.resolve()));
    const [a, b] = replicas;
    const taskId = await startTask(a.client(), "journey", { to: "Rome" });
    const worked = queue.work(0);
    await untilStatus(b.client(), taskId, "input_required");
    await b.client().result("tasks/update", { taskId, inputResponses: { who: accept("Ada") } });
    await a.server.close();
    expect(await worked).toBe("handed-over");
    queue.ids.push(taskId);
    expect(await queue.work(1)).toBe("done");
    await untilStatus(b.client(), taskId, "completed");
  });

  test("gets what a dead process had, also where the queue never had it", async () => {
    const { queue, replicas } = start(2);
    const [a, b] = replicas;
    const first = await a.client().result("tools/call", { name: "later" });
    const inputResponses = { user_name: accept("Ada") };
    const { requestState } = first;
    const created = await a.client().result("tools/call", { name: "later", inputResponses, requestState });
    const taskId = created["taskId"] as string;
    // A handler that had begun goes on where it is.
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

  test("is given up when three processes have died of a task", async () => {
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
      error: { message: "The task was given up: 3 processes have died at work on it." },
    });
  });
});

test("a queue without a store is a mistake", () => {
  const tasks = new ListedTasks().executor();
  expect(() => createServer(createTasksFixture({ tasks }))).toThrowErrorMatchingInlineSnapshot(
    `[TypeError: \`tasks\` of defineServer() needs a \`store\`, where every process finds what is known of a task. \`store: redis(…)\` of @tenon/runtime/redis is one.]`,
  );
  const server = createServer(createTasksFixture({ tasks, store: shared(memoryStore()) }));
  expect(server.hasTaskQueue).toBe(true);
  return server.close();
});

test("a process that is to work on tasks alone, without a queue, says what it lacks", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tenon-tasks-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const outfile = join(folder, "serve.mjs");
  await bundle(join(import.meta.dirname, "../tasks/serve.ts"), outfile);
  const run = (...flags: string[]): string => {
    const { status, stderr } = spawnSync(process.execPath, [outfile, ...flags], { encoding: "utf8" });
    return `${status}: ${stderr.split("\n")[0]}`;
  };
  expect(run("--tasks-only")).toBe(
    "2: --tasks-only needs a queue, `tasks` in src/server.ts, and a tool with tasks. " +
      "`tasks: bullmq(…)` of @tenon/runtime/bullmq is one.",
  );
  expect(run("--tasks-only", "--http")).toBe(
    "2: --tasks-only serves no client, so it does not go with --http.",
  );
});
