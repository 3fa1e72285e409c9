/** Changes that one process announces reach the subscribers of all that share a store. */
import { type Change, createNotifier, type Notifier } from "@tenon/runtime";
import type { Server } from "@tenon/runtime/server";
import { memoryStore, sharedStore, type Store } from "@tenon/runtime/store";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
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
  vi.unstubAllEnvs();
  for (const server of open.splice(0)) await server.close();
});

function start(given = store): Process {
  const notifier = createNotifier();
  const server = quietServer(createNotebook({ notifier, store: sharedStore(given) }));
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

/** Resolves when all previous announcements have reached every process. */
async function settle(...processes: readonly Process[]): Promise<void> {
  const last = processes.at(-1) as Process;
  const listeners = await Promise.all(processes.map(({ server }) => listen(server)));
  last.notifier.resourceUpdated("note://1");
  await eventually(() => expect(listeners.every(({ notifications }) => notifications.length > 0)).toBe(true));
}

describe("a change announced in one process", () => {
  test("is sent once to each subscriber in every process, in both eras, by subscription", async () => {
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
    await settle(...processes);
    for (const each of [...modern, ...legacy]) {
      await eventually(() => expect(heardBy(each)).toEqual(["tools", "note://1", "note://1"]));
    }
  });

  test("calls `onChange` in that process alone, so that an author's bridges do not loop", async () => {
    const [a, b] = [start(), start()];
    const heard: [string, Change][] = [];
    a.notifier.onChange((change) => heard.push(["a", change]));
    // The author's bridge forwards the change as well, as was necessary before.
    b.notifier.onChange((change) => heard.push(["b", change]));
    a.notifier.onChange((change) => {
      if (change.kind === "prompts") b.notifier.promptsChanged();
    });
    const [atA, atB] = [await listen(a.server), await listen(b.server)];
    a.notifier.toolsChanged();
    a.notifier.promptsChanged();
    await settle(a, b);
    expect(heard.slice(0, 3)).toEqual([
      ["a", { kind: "tools" }],
      ["a", { kind: "prompts" }],
      ["b", { kind: "prompts" }],
    ]);
    expect(heard.filter(([, { kind }]) => kind !== "resource")).toHaveLength(3);
    // Notified twice, because the change was announced twice.
    for (const each of [atA, atB]) {
      expect(heardBy(each).filter((kind) => kind === "prompts").length).toBeLessThanOrEqual(2);
      expect(heardBy(each).filter((kind) => kind === "tools")).toHaveLength(1);
    }
  });

  test("is sent to the others before a closing server exits", async () => {
    const [a, b] = [start(), start()];
    const atB = await listen(b.server);
    a.notifier.toolsChanged();
    await a.server.close();
    await eventually(() => expect(heardBy(atB)).toEqual(["tools"]));
  });

  test("also announces once, to the client that was asked, that a user has completed the interaction at a URL", async () => {
    const notifier = createNotifier();
    const [asking, other] = [createNotifier(), notifier].map((each) =>
      quietServer(createAskingFixture({ notifier: each, store: sharedStore(store) })),
    ) as [Server, Server];
    open.push(asking, other);
    const capabilities = { elicitation: { url: {} } };
    const options = { revision: "2025-11-25", capabilities, answer: () => ({ action: "accept" }) };
    const user = new WireClient(memoryWire(asking), options);
    await user.open();
    await user.call("connectLater", { id: "flow" });
    notifier.elicitationCompleted("flow");
    notifier.elicitationCompleted("flow");
    const findCompletions = () =>
      user.notifications.filter(({ method }) => method?.endsWith("elicitation/complete"));
    await eventually(() => expect(findCompletions()).toHaveLength(1));
    expect(findCompletions()[0]?.params).toEqual({ elicitationId: "flow" });
  });

  test("does not reach a server of another name", async () => {
    const a = start();
    const stranger = quietServer({
      ...createNotebook({ store: sharedStore(store) }),
      manifest: { ...createNotebook().manifest, server: { name: "other", version: "1.0.0" } },
    });
    open.push(stranger);
    const listener = await listen(stranger);
    a.notifier.toolsChanged();
    await settle(a);
    expect(listener.notifications).toEqual([]);
  });
});

test.each([
  ["another key", "o".repeat(32)],
  ["no keys", undefined],
])("a process with %s stops no changes of the others", async (_, foreignKeys) => {
  vi.stubEnv("TENON_STATE_KEYS", "k".repeat(32));
  const [a, b] = [start(), start()];
  const legacy = await client(b.server, "2025-11-25");
  await legacy.result("resources/subscribe", { uri: "note://1" });
  const modern = await listen(b.server);
  vi.stubEnv("TENON_STATE_KEYS", foreignKeys);
  start().notifier.promptsChanged();
  // The changes in between are unknown, so that each subscriber is notified of everything.
  await eventually(() => {
    for (const each of [legacy, modern])
      expect(heardBy(each)).toEqual(expect.arrayContaining(["prompts", "note://1"]));
  });
  for (const each of [legacy, modern]) each.notifications.splice(0);
  a.notifier.resourceUpdated("note://1");
  await eventually(() => {
    for (const each of [legacy, modern]) expect(heardBy(each)).toContain("note://1");
  });
  // A new subscriber, which starts by reading the stream, is notified as well.
  const later = await listen(b.server);
  a.notifier.toolsChanged();
  await eventually(() => expect(heardBy(later)).toContain("tools"));
});

describe("while the store is unreachable", () => {
  test("subscribers in the same process are notified immediately, and those in others when the store recovers", async () => {
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

  test("no announced change is lost, even if a message is", async () => {
    let wake = (): void => {};
    const woken = new Promise<void>((resolve) => (wake = resolve));
    // This process does not see the entries before it is notified.
    const read: Store["read"] = async (name, after, options) => {
      if (options?.waitMs !== undefined) await woken;
      return store.read(name, after, options);
    };
    const a = start();
    const b = start(replacedStore(store, { read }));
    const atB = await listen(b.server);
    a.notifier.toolsChanged();
    await new Promise(setImmediate);
    expect(heardBy(atB)).toEqual([]);
    // The next message delivers both.
    start().notifier.promptsChanged();
    wake();
    await eventually(() => expect(heardBy(atB)).toEqual(["tools", "prompts"]));
  });

  test("a subscriber is notified of all its subscriptions if the changes are unknown", async () => {
    const forgetful = memoryStore();
    let isGap = false;
    const read: Store["read"] = async (name, after, options) => {
      const part = await forgetful.read(name, after, options);
      const isLost = isGap && after !== "" && part.entries.length > 0;
      return isLost ? { entries: [], missed: true } : part;
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
    await settle(a, b);
    for (const each of [atB, legacy]) {
      expect(new Set(heardBy(each))).toEqual(new Set(["tools", "prompts", "resources", "note://1"]));
    }
  });
});
