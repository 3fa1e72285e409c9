/** Tasks on a queue of BullMQ, on a real Redis. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bullmq, type BullmqOptions } from "@tenon/runtime/bullmq";
import { redis } from "@tenon/runtime/redis";
import { createServer, type Server } from "@tenon/runtime/server";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { bundle } from "../../support/bundle.mjs";
import { eventually } from "../../support/eventually.js";
import { missingRedis, RedisServer } from "../../support/redis-server.mjs";
import { WireClient } from "../../support/wire-client.js";
import { memoryWire } from "../../support/wires.js";
import { createTasksFixture } from "../tasks/application.js";
import { type Diary, Jobs } from "../tasks/handlers.js";
import { accept, type Members, startTask, untilStatus } from "./tasks-cluster.js";

const missing = missingRedis();
const EXTENSIONS = { "io.modelcontextprotocol/tasks": {} };

test("the URL of a Redis server is required", () => {
  expect(() => bullmq("")).toThrow("bullmq() needs the URL of a Redis");
  expect(() => bullmq("redis://localhost", { concurrency: -1 })).toThrow(
    "concurrency of bullmq() must be a whole number of at least 0 (got -1)",
  );
});

describe.skipIf(missing !== undefined)(
  `tasks on BullMQ${missing === undefined ? "" : `: ${missing}`}`,
  () => {
    let server: RedisServer;
    const servers: Server[] = [];
    const children: ChildProcess[] = [];
    beforeAll(async () => {
      server = await RedisServer.start();
    });
    afterEach(async () => {
      for (const child of children.splice(0)) child.kill("SIGKILL");
      await Promise.all(servers.splice(0).map((each) => each.close()));
      await server.command("FLUSHALL");
    });
    afterAll(() => server.close());

    /** Starts a server that shares this Redis with others. */
    function start(
      name: string,
      options: BullmqOptions,
      diary: Diary = { lines: [], wait: async () => {} },
    ): { client: WireClient; server: Server } {
      const config = {
        log: "off" as const,
        store: redis(server.url),
        tasks: bullmq(server.url, options),
        provide: [new Jobs(name, diary)],
      };
      const made = createServer(createTasksFixture(config));
      servers.push(made);
      const client = new WireClient(memoryWire(made), {
        revision: "2026-07-28",
        capabilities: { elicitation: {}, extensions: EXTENSIONS },
      });
      return { client, server: made };
    }

    const getText = (task: Members): string =>
      (task["result"] as { content: { text: string }[] }).content[0]!.text;

    test("run in a worker process, and are served by any process", async () => {
      const [{ client: a }, { client: b }] = [start("a", { concurrency: 0 }), start("b", {})];
      const taskId = await startTask(a, "journey", { to: "Rome" });
      await untilStatus(a, taskId, "input_required");
      await a.result("tasks/update", { taskId, inputResponses: { who: accept("Ada") } });
      const done = await untilStatus(a, taskId, "completed");
      expect(getText(done)).toBe("Ada goes to Rome with b's ticket on b's seat.");
      expect(await b.result("tasks/get", { taskId })).toEqual(done);
      // No data of a job remains.
      await eventually(async () => expect(await server.command("KEYS", `bull:*:${taskId}`)).toBe(""));
    });

    test("are retried as configured, with the results of earlier steps", async () => {
      let failures = 0;
      const diary: Diary = {
        lines: [],
        wait: async () => {
          if (failures++ < 2) throw new Error("The printer is on fire.");
        },
      };
      const { client } = start("a", { attempts: 3, backoff: 10 }, diary);
      const taskId = await startTask(client, "journey", { to: "Rome" });
      await untilStatus(client, taskId, "input_required");
      await client.result("tasks/update", { taskId, inputResponses: { who: accept("Ada") } });
      expect(getText(await untilStatus(client, taskId, "completed"))).toMatch(/^Ada goes to Rome/);
      expect(diary.lines.filter((line) => line.includes("run"))).toHaveLength(3);
      expect(diary.lines.filter((line) => line.includes("ticket"))).toHaveLength(1);
    });

    test("continue immediately in another process when their process stops", async () => {
      const lines: string[] = [];
      const wait: Diary["wait"] = (by) => (by === "a" ? new Promise(() => {}) : Promise.resolve());
      const { client, server: first } = start("a", {}, { lines, wait });
      const taskId = await startTask(client, "journey", { to: "Rome" });
      await untilStatus(client, taskId, "input_required");
      await client.result("tasks/update", { taskId, inputResponses: { who: accept("Ada") } });
      const { client: b } = start("b", {}, { lines, wait });
      servers.splice(servers.indexOf(first), 1);
      await first.close();
      expect(getText(await untilStatus(b, taskId, "completed"))).toBe(
        "Ada goes to Rome with a's ticket on b's seat.",
      );
    });

    test("survive a worker process that is killed", async () => {
      const folder = mkdtempSync(join(tmpdir(), "tenon-tasks-"));
      const outfile = join(folder, "work.mjs");
      await bundle(join(import.meta.dirname, "../tasks/work.ts"), outfile);
      const work = async (): Promise<ChildProcess> => {
        const env = { ...process.env, TENON_REDIS_URL: server.url };
        const child = spawn(process.execPath, [outfile, "--tasks-only"], {
          env,
          stdio: ["ignore", "ignore", "pipe"],
        });
        children.push(child);
        let output = "";
        child.stderr.setEncoding("utf8").on("data", (text: string) => (output += text));
        await eventually(() => expect(output).toContain("jobs 1.0.0 works on tasks"));
        return child;
      };
      const { client } = start("a", { concurrency: 0 });
      const first = await work();
      const taskId = await startTask(client, "confirm");
      await untilStatus(client, taskId, "input_required");
      first.kill("SIGKILL");
      await once(first, "exit");
      await client.result("tasks/update", { taskId, inputResponses: { who: accept("Ada") } });
      const second = await work();
      expect(getText(await untilStatus(client, taskId, "completed"))).toBe("Confirmed by Ada after 0.");
      second.kill("SIGTERM");
      const [code] = (await once(second, "exit")) as [number];
      expect(code).toBe(0);
      rmSync(folder, { recursive: true });
    });
  },
);
