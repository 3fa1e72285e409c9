import { createNotifier } from "@tenon/runtime";
import { describe, expect, test } from "vitest";
import { describeTransports, LATEST, quietServer, REVISIONS } from "../support/describe-transports.js";
import { WireClient } from "../support/wire-client.js";
import type { WireMessage } from "../wire/schemas.mjs";
import { memoryWire } from "../support/wires.js";
import { createNotebook } from "./fixture/notebook.js";

const ID = "io.modelcontextprotocol/subscriptionId";
const LEGACY = REVISIONS.filter((revision) => revision !== LATEST);
const ALL = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };

const methods = (messages: readonly WireMessage[]) => messages.map((message) => message.method);

/** Opens a subscription; settles when it is acknowledged. */
async function listen(client: WireClient, id: string | number, notifications: object): Promise<WireMessage> {
  void client.request("subscriptions/listen", { notifications }, id);
  let acknowledged: WireMessage | undefined;
  await expect
    .poll(() => {
      acknowledged = findMessages(client, id)[0];
      return acknowledged?.method;
    })
    .toBe("notifications/subscriptions/acknowledged");
  return acknowledged as WireMessage;
}

/** Returns the messages of one subscription, oldest first. */
function findMessages(client: WireClient, id: string | number): WireMessage[] {
  return client.notifications.filter(
    ({ params }) => (params?.["_meta"] as Record<string, unknown> | undefined)?.[ID] === id,
  );
}

