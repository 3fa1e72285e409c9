/** A store while a cluster loses a node: keys on other nodes keep working, and all keys work after a replica has taken over. */
import { redis } from "@tenon/runtime/redis";
import { afterEach, describe, expect, test, vi } from "vitest";
import { RedisCluster } from "../../support/redis-cluster.js";
import { missingRedis } from "../../support/redis-server.mjs";

const LONG = 600_000;
const missing = missingRedis();
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

describe.skipIf(missing !== undefined)(`a cluster${missing ? ` (skipped: ${missing})` : ""}`, () => {
  test("serves the other slots when a node dies, and its slots after the failover", async () => {
    const cluster = await RedisCluster.start();
    closing.push(() => cluster.close());
    const [first] = cluster.nodes;
    const copy = await cluster.addReplica(first!);
    const urls = cluster.nodes.slice(0, 3).map(({ url }) => url);
    const stores = [1, 2, 3, 4, 5].map(() => redis(undefined, { cluster: urls, timeoutMs: 2000 }).store);
    for (const store of stores) closing.push(() => store.close());
    const [store] = stores as [(typeof stores)[0]];

    const keys = Array.from({ length: 60 }, (_, index) => `key ${index}`);
    for (const key of keys) await store.set(key, "x", { ttlMs: LONG });
    const stream = "stream {a}";
    const [id] = await store.append(stream, ["before"], { maxBytes: 1000, ttlMs: LONG });
    const heard = stores.map(() => new Set<string>());
    const gaps = stores.map(() => vi.fn());
    for (const [index, each] of stores.entries()) {
      await each.subscribe(["one", "two", "three"], (message) => heard[index]!.add(message), gaps[index]!);
    }
    const [, listening] = (await first!.command("PUBSUB", "NUMSUB", "one")).split("\n");
    await first!.command("WAIT", 1, 5000);
    await first!.kill();

    const canWrite = async (each: string): Promise<boolean> =>
      store.set(each, "y", { ttlMs: LONG }).then(Boolean, () => false);
    await expect.poll(async () => (await Promise.all(keys.map(canWrite))).every(Boolean)).toBe(true);
    expect(await copy.command("ROLE")).toMatch(/^master/);
    for (const key of keys) expect((await store.get(key))?.value).toBe("y");
    const [next] = await store.append(stream, ["after"], { maxBytes: 1000, ttlMs: LONG });
    expect(await store.read(stream, id!)).toEqual({ entries: [{ id: next, value: "after" }], missed: false });

    // Clients of that node have another connection now, and know that they may have missed changes.
    for (const topic of ["one", "two", "three"]) {
      await expect
        .poll(async () => {
          await store.publish(topic, topic).catch(() => {});
          return heard.every((each) => each.has(topic));
        })
        .toBe(true);
    }
    const notified = gaps.filter((gap) => gap.mock.calls.length > 0).length;
    expect(notified).toBe(Number(listening));
  });
});
