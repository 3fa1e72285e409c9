/** A task can be polled, answered, and cancelled at any replica, and survives the process that runs it. */
import { expect, test } from "vitest";
import { eventually } from "../support/eventually.js";
import { request } from "./clients/raw-tasks.mjs";
import { describeWithRedis } from "./clusters.js";

type Members = Record<string, unknown>;

describeWithRedis("with Redis", (scene) => {
  /** Sends requests of a client with tasks through the proxy. */
  const open = (subject?: string) => {
    const headers = subject === undefined ? {} : { "x-user": subject };
    return (method: string, params: Members): Promise<Members> =>
      request(scene.cluster.url, method, params, { headers });
  };
  type Client = ReturnType<typeof open>;
  const at = (replica: number): void => scene.cluster.proxy.turnTo(replica);

  /** Starts a task at the first replica. */
  const begin = async (client: Client, name: string, job: string): Promise<string> => {
    at(0);
    const result = await client("tools/call", { name, arguments: { name: job } });
    expect(result["resultType"]).toBe("task");
    return result["taskId"] as string;
  };
  const until = (client: Client, taskId: string, status: string): Promise<Members> =>
    eventually(async () => {
      const task = await client("tasks/get", { taskId });
      expect(task["status"]).toBe(status);
      return task;
    });

  test("a task and its result are available at all replicas", async () => {
    const client = open();
    const taskId = await begin(client, "job", "known");
    for (const replica of [1, 2, 0]) {
      at(replica);
      expect(await client("tasks/get", { taskId })).toMatchObject({ taskId, status: "working" });
    }
    scene.cluster.ledger.open("known");
    for (const replica of [1, 2, 0]) {
      at(replica);
      const { result } = await until(client, taskId, "completed");
      expect(result).toMatchObject({ content: [{ text: expect.stringMatching(/^receipt/) as string }] });
    }
    expect(scene.cluster.ledger.named("known")).toHaveLength(1);
  });

  test("a task belongs to its principal at every replica", async () => {
    const taskId = await begin(open("ada"), "job", "private");
    const other = open("bob");
    for (const replica of [0, 1, 2]) {
      at(replica);
      await expect(other("tasks/get", { taskId })).rejects.toThrow("There is no such task");
    }
  });

  test("a task's question is answered at another replica", async () => {
    const client = open();
    scene.cluster.ledger.open("interviewed answered");
    const taskId = await begin(client, "interview", "interviewed");
    at(1);
    const task = await until(client, taskId, "input_required");
    const keys = Object.keys(task["inputRequests"] as object);
    const inputResponses = Object.fromEntries(
      keys.map((key) => [key, { action: "accept", content: { person: "Ada" } }]),
    );
    at(2);
    await client("tasks/update", { taskId, inputResponses });
    at(1);
    const { result } = await until(client, taskId, "completed");
    expect(result).toMatchObject({ content: [{ text: expect.stringMatching(/^Ada: receipt/) as string }] });
  });

  test("a task is cancelled at another replica", async () => {
    const client = open();
    const taskId = await begin(client, "job", "cancelled");
    await scene.cluster.ledger.reached("cancelled");
    at(1);
    await client("tasks/cancel", { taskId });
    for (const replica of [0, 1, 2]) {
      at(replica);
      await until(client, taskId, "cancelled");
    }
    expect(scene.cluster.ledger.named("cancelled")).toHaveLength(0);
  });

  test("a task whose process is killed continues in another", async () => {
    const client = open();
    const taskId = await begin(client, "job", "killed");
    await scene.cluster.ledger.reached("killed");
    await scene.kill("a");
    scene.cluster.ledger.open("killed");
    const { result } = await until(client, taskId, "completed");
    expect(result).toMatchObject({ content: [{ text: expect.stringMatching(/^receipt/) as string }] });
    expect(scene.cluster.ledger.named("killed")).toHaveLength(1);
  });

  test("a task whose process is killed while it asks continues with the answer", async () => {
    const client = open();
    scene.cluster.ledger.open("asking answered");
    const taskId = await begin(client, "interview", "asking");
    const task = await until(client, taskId, "input_required");
    await scene.kill("a");
    const [key = ""] = Object.keys(task["inputRequests"] as object);
    await client("tasks/update", {
      taskId,
      inputResponses: { [key]: { action: "accept", content: { person: "Ada" } } },
    });
    const { result } = await until(client, taskId, "completed");
    expect(result).toMatchObject({ content: [{ text: expect.stringMatching(/^Ada: receipt/) as string }] });
    for (const effect of ["prepare", "conclude"])
      expect(scene.cluster.ledger.named(`asking ${effect}`)).toHaveLength(1);
  });

  test("a finished task outlives its process", async () => {
    const client = open();
    scene.cluster.ledger.open("over");
    const taskId = await begin(client, "job", "over");
    await until(client, taskId, "completed");
    await scene.kill("a");
    expect(await client("tasks/get", { taskId })).toMatchObject({ status: "completed" });
  });
});
