/** Settings of Redis with which it loses data: the server names them when it starts. */
import type { LogEntry } from "@tenon/runtime";
import { redis } from "@tenon/runtime/redis";
import { createServer } from "@tenon/runtime/server";
import { afterEach, describe, expect, test } from "vitest";
import { missingRedis, RedisServer } from "../../support/redis-server.mjs";
import { createFixture } from "../fixture/application.js";

const EVICTS =
  "Redis has the setting `maxmemory-policy allkeys-lru`, so it deletes sessions, tasks, and calls in progress when it is full. " +
  "Set `maxmemory-policy noeviction`.";
const FORGETS =
  'Redis stores nothing on disk (`appendonly no` and `save ""`), so a restart of Redis ends sessions, tasks, and calls in progress. ' +
  "Set `appendonly yes`.";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

/** Starts a server that uses this Redis, and returns its log. */
function serve(url: string): LogEntry[] {
  const entries: LogEntry[] = [];
  const store = redis(url);
  const server = createServer(createFixture({ store, log: (entry) => entries.push(entry) }));
  closing.push(() => server.close());
  return entries;
}

const findRisks = (entries: readonly LogEntry[]): string[] =>
  entries.filter(({ event }) => event === "store-may-lose-data").map(({ msg }) => msg);

async function start(...args: string[]): Promise<RedisServer> {
  const server = await RedisServer.start(...args);
  closing.push(() => server.close());
  return server;
}

describe.skipIf(missingRedis() !== undefined)("a server that uses Redis", () => {
  test.each([
    [
      "warns at start about the eviction of keys",
      ["--maxmemory-policy", "allkeys-lru", "--appendonly", "yes"],
      [EVICTS],
    ],
    ["warns at start about a Redis that stores nothing on disk", [], [FORGETS]],
    ["warns about both", ["--maxmemory-policy", "allkeys-lru"], [EVICTS, FORGETS]],
  ])("%s", async (_name, args, risks) => {
    const { url } = await start(...args);
    const entries = serve(url);
    await expect.poll(() => findRisks(entries)).toEqual(risks);
    expect(entries.filter(({ event }) => event === "store-may-lose-data")).toMatchObject(
      risks.map(() => ({ level: "warn" })),
    );
  });

  test("warns as soon as Redis is reachable", async () => {
    const server = await start();
    await server.kill();
    const entries = serve(server.url);
    await expect.poll(() => entries.map(({ event }) => event)).toContain("store-unreachable");
    expect(findRisks(entries)).toEqual([]);
    await server.start();
    await expect.poll(() => findRisks(entries), { timeout: 10_000 }).toEqual([FORGETS]);
  });

  test("warns about nothing if Redis keeps everything, or does not show its settings", async () => {
    const safe = await start("--appendonly", "yes");
    const snapshots = await start("--save", "60 1");
    const restricted = await start("--maxmemory-policy", "allkeys-lru");
    await restricted.command(
      "ACL",
      "SETUSER",
      "tenon",
      "on",
      ">secret",
      "~*",
      "&*",
      "+@all",
      "-info",
      "-config",
    );
    const urls = [safe.url, snapshots.url, restricted.url.replace("//", "//tenon:secret@")];
    const logs = urls.map((url) => serve(url));
    await new Promise((resolve) => setTimeout(resolve, 500));
    for (const entries of logs) {
      expect(findRisks(entries)).toEqual([]);
      expect(entries.map(({ event }) => event)).not.toContain("store-unreachable");
    }
  });
});