describeTransports(createNotebook, (open) => {
  describe.each(LEGACY)("a legacy client at %s", (revision) => {
    test("is notified of every list that changes", async () => {
      const client = await open({ revision });
      const list = async () =>
        ((await client.result("tools/list"))["tools"] as { name: string }[]).map(({ name }) => name);
      await client.call("lock");
      client.notifications.length = 0;
      expect(await list()).not.toContain("secret");
      await client.call("unlock");
      await expect
        .poll(() => methods(client.notifications))
        .toEqual(["notifications/tools/list_changed", "notifications/prompts/list_changed"]);
      expect(await list()).toContain("secret");
      expect((await client.result("prompts/list"))["prompts"]).toHaveLength(1);
      await client.call("lock");
      expect((await client.error("prompts/get", { name: "summary" })).code).toBe(-32602);
    });

    test("is notified only of resources to which it subscribed", async () => {
      const client = await open({ revision });
      const updates = () =>
        client.notifications
          .filter(({ method }) => method === "notifications/resources/updated")
          .map(({ params }) => params?.["uri"]);
      expect(await client.result("resources/subscribe", { uri: "note://a" })).toEqual({});
      expect(await client.result("resources/subscribe", { uri: "note://c" })).toEqual({});
      expect(await client.result("resources/unsubscribe", { uri: "note://c" })).toEqual({});
      for (const id of ["c", "b", "a"]) await client.call("write", { id, text: revision });
      await expect.poll(updates).toEqual(["note://a"]);
      await client.result("resources/unsubscribe", { uri: "note://a" });
      await client.call("write", { id: "a", text: "again" });
      await client.result("ping");
      expect(updates()).toEqual(["note://a"]);
      expect((await client.error("resources/subscribe", {})).code).toBe(-32602);
    });

    test("receives an error when it subscribes to an unknown resource", async () => {
      const client = await open({ revision });
      for (const uri of ["letter://1", "note://", "note://a/b"]) {
        const error = { code: -32002, message: `No resource "${uri}".`, data: { uri } };
        expect(await client.error("resources/subscribe", { uri })).toEqual(error);
        expect(await client.result("resources/unsubscribe", { uri })).toEqual({});
      }
    });

    test("is notified of resources that a template begins to list", async () => {
      const client = await open({ revision });
      const id = `new-${revision}`;
      const findListChanges = () =>
        client.notifications.filter(({ method }) => method?.endsWith("resources/list_changed"));
      const before = findListChanges().length;
      await client.call("write", { id, text: "New" });
      await expect.poll(() => findListChanges().length).toBeGreaterThan(before);
      const { resources } = await client.result("resources/list");
      expect(resources).toContainEqual(expect.objectContaining({ uri: `note://${id}` }));
    });

    test("has no subscriptions/listen", async () => {
      const client = await open({ revision });
      expect((await client.error("subscriptions/listen", { notifications: ALL })).code).toBe(-32601);
    });
  });

  describe("a modern client", () => {
    test("first receives an acknowledgment of its subscriptions", async () => {
      const client = await open();
      const uris = ["note://1", "note://1", "letter://1", "note://9"];
      const wanted = { ...ALL, resourceSubscriptions: uris };
      expect((await listen(client, "s", wanted)).params).toEqual({
        notifications: { ...ALL, resourceSubscriptions: ["note://1", "note://9"] },
        _meta: { [ID]: "s" },
      });
      expect((await listen(client, 77, {})).params).toEqual({ notifications: {}, _meta: { [ID]: 77 } });
      expect((await listen(client, 78, { toolsListChanged: false, other: true })).params).toMatchObject({
        notifications: {},
      });
    });

    test("is notified only of what it requested, on the subscription that requested it", async () => {
      const client = await open();
      await listen(client, "tools", { toolsListChanged: true });
      await listen(client, "prompts", { promptsListChanged: true });
      await listen(client, "7", { resourceSubscriptions: ["note://1"] });
      await listen(client, 7, { resourceSubscriptions: ["note://2"] });
      await client.call("unlock");
      await client.call("write", { id: "1", text: "Changed" });
      await expect
        .poll(() => methods(findMessages(client, "7")))
        .toEqual(["notifications/subscriptions/acknowledged", "notifications/resources/updated"]);
      expect(findMessages(client, "7")[1]?.params).toEqual({ uri: "note://1", _meta: { [ID]: "7" } });
      for (const list of ["tools", "prompts"]) {
        await expect
          .poll(() => methods(findMessages(client, list)).slice(1))
          .toEqual([`notifications/${list}/list_changed`]);
      }
      expect(findMessages(client, 7)).toHaveLength(1);
    });

    test("is notified once of a hundred changes in a row", async () => {
      const client = await open();
      await listen(client, "s", { ...ALL, resourceSubscriptions: ["note://1"] });
      await client.call("storm");
      await expect.poll(() => findMessages(client, "s")).toHaveLength(4);
      await client.call("storm");
      await expect.poll(() => findMessages(client, "s")).toHaveLength(7);
    });

    test.each([
      ["nothing", undefined],
      ["a list", []],
      ["a flag that is not a boolean", { toolsListChanged: "yes" }],
      ["invalid URIs", { resourceSubscriptions: [1] }],
      ["a URI that is too long", { resourceSubscriptions: ["x".repeat(10_000)] }],
      [
        "too many URIs",
        { resourceSubscriptions: Array.from({ length: 1001 }, (_, index) => `note://${index}`) },
      ],
    ])("is rejected if it requests %s", async (_, notifications) => {
      const client = await open();
      expect((await client.error("subscriptions/listen", { notifications })).code).toBe(-32602);
    });

    test("has no resources/subscribe", async () => {
      const client = await open();
      expect((await client.error("resources/subscribe", { uri: "note://1" })).code).toBe(-32601);
    });
  });
});

/** Opens a conversation with a server in this process. */
async function connect(
  server: ReturnType<typeof quietServer>,
  revision = LATEST,
): Promise<{ client: WireClient; close: () => Promise<void> }> {
  const wire = memoryWire(server);
  const client = new WireClient(wire, { revision });
  await client.open();
  return { client, close: () => wire.close() };
}

