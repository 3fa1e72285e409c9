/** Changes that one process announces reach the subscribers of all that share a store. */
import { type Change, createNotifier, type Notifier } from "@tenon/runtime";
import type { Server } from "@tenon/runtime/server";
import { memoryStore, shared, type Store } from "@tenon/runtime/store";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { LATEST, quietServer } from "../../support/describe-transports.js";
import { eventually } from "../../support/eventually.js";
import { replacedStore } from "../../support/replaced-store.js";
import { WireClient } from "../../support/wire-client.js";
import { memoryWire } from "../../support/wires.js";
import { createAskingFixture } from "../asking/application.js";
import { createNotebook } from "../fixture/notebook.js";

const ID = "io.modelcontextprotocol/subscriptionId";
const ALL = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };

interface Process {
  server: Server;
  notifier: Notifier;
}

const open: Server[] = [];
let store: Store;

beforeEach(() => {
  store = memoryStore();
});

afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

function start(given = store): Process {
  const notifier = createNotifier();
  const server = quietServer(createNotebook({ notifier, store: shared(given) }));
  open.push(server);
  return { server, notifier };
}

async function client(server: Server, revision = LATEST): Promise<WireClient> {
  const opened = new WireClient(memoryWire(server), { revision });
  await opened.open();
  return opened;
}

/** Subscribes to everything, and to one note; settles when that is acknowledged. */
async function listen(server: Server): Promise<WireClient> {
  const listener = await client(server);
  const notifications = { ...ALL, resourceSubscriptions: ["note://1"] };
  void listener.request("subscriptions/listen", { notifications }, "s");
  await eventually(() => expect(listener.notifications).toHaveLength(1));
  expect(listener.notifications.splice(0)[0]?.params?._meta).toEqual({ [ID]: "s" });
  return listener;
}

const heardBy = ({ notifications }: WireClient) =>
  notifications.map(({ method, params }) => params?.["uri"] ?? method?.split("/")[1]);

/** Settles when what any of them announced before has reached all of them. */
async function settled(...processes: readonly Process[]): Promise<void> {
  const last = processes.at(-1) as Process;
  const listeners = await Promise.all(processes.map(({ server }) => listen(server)));
  last.notifier.resourceUpdated("note://1");
  await eventually(() => expect(listeners.every(({ notifications }) => notifications.length > 0)).toBe(true));
}

