/** The permissions that the scaling page lists for a Redis user: they suffice for a store and a queue, and for nothing else. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { bullmq } from "@tenon/runtime/bullmq";
import { redis, type RedisOptions, type Store } from "@tenon/runtime/redis";
import { afterEach, describe, expect, test } from "vitest";
import { RedisCluster } from "../../support/redis-cluster.js";
import { missingRedis, RedisServer } from "../../support/redis-server.mjs";

const LONG = 60_000;
const missing = missingRedis();
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

const page = readFileSync(
  join(import.meta.dirname, "../../../packages/docs/reference/scaling-and-stores.md"),
  "utf8",
);
const [, command = ""] = /ACL SETUSER tenon on '>password' (.*)/.exec(page) ?? [];
const rules = command.trim().split(" ");

/** Creates the user, and returns its URL. */
async function addUser(server: RedisServer, permissions: readonly string[]): Promise<string> {
  await server.command("ACL", "SETUSER", "tenon", "reset", "on", ">password", ...permissions);
  return `redis://tenon:password@127.0.0.1:${server.port}`;
}

function open(url: string | undefined, options: RedisOptions = {}): Store {
  const { store } = redis(url, options);
  closing.push(() => store.close());
  return store;
}

async function useEveryOperation(store: Store): Promise<void> {
  for (const key of ["tenon:desk:plain", "tenon:desk:{session}:key"]) {
    const heard: string[] = [];
    const end = await store.subscribe(
      [key],
      (message) => heard.push(message),
      () => {},
    );
    await store.publish(key, "x");
    await expect.poll(() => heard).toEqual(["x"]);
    await end();
    const version = await store.set(key, "x", { ttlMs: LONG });
    await store.set(key, "y", { ttlMs: LONG, ifVersion: version! });
    await store.get(key);
    await store.delete(key);
    const reading = store.read(key, "", { waitMs: LONG });
    await store.append(key, ["x"], { maxBytes: 10, ttlMs: LONG });
    expect((await reading).entries).toHaveLength(1);
    await store.consume([{ key, calls: 1, windowMs: LONG }]);
    const lease = await store.lease(key, "me", LONG);
    await lease?.renew();
    await lease?.release();
  }
}

const title = `the permissions on the scaling page${missing ? ` (skipped: ${missing})` : ""}`;

describe.skipIf(missing !== undefined)(title, () => {
  const start = async (): Promise<RedisServer> => {
    const server = await RedisServer.start();
    closing.push(() => server.close());
    return server;
  };

  test("suffice for a store, and reach no other keys", async () => {
    const store = open(await addUser(await start(), rules));
    await useEveryOperation(store);
    await expect(store.get("another's")).rejects.toThrow("NOPERM");
  });

  test("suffice for a store with a prefix, before each `tenon:`", async () => {
    const prefixed = rules.map((rule) => rule.replace("tenon:", "desk:tenon:"));
    const store = open(await addUser(await start(), prefixed), { prefix: "desk:" });
    await useEveryOperation(store);
    await expect(store.get("another's")).rejects.toThrow("NOPERM");
  });

  test("suffice in a cluster, on every node", async () => {
    const cluster = await RedisCluster.start();
    closing.push(() => cluster.close());
    const urls = await Promise.all(cluster.nodes.map((node) => addUser(node, rules)));
    const store = open(undefined, { cluster: urls });
    await useEveryOperation(store);
    await expect(store.get("another's")).rejects.toThrow("NOPERM");
  });

  test("suffice for a queue of BullMQ, with its own keys", async () => {
    const url = await addUser(await start(), [...rules, "~bull:*"]);
    const logged: string[] = [];
    const tasks = bullmq(url);
    closing.push(() => tasks.close());
    const ran: string[] = [];
    await tasks.start({
      serverName: "desk",
      log: ({ msg }) => void logged.push(msg),
      run: async (id) => {
        ran.push(id);
        return "done";
      },
    });
    await tasks.submit("task-1");
    await expect.poll(() => ran).toEqual(["task-1"]);
    expect(logged).toEqual([]);
  });
});
