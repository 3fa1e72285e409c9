/** The contract of stores, tested on each of them. */
import { createClient, createClientPool, createCluster } from "@redis/client";
import { memoryStore } from "@tenon/runtime/store";
import { type OpenStore, storeCases } from "@tenon/runtime/store-contract";
import { redis } from "@tenon/runtime/redis";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { RedisCluster } from "../../support/redis-cluster.js";
import { missingRedis, RedisServer } from "../../support/redis-server.mjs";

describe("a store in memory", () => {
  for (const { name, run } of storeCases) {
    test(name, () => {
      const store = memoryStore();
      return run(() => store);
    });
  }
});

const missing = missingRedis();

describe.skipIf(missing !== undefined)(
  `Redis${missing === undefined ? "" : ` (skipped: ${missing})`}`,
  () => {
    let server: RedisServer;
    beforeAll(async () => {
      server = await RedisServer.start();
    });
    afterAll(() => server.close());

    const kinds: Record<string, OpenStore> = {
      "by its URL": () => redis(server.url).store,
      "by its URL, in another database, under a prefix": () =>
        redis(`${server.url}/3`, { prefix: "mine:" }).store,
      "by the author's client": () => redis(createClient({ url: server.url })).store,
      "by the author's client of the older protocol, with its own types": () => {
        const client = createClient({
          url: server.url,
          RESP: 2,
          commandOptions: { typeMapping: { 36: Buffer } },
        });
        return redis(client).store;
      },
      "by the author's pool": () => redis(createClientPool({ url: server.url })).store,
    };
    describe.concurrent.each(Object.entries(kinds))("%s", (_, open) => {
      for (const { name, run } of storeCases) test(name, () => run(open));
    });
  },
);

describe.skipIf(missing !== undefined)("Redis Cluster", () => {
  let cluster: RedisCluster;
  beforeAll(async () => {
    cluster = await RedisCluster.start();
  });
  afterAll(async () => {
    for (const node of cluster.nodes) await expectAllToEnd(node);
    await cluster.close();
  });

  const kinds: Record<string, OpenStore> = {
    "by the URLs of its nodes": () => redis(undefined, { cluster: cluster.urls }).store,
    "by the author's client": () =>
      redis(createCluster({ rootNodes: cluster.urls.map((url) => ({ url })) })).store,
  };
  describe.concurrent.each(Object.entries(kinds))("%s", (_, open) => {
    for (const { name, run } of storeCases) test(name, () => run(open));
  });
});

/** Entries that the cases leave expire by themselves. */
async function expectAllToEnd(server: RedisServer, database = 0): Promise<void> {
  const { count, endless } = await server.countKeys(database);
  expect(count).toBeGreaterThan(0);
  expect(endless).toEqual([]);
}