describe("a change announced in one process", () => {
  test("is told once to each subscriber of each, in both eras, and only of what it subscribed to", async () => {
    const processes = [start(), start(), start()];
    const [a] = processes as [Process];
    const modern = await Promise.all(processes.map(({ server }) => listen(server)));
    const legacy = await Promise.all(processes.map(({ server }) => client(server, "2025-11-25")));
    for (const each of legacy) await each.result("resources/subscribe", { uri: "note://1" });
    for (let count = 0; count < 100; count++) {
      a.notifier.toolsChanged();
      a.notifier.resourceUpdated("note://1");
      a.notifier.resourceUpdated("note://2");
    }
    await settled(...processes);
    for (const each of [...modern, ...legacy]) {
      await eventually(() => expect(heardBy(each)).toEqual(["tools", "note://1", "note://1"]));
    }
  });

  test("is the `onChange` of that process alone, so that bridges of an author's own do not go in circles", async () => {
    const [a, b] = [start(), start()];
    const heard: [string, Change][] = [];
    a.notifier.onChange((change) => heard.push(["a", change]));
    // Somebody tells the other process as well, as was necessary before.
    b.notifier.onChange((change) => heard.push(["b", change]));
    a.notifier.onChange((change) => {
      if (change.kind === "prompts") b.notifier.promptsChanged();
    });
    const [atA, atB] = [await listen(a.server), await listen(b.server)];
    a.notifier.toolsChanged();
    a.notifier.promptsChanged();
    await settled(a, b);
    expect(heard.slice(0, 3)).toEqual([
      ["a", { kind: "tools" }],
      ["a", { kind: "prompts" }],
      ["b", { kind: "prompts" }],
    ]);
    expect(heard.filter(([, { kind }]) => kind !== "resource")).toHaveLength(3);
    // Told twice, for it was announced twice.
    for (const each of [atA, atB]) {
      expect(heardBy(each).filter((kind) => kind === "prompts").length).toBeLessThanOrEqual(2);
      expect(heardBy(each).filter((kind) => kind === "tools")).toHaveLength(1);
    }
  });

  test("is told to the others before a server that closes is gone", async () => {
    const [a, b] = [start(), start()];
    const atB = await listen(b.server);
    a.notifier.toolsChanged();
    await a.server.close();
    await eventually(() => expect(heardBy(atB)).toEqual(["tools"]));
  });

  test("is that a user is done at a URL: the client that was asked is told, once", async () => {
    const notifier = createNotifier();
    const [asking, other] = [createNotifier(), notifier].map((each) =>
      quietServer(createAskingFixture({ notifier: each, store: shared(store) })),
    ) as [Server, Server];
    open.push(asking, other);
    const capabilities = { elicitation: { url: {} } };
    const options = { revision: "2025-11-25", capabilities, answer: () => ({ action: "accept" }) };
    const user = new WireClient(memoryWire(asking), options);
    await user.open();
    await user.call("connectLater", { id: "flow" });
    notifier.elicitationCompleted("flow");
    notifier.elicitationCompleted("flow");
    const told = () => user.notifications.filter(({ method }) => method?.endsWith("elicitation/complete"));
    await eventually(() => expect(told()).toHaveLength(1));
    expect(told()[0]?.params).toEqual({ elicitationId: "flow" });
  });

  test("reaches a server of another name not", async () => {
    const a = start();
    const stranger = quietServer({
      ...createNotebook({ store: shared(store) }),
      manifest: { ...createNotebook().manifest, server: { name: "other", version: "1.0.0" } },
    });
    open.push(stranger);
    const listener = await listen(stranger);
    a.notifier.toolsChanged();
    await settled(a);
    expect(listener.notifications).toEqual([]);
  });
});

describe("while the store cannot be asked", () => {
  test("subscribers here are notified, those elsewhere as soon as it is back", async () => {
    let isGone = false;
    const append: Store["append"] = (...args) =>
      isGone ? Promise.reject(new Error("connect ECONNREFUSED")) : store.append(...args);
    const a = start(replacedStore(store, { append }));
    const b = start();
    const [atA, atB] = [await listen(a.server), await listen(b.server)];
    isGone = true;
    a.notifier.toolsChanged();
    await eventually(() => expect(heardBy(atA)).toEqual(["tools"]));
    a.notifier.toolsChanged();
    a.notifier.promptsChanged();
    isGone = false;
    await eventually(() => expect(heardBy(atB)).toEqual(["tools", "prompts"]));
  });

  test("nothing is lost of what was announced meanwhile, even where a message was", async () => {
    const lost = start(replacedStore(store, { publish: () => Promise.resolve() }));
    const b = start();
    const atB = await listen(b.server);
    lost.notifier.toolsChanged();
    await new Promise(setImmediate);
    expect(heardBy(atB)).toEqual([]);
    // The next message brings both.
    start().notifier.promptsChanged();
    await eventually(() => expect(heardBy(atB)).toEqual(["tools", "prompts"]));
  });

  test("a subscriber is notified of all it subscribed to when nobody knows any more what changed", async () => {
    const forgetful = memoryStore();
    let isGap = false;
    const read: Store["read"] = async (name, after, options) => {
      const part = await forgetful.read(name, after, options);
      const isLost = isGap && after !== "" && part.entries.length > 0;
      return isLost ? { entries: [], gap: true } : part;
    };
    const a = start(forgetful);
    const b = start(replacedStore(forgetful, { read }));
    const legacy = await client(b.server, "2025-11-25");
    await legacy.result("resources/subscribe", { uri: "note://1" });
    const atB = await listen(b.server);
    isGap = true;
    a.notifier.resourceUpdated("note://2");
    await eventually(() => expect(atB.notifications.length).toBeGreaterThan(0));
    isGap = false;
    await settled(a, b);
    for (const each of [atB, legacy]) {
      expect(new Set(heardBy(each))).toEqual(new Set(["tools", "prompts", "resources", "note://1"]));
    }
  });
});
