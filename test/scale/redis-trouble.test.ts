/**
 * Redis is slow, full, replaced, or unreachable, even at startup: calls that need it fail with a clear error, others
 * keep working, and everything recovers.
 */
import { expect, test } from "vitest";
import { listClients, describeWithRedis, type OfficialClient, type Scene } from "./clusters.js";
import { RedisServer } from "../support/redis-server.mjs";

const [[, V1]] = listClients("legacy") as [ReturnType<typeof listClients>[number]];
const [[, MODERN]] = listClients("modern") as [ReturnType<typeof listClients>[number]];

const asUser = () => ({ headers: { "x-user": crypto.randomUUID() } });

/** Returns "served", or the error that the client received. */
const getOutcome = (call: Promise<{ isError?: boolean; content: { text: string }[] }>): Promise<string> =>
  call.then(
    ({ isError, content }) => (isError === true ? `rejected: ${content[0]?.text}` : "served"),
    (error: Error) => `rejected: ${error.message}`,
  );

/** Expects each replica to serve calls that need no store. */
async function expectPlainCalls(client: OfficialClient): Promise<void> {
  for (let calls = 0; calls < 6; calls++)
    expect(await client.call("where")).toMatchObject({ structuredContent: {} });
}

/** Waits until each replica serves calls that need the store. */
async function expectRecovery({ cluster }: Scene): Promise<void> {
  for (const [replica] of cluster.replicas.entries()) {
    const client = await MODERN.connect(cluster.url, asUser());
    await expect
      .poll(() => {
        cluster.proxy.turnTo(replica);
        return getOutcome(client.call("seldom"));
      })
      .toBe("served");
    await client.close();
  }
}

const UNREACHABLE = /cannot reach the store|No server is there/;

describeWithRedis(
  "a Redis that is stopped and comes back",
  (scene) => {
    test("causes rejections only where it is needed, until it recovers", async () => {
      const legacy = await scene.connect(V1);
      const modern = await scene.connect(MODERN, asUser());
      // Every replica knows the session.
      await expectPlainCalls(legacy);
      await scene.redis.kill();
      await expectPlainCalls(legacy);
      await expectPlainCalls(modern);
      for (let calls = 0; calls < 3; calls++) {
        expect(await getOutcome(modern.call("seldom"))).toMatch(UNREACHABLE);
      }
      await scene.redis.start();
      await expectRecovery(scene);
      await expectPlainCalls(legacy);
      await expectPlainCalls(modern);
    });

    test("keeps acknowledged sessions, tasks, and subscriptions", async () => {
      const legacy = await scene.connect(V1);
      const id = crypto.randomUUID();
      await legacy.watch(`note://${id}`);
      await legacy.setLevel("error");
      await scene.redis.kill();
      await scene.redis.start();
      await expectRecovery(scene);
      await scene.kill("a");
      await scene.cluster.replica("a").start();
      for (const replica of [0, 1, 2]) {
        scene.cluster.proxy.turnTo(replica);
        expect(await legacy.call("where")).toMatchObject({ structuredContent: {} });
      }
      await expect
        .poll(async () => {
          await legacy.call("touch", { id });
          return legacy.heard.map(({ params }) => params?.uri);
        })
        .toContain(`note://${id}`);
    });

    test("ends no call that waits for an answer", async () => {
      const { ledger } = scene.cluster;
      ledger.open("through answered");
      const client = await scene.connect(V1, {
        answers: {
          elicit: async (message) => {
            if (!message.includes("Who")) return { action: "accept", content: { sure: true } };
            await scene.redis.kill();
            await scene.redis.start();
            await expectRecovery(scene);
            return { action: "accept", content: { person: "Ada" } };
          },
        },
      });
      expect((await client.call("order", { name: "through" })).structuredContent).toMatchObject({
        to: "Ada",
      });
      expect(ledger.named("through ship")).toHaveLength(1);
    });
  },
  { redis: ["--appendonly", "yes"] },
);

describeWithRedis("a Redis that is down when the servers start", (scene) => {
  test("is used as soon as it starts", async () => {
    const { cluster, redis } = scene;
    await redis.kill();
    for (const replica of cluster.replicas) await replica.kill();
    await Promise.all(cluster.replicas.map((replica) => replica.start()));
    const modern = await scene.connect(MODERN, asUser());
    await expectPlainCalls(modern);
    expect(await getOutcome(modern.call("seldom"))).toMatch(UNREACHABLE);
    await redis.start();
    await expectRecovery(scene);
    const legacy = await scene.connect(V1);
    await expectPlainCalls(legacy);
  });
});

describeWithRedis("a Redis that is full", (scene) => {
  test("rejects writes until there is room", async () => {
    const { redis } = scene;
    const legacy = await scene.connect(V1);
    await expectPlainCalls(legacy);
    await redis.command("CONFIG", "SET", "maxmemory-policy", "noeviction");
    await redis.command("CONFIG", "SET", "maxmemory", "1mb");
    await expectPlainCalls(legacy);
    const modern = await scene.connect(MODERN, asUser());
    await expectPlainCalls(modern);
    expect(await getOutcome(modern.call("seldom"))).toMatch(UNREACHABLE);
    await redis.command("CONFIG", "SET", "maxmemory", "0");
    await expectRecovery(scene);
  });
});

describeWithRedis("a Redis that is slow", (scene) => {
  test("delays only requests that need it", async () => {
    const { redis } = scene;
    const legacy = await scene.connect(V1);
    const modern = await scene.connect(MODERN, asUser());
    await expectPlainCalls(legacy);
    await redis.freeze();
    try {
      const waiting = getOutcome(modern.call("seldom"));
      await expectPlainCalls(legacy);
      await expectPlainCalls(modern);
      expect(await waiting).toMatch(UNREACHABLE);
    } finally {
      redis.thaw();
    }
    await expectRecovery(scene);
  });
});

describeWithRedis("a Redis that fails over", (scene) => {
  test("lets servers continue with the data of its replica", async () => {
    const { redis, cluster } = scene;
    const legacy = await scene.connect(V1);
    await expectPlainCalls(legacy);
    const copy = await RedisServer.start("--replicaof", "127.0.0.1", String(redis.port));
    try {
      await expect.poll(() => copy.command("INFO", "replication")).toContain("master_link_status:up");
      await redis.command("WAIT", 1, 5000);
      // Another server takes over the address of the dead one, as with an address service.
      await copy.command("REPLICAOF", "NO", "ONE");
      await redis.kill();
      await copy.moveTo(redis.port);
      await expectRecovery(scene);
      await cluster.replica("b").kill();
      await cluster.replica("b").start();
      await expectPlainCalls(legacy);
    } finally {
      await copy.close();
      await redis.start();
    }
  });
});
