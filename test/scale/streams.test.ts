/** Messages on a stream reach the client, whichever replica it reconnects to. */
import { expect, test } from "vitest";
import { eventually } from "../support/eventually.js";
import { listClients, describeWithRedis, isCall, type OfficialClient } from "./clusters.js";

const LEGACY = listClients("legacy");

interface Counting {
  call: ReturnType<OfficialClient["call"]>;
  progress: number[];
}

/**
 * Starts a call that continues step by step as the test allows. Returns it with the steps that its client has received.
 */
function countTo(steps: number, client: OfficialClient, name: string): Counting {
  const progress: number[] = [];
  const onprogress = (each: { progress: number }): unknown => progress.push(each.progress);
  return { call: client.call("count", { name, steps }, { onprogress }), progress };
}

describeWithRedis("with Redis", (scene) => {
  test.each(LEGACY)("%s: a broken stream is resumed at another replica", async (name, combination) => {
    const { proxy, ledger } = scene.cluster;
    const job = `cut ${name}`;
    const client = await scene.connect(combination);
    const { call, progress } = countTo(4, client, job);
    ledger.open(`${job} 1`);
    await eventually(() => expect(progress).toEqual([1]));
    const [writer = ""] = await ledger.reached(`${job} 1`);
    const others = ["a", "b", "c"].filter((each) => each !== writer);
    proxy.turnTo("abc".indexOf(others[0] ?? ""));
    expect(proxy.cut(isCall)).toBe(1);
    // One step happens without a listener, the others after the client has reconnected.
    ledger.open(`${job} 2`);
    await ledger.reached(`${job} 3`);
    await eventually(() => expect(progress).toEqual([1, 2]));
    proxy.turnTo("abc".indexOf(others[1] ?? ""));
    expect(proxy.cut(isCall) + proxy.cut(({ lastEventId }) => lastEventId !== undefined)).toBe(1);
    for (const step of [3, 4]) ledger.open(`${job} ${step}`);
    expect(await call).toMatchObject({ content: [{ text: "Counted to 4." }] });
    expect(progress).toEqual([1, 2, 3, 4]);
  });

  test.each(LEGACY)(
    "%s: a call that ends while its client is disconnected delivers its response from another replica",
    async (name, combination) => {
      const { proxy, ledger } = scene.cluster;
      const job = `over ${name}`;
      const client = await scene.connect(combination);
      const { call, progress } = countTo(2, client, job);
      ledger.open(`${job} 1`);
      await eventually(() => expect(progress).toEqual([1]));
      ledger.open(`${job} 2`);
      proxy.turnTo(1);
      proxy.cut(isCall);
      expect(await call).toMatchObject({ content: [{ text: "Counted to 2." }] });
      expect(progress).toEqual([1, 2]);
    },
  );

  test.each(LEGACY)("%s: a call whose process is killed ends with an error", async (name, combination) => {
    const { ledger } = scene.cluster;
    const job = `killed ${name}`;
    const client = await scene.connect(combination);
    const { call, progress } = countTo(2, client, job);
    const failed = call.then(
      (result) => result.isError === true,
      () => true,
    );
    ledger.open(`${job} 1`);
    await eventually(() => expect(progress).toEqual([1]));
    const [writer = ""] = await ledger.reached(`${job} 1`);
    await scene.kill(writer);
    expect(await failed).toBe(true);
    expect(await client.call("where")).toMatchObject({ content: [{ type: "text" }] });
  });

  test.each(LEGACY)(
    "%s: messages outside calls reach a client that reconnects elsewhere",
    async (_, combination) => {
      const { proxy } = scene.cluster;
      const client = await scene.connect(combination);
      const uri = `note://${crypto.randomUUID()}`;
      await client.watch(uri);
      const updates = () =>
        client.heard.filter(({ method }) => method === "notifications/resources/updated").length;
      const touch = () => client.call("touch", { id: uri.slice("note://".length) });
      await expect.poll(async () => (await touch(), updates())).toBeGreaterThan(0);
      for (let times = 0; times < 3; times++) {
        const before = updates();
        proxy.cut(({ verb }) => verb === "GET");
        await touch();
        await eventually(() => expect(updates()).toBeGreaterThan(before));
      }
    },
  );
});
