/** Clients that disappear: the servers and Redis discard their data without a request. */
import { redis } from "@tenon/runtime/redis";
import type { Store } from "@tenon/runtime/store";
import { afterEach, expect, test } from "vitest";
import { missingRedis, RedisServer } from "../../support/redis-server.mjs";
import { RoamingSession } from "../../support/roaming-session.js";
import { type ServingProcess, startProcess } from "../../support/serving-process.js";
import { createNotebook } from "../fixture/notebook.js";

const CLIENTS = 40;
const missing = missingRedis();
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

test.skipIf(missing !== undefined)(
  `nothing remains of clients that disconnect${missing ? ` (skipped: ${missing})` : ""}`,
  async () => {
    const server = await RedisServer.start();
    closing.push(() => server.close());
    const start = async (): Promise<ServingProcess> => {
      const store: Store = redis(server.url).store;
      closing.push(() => store.close());
      const started = await startProcess(createNotebook, store, "node");
      closing.push(started.close);
      return started;
    };
    const [a, b] = [await start(), await start()];
    const channels = async () => (await server.command("PUBSUB", "CHANNELS", "*")).split("\n").sort();
    const connections = async () => (await server.command("CLIENT", "LIST")).split("\n").length - 1;
    // One client stays, so that every channel exists to which a process always listens.
    const staying = await new RoamingSession().open(a);
    await (await staying.post(b, "tools/list")).text();
    await expect.poll(connections).toBe(4);
    const before = await channels();

    const controller = new AbortController();
    const { signal } = controller;
    await Promise.all(
      Array.from({ length: CLIENTS }, async () => {
        const session = await new RoamingSession().open(a);
        await (await session.post(b, "resources/subscribe", { uri: "note://1" })).text();
        const stream = await session.get(a, undefined, { signal });
        expect(stream.status).toBe(200);
        await (await session.call(b, "write", { id: "1", text: "x" })).text();
        stream.text().catch(() => {});
        void session.call(b, "storm", {}, { signal }).then(
          (response) => response.text().catch(() => {}),
          () => {},
        );
      }),
    );
    expect(await connections()).toBe(4);
    expect((await channels()).length).toBeGreaterThan(before.length);
    controller.abort();
    await expect.poll(channels).toEqual(before);
    expect(await connections()).toBe(4);
    const { count, endless } = await server.countKeys();
    expect(count).toBeGreaterThan(CLIENTS);
    expect(endless).toEqual([]);
  },
);