describe("a subscription", () => {
  test("ends with an empty result when the server closes, on every connection", async () => {
    const server = quietServer(createNotebook());
    const { client } = await connect(server);
    await listen(client, "a", ALL);
    const waiting = client.request("subscriptions/listen", { notifications: ALL }, "b");
    await server.close();
    expect((await waiting).result).toMatchObject({ resultType: "complete", _meta: { [ID]: "b" } });
  });

  test("can be cancelled without ending others", async () => {
    const server = quietServer(createNotebook());
    const { client } = await connect(server);
    await listen(client, "a", ALL);
    await listen(client, "b", ALL);
    client.notify("notifications/cancelled", { requestId: "a" });
    server.notify.toolsChanged();
    await expect.poll(() => findMessages(client, "b")).toHaveLength(2);
    expect(findMessages(client, "a")).toHaveLength(1);
  });

  test("has a unique ID, and leaves nothing behind when its connection closes", async () => {
    const server = quietServer(createNotebook({ limits: { maxSubscriptions: 2 } }));
    const { client, close } = await connect(server);
    await listen(client, "a", ALL);
    const { error } = await client.request("subscriptions/listen", { notifications: ALL }, "a");
    expect(error).toMatchObject({ code: -32600 });
    await listen(client, "b", ALL);
    await close();
    const { client: other } = await connect(server);
    await listen(other, "a", ALL);
    await listen(other, "b", ALL);
  });

  test("is rejected beyond the limit, until another one ends", async () => {
    const server = quietServer(createNotebook({ limits: { maxSubscriptions: 2 } }));
    const { client } = await connect(server);
    await listen(client, "a", ALL);
    await listen(client, "b", ALL);
    expect((await client.error("subscriptions/listen", { notifications: ALL })).message).toMatch(/^Too many/);
    client.notify("notifications/cancelled", { requestId: "a" });
    await listen(client, "c", ALL);
  });

  test("beyond the limit of resources is rejected for a legacy client too", async () => {
    const { client } = await connect(
      quietServer(createNotebook({ limits: { maxSubscribedResources: 2 } })),
      "2025-11-25",
    );
    for (const uri of ["note://1", "note://2", "note://1"])
      await client.result("resources/subscribe", { uri });
    expect(await client.error("resources/subscribe", { uri: "note://3" })).toMatchObject({
      code: -32602,
      message: "A client may subscribe to at most 2 resources.",
    });
    await client.result("resources/unsubscribe", { uri: "note://1" });
    await client.result("resources/subscribe", { uri: "note://3" });
  });

  test("is notified once and then released, even if there are ten thousand", async () => {
    const notifier = createNotifier();
    const server = quietServer(createNotebook({ notifier }));
    let heard = 0;
    let acknowledged = 0;
    const count = (text: string): void => {
      if (text.includes("acknowledged")) acknowledged++;
      if (text.includes("list_changed")) heard++;
    };
    const connections = Array.from({ length: 10_000 }, (_, id) => {
      const peer = { send: count };
      const connection = server.connect(peer);
      void connection.receive(
        {
          jsonrpc: "2.0",
          id,
          method: "subscriptions/listen",
          params: {
            notifications: { toolsListChanged: true },
            _meta: {
              "io.modelcontextprotocol/protocolVersion": LATEST,
              "io.modelcontextprotocol/clientCapabilities": {},
            },
          },
        },
        peer,
      );
      return connection;
    });
    expect(acknowledged).toBe(10_000);
    notifier.toolsChanged();
    await Promise.resolve();
    expect(heard).toBe(10_000);
    for (const connection of connections) connection.close();
    notifier.toolsChanged();
    await Promise.resolve();
    expect(heard).toBe(10_000);
  });
});

describe("code outside handlers", () => {
  test("notifies of changes through the server or its own notifier", async () => {
    const notifier = createNotifier();
    const server = quietServer(createNotebook({ notifier }));
    const { client } = await connect(server);
    await listen(client, "s", { toolsListChanged: true, resourceSubscriptions: ["note://1"] });
    notifier.resourceUpdated("note://1");
    server.notify.toolsChanged();
    await expect
      .poll(() => methods(findMessages(client, "s")).slice(1))
      .toEqual(["notifications/resources/updated", "notifications/tools/list_changed"]);
  });

  test("notifies clients even if a listener of the author fails", async () => {
    const notifier = createNotifier();
    notifier.onChange(() => {
      throw new Error("The bridge is down.");
    });
    const { client } = await connect(quietServer(createNotebook({ notifier })));
    await listen(client, "s", { toolsListChanged: true });
    expect(() => notifier.toolsChanged()).toThrow("The bridge is down.");
    await expect
      .poll(() => methods(findMessages(client, "s")).slice(1))
      .toEqual(["notifications/tools/list_changed"]);
  });

  test("can forward changes, for example to other processes, until it stops", () => {
    const notifier = createNotifier();
    const seen: unknown[] = [];
    const stop = notifier.onChange((change) => seen.push(change));
    notifier.resourceUpdated("note://1");
    notifier.promptsChanged();
    stop();
    notifier.toolsChanged();
    expect(seen).toEqual([{ kind: "resource", uri: "note://1" }, { kind: "prompts" }]);
  });
});
