/** Each request of a legacy session may reach another replica. */
import { expect, test } from "vitest";
import { post } from "./clients/post.mjs";
import {
  listClients,
  describeWithoutRedis,
  describeWithRedis,
  type OfficialClient,
  type Scene,
} from "./clusters.js";

const LEGACY = listClients("legacy");

/** Sends a request with a session ID to one replica, and returns the status of the response. */
function statusAt(scene: Scene, replica: number, session: string): Promise<number> {
  return post(
    scene.cluster.replicas[replica]?.url,
    { "mcp-session-id": session, "mcp-protocol-version": "2025-11-25" },
    { jsonrpc: "2.0", id: crypto.randomUUID(), method: "ping" },
  );
}

/** Returns the levels of the messages that a call at this replica logs to the client. */
async function levelsAt(scene: Scene, client: OfficialClient, replica: number): Promise<string[]> {
  client.heard.length = 0;
  scene.cluster.proxy.turnTo(replica);
  await client.call("chatter");
  const logged = client.heard.filter(({ method }) => method === "notifications/message");
  expect(logged.every(({ params }) => params.data.endsWith("abc"[replica]))).toBe(true);
  return logged.map(({ params }) => params.level);
}

function callsAreServedAnywhere(scene: Scene): void {
  test.each(LEGACY)("%s: replicas serve calls in turn", async (_, combination) => {
    const client = await scene.connect(combination);
    const session = client.session();
    const replicas = new Set<string>();
    for (let calls = 0; calls < 9; calls++) {
      const { structuredContent } = await client.call("where");
      replicas.add(structuredContent.replica);
    }
    expect([...replicas].toSorted()).toEqual(["a", "b", "c"]);
    expect(client.session()).toBe(session);
  });

  test.each(LEGACY)("%s: all replicas serve concurrent calls", async (_, combination) => {
    const client = await scene.connect(combination);
    const answers = await Promise.all(Array.from({ length: 30 }, () => client.call("where")));
    const replicas = answers.map(({ structuredContent }) => structuredContent.replica);
    expect(new Set(replicas).size).toBe(3);
  });

  test("a session continues after the replica that opened it has stopped", async () => {
    const [[, combination]] = LEGACY as [(typeof LEGACY)[number]];
    scene.cluster.proxy.turnTo(0);
    const client = await scene.connect(combination);
    await scene.cluster.replica("a").kill();
    const { structuredContent } = await client.call("where");
    expect(["b", "c"]).toContain(structuredContent.replica);
  });

  test("unknown and changed session IDs are rejected by all replicas", async () => {
    const [[, combination]] = LEGACY as [(typeof LEGACY)[number]];
    const session = (await scene.connect(combination)).session() ?? "";
    const middle = Math.floor(session.length / 2);
    const changed =
      session.slice(0, middle) + (session[middle] === "0" ? "1" : "0") + session.slice(middle + 1);
    for (const replica of [0, 1, 2]) {
      expect(await statusAt(scene, replica, session)).toBe(200);
      expect(await statusAt(scene, replica, crypto.randomUUID())).toBe(404);
      expect(await statusAt(scene, replica, changed)).toBe(404);
    }
  });

  test("a session belongs to its principal at all replicas", async () => {
    const [[, combination]] = LEGACY as [(typeof LEGACY)[number]];
    const client = await scene.connect(combination, { headers: { "x-user": "ada" } });
    for (let calls = 0; calls < 3; calls++) await client.call("where");
    for (const replica of [0, 1, 2]) expect(await statusAt(scene, replica, client.session() ?? "")).toBe(404);
  });
}

describeWithoutRedis("without a store, with encrypted session IDs", callsAreServedAnywhere);

describeWithRedis("with Redis", (scene) => {
  callsAreServedAnywhere(scene);

  test.each(LEGACY)("%s: a log level set at one replica applies at all", async (_, combination) => {
    const client = await scene.connect(combination);
    for (const replica of [0, 1, 2]) await client.call("where", {}, {}).then(() => replica);
    scene.cluster.proxy.turnTo(0);
    await client.setLevel("error");
    for (const replica of [0, 1, 2]) {
      await expect.poll(() => levelsAt(scene, client, replica)).toEqual(["error"]);
    }
    scene.cluster.proxy.turnTo(1);
    await client.setLevel("debug");
    for (const replica of [0, 1, 2]) {
      await expect.poll(() => levelsAt(scene, client, replica)).toEqual(["debug", "warning", "error"]);
    }
  });

  test.each(LEGACY)("%s: a session that ends at one replica has ended at all", async (_, combination) => {
    const client = await scene.connect(combination);
    for (let calls = 0; calls < 3; calls++) await client.call("where");
    const session = client.session() ?? "";
    await client.terminate();
    for (const replica of [0, 1, 2]) await expect.poll(() => statusAt(scene, replica, session)).toBe(404);
    // Its stream, wherever it is, has ended as well.
    await expect
      .poll(() => [...scene.cluster.proxy.open].filter(({ session: of }) => of === session))
      .toEqual([]);
  });
});
