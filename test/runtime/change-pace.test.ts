/** The first of many changes is announced at once, later ones four times a second, and the last one is never lost. */
import { createNotifier } from "@tenon/runtime";
import { memoryStore, sharedStore, type Store } from "@tenon/runtime/store";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { LATEST, quietServer } from "../support/describe-transports.js";
import { replacedStore } from "../support/replaced-store.js";
import { WireClient } from "../support/wire-client.js";
import { memoryWire } from "../support/wires.js";
import { createNotebook } from "./fixture/notebook.js";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
});

afterEach(() => {
  vi.useRealTimers();
});

/** Starts a server with one client. Returns functions that list the client's notifications and let time pass. */
async function start(revision: string, config = {}, options = {}) {
  const notifier = createNotifier();
  const server = quietServer(createNotebook({ notifier, ...config }), options);
  const client = new WireClient(memoryWire(server), { revision });
  await client.open();
  const notifications = { resourcesListChanged: true, resourceSubscriptions: ["note://1", "note://2"] };
  if (revision === LATEST) void client.request("subscriptions/listen", { notifications }, "s");
  else for (const uri of ["note://1", "note://2"]) await client.result("resources/subscribe", { uri });
  await vi.advanceTimersByTimeAsync(0);
  client.notifications.length = 0;
  const listNotifications = () => client.notifications.map(({ method, params }) => params?.["uri"] ?? method);
  const pass = async (ms: number, each: () => void = () => {}): Promise<void> => {
    for (let passed = 0; passed < ms; passed++) {
      each();
      await vi.advanceTimersByTimeAsync(1);
    }
  };
  const close = async (): Promise<void> => {
    const closed = server.close();
    await vi.advanceTimersByTimeAsync(10_000);
    await closed;
  };
  return { notifier, heard: listNotifications, pass, close };
}

const LIST = "notifications/resources/list_changed";

describe.each(["2025-11-25", LATEST])("a client at %s", (revision) => {
  test("is notified of every change if timers end with their request", async () => {
    const { notifier, heard, close } = await start(revision, {}, { changeIntervalMs: 0 });
    for (let change = 1; change <= 3; change++) {
      notifier.resourcesChanged();
      await vi.advanceTimersByTimeAsync(0);
      vi.clearAllTimers();
    }
    expect(heard()).toEqual([LIST, LIST, LIST]);
    await close();
  });

  test("is notified five times of a list that changes 1000 times in a second, including the last change", async () => {
    const { notifier, heard, pass, close } = await start(revision);
    notifier.resourcesChanged();
    await vi.advanceTimersByTimeAsync(0);
    expect(heard()).toEqual([LIST]);
    await pass(999, () => notifier.resourcesChanged());
    expect(heard()).toEqual([LIST, LIST, LIST, LIST]);
    await pass(250);
    expect(heard()).toHaveLength(5);
    await pass(2000);
    expect(heard()).toHaveLength(5);
    notifier.resourcesChanged();
    await vi.advanceTimersByTimeAsync(0);
    expect(heard()).toHaveLength(6);
    await close();
  });

  test("is not delayed by changes of other lists and resources", async () => {
    const { notifier, heard, pass, close } = await start(revision);
    notifier.resourceUpdated("note://1");
    await vi.advanceTimersByTimeAsync(1);
    for (let count = 0; count < 9; count++) notifier.resourceUpdated("note://1");
    notifier.resourceUpdated("note://2");
    await vi.advanceTimersByTimeAsync(0);
    expect(heard()).toEqual(["note://1", "note://2"]);
    await pass(250);
    expect(heard()).toEqual(["note://1", "note://2", "note://1"]);
    await close();
  });

  test("is notified of the last change when the server closes", async () => {
    const { notifier, heard, close } = await start(revision);
    notifier.resourceUpdated("note://1");
    await vi.advanceTimersByTimeAsync(1);
    notifier.resourceUpdated("note://1");
    notifier.resourcesChanged();
    await close();
    expect(heard()).toEqual(["note://1", LIST, "note://1"]);
  });
});

test("one process notifies the others at the same pace, and only of new changes", async () => {
  const written: string[][] = [];
  const memory = memoryStore();
  const store: Store = replacedStore(memory, {
    append: (stream, values, options) => {
      if (stream.endsWith("changes")) written.push(values.flatMap((each) => kinds(each)));
      return memory.append(stream, values, options);
    },
  });
  const { notifier, pass, close } = await start(LATEST, { store: sharedStore(store) });
  await pass(5);
  written.length = 0;
  await pass(1000, () => notifier.resourcesChanged());
  await pass(1000);
  expect(written.filter((each) => each.length > 0)).toEqual(Array.from({ length: 5 }, () => ["resources"]));
  await close();
});

function kinds(announcement: string): string[] {
  return (JSON.parse(announcement) as { changes: { kind: string }[] }).changes.map(({ kind }) => kind);
}
