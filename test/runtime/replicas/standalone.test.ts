/**
 * The standalone stream of a legacy session: any process that shares the store can serve it, whichever process has a
 * message.
 */
import { createNotifier, type Notifier } from "@tenon/runtime";
import { memoryStore, type Store } from "@tenon/runtime/store";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
// Internal: reads a session ID, as other processes do, for a connection whose store fails.
import { createSessionIdCipher } from "../../../packages/runtime/src/transports/http/sessions/session-id-cipher.js";
// Internal: the type of a connection whose store fails.
import type { TransportConnection } from "../../../packages/runtime/src/transports/transport.js";
import { readStream, type StreamEvent, summarizeEvent } from "../../support/event-stream.js";
import { CARRIERS, type ServingProcess, startProcess } from "../../support/serving-process.js";
import { replacedStore } from "../../support/replaced-store.js";
import { RoamingSession } from "../../support/roaming-session.js";
import { createNotebook } from "../fixture/notebook.js";

/** A process with the notifier that announces its changes. */
interface Announcing extends ServingProcess {
  notifier: Notifier;
}

let store: Store;
const open: ServingProcess[] = [];

beforeEach(() => {
  store = memoryStore();
});

afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

async function start(carrier: (typeof CARRIERS)[number] = "web", given = store): Promise<Announcing> {
  const notifier = createNotifier();
  const started = await startProcess(createNotebook, given, carrier, { notifier });
  open.push(started);
  return { ...started, notifier };
}

/** Waits longer than clocks may differ, so that changes before a session was opened do not count as later ones. */
const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1050));

/** The GET request of a client, whose events are read one by one. */
class Listening {
  readonly events: StreamEvent[] = [];
  readonly #cut = new AbortController();
  readonly #reading: AsyncGenerator<StreamEvent>;

  private constructor(response: Response, cut: AbortController) {
    this.#reading = readStream(response);
    this.#cut = cut;
  }

  static async open(session: RoamingSession, at: ServingProcess, lastEventId?: string): Promise<Listening> {
    const cut = new AbortController();
    const response = await session.get(at, lastEventId, { signal: cut.signal });
    expect(response.status).toBe(200);
    return new Listening(response, cut);
  }

  /** Returns summaries of the next events. */
  async next(count: number): Promise<string[]> {
    const found: string[] = [];
    while (found.length < count) {
      const { value, done = false } = await this.#reading.next();
      if (done) return [...found, "(end)"];
      this.events.push(value);
      found.push(summarizeEvent(value));
    }
    return found;
  }

  get lastId(): string | undefined {
    return this.events.at(-1)?.id;
  }

  leave(): void {
    this.#cut.abort();
  }
}

const list = (name: string): string => `notifications/${name}/list_changed`;

describe.each(CARRIERS)("over %s", (carrier) => {
  test("a client receives each change once, wherever it was announced", async () => {
    const [a, b, c] = [await start(carrier), await start(carrier), await start(carrier)];
    const session = await new RoamingSession().open(a);
    // Both processes know the session.
    for (const each of [a, b, c]) await (await session.post(each, "ping")).text();
    const listening = await Listening.open(session, b);
    expect(await listening.next(1)).toEqual(["(nothing)"]);
    a.notifier.toolsChanged();
    expect(await listening.next(1)).toEqual([list("tools")]);
    b.notifier.promptsChanged();
    expect(await listening.next(1)).toEqual([list("prompts")]);
    c.notifier.resourcesChanged();
    for (let count = 0; count < 100; count++) c.notifier.toolsChanged();
    expect((await listening.next(2)).sort()).toEqual([list("resources"), list("tools")]);
    a.notifier.promptsChanged();
    expect(await listening.next(1)).toEqual([list("prompts")]);
    listening.leave();
  });

  test("a client continues in another process with everything that it missed, and the former process stops sending", async () => {
    const [a, b] = [await start(carrier), await start(carrier)];
    const session = await new RoamingSession().open(a);
    const first = await Listening.open(session, a);
    expect(await first.next(1)).toEqual(["(nothing)"]);
    a.notifier.toolsChanged();
    await first.next(1);
    const { lastId } = first;
    const second = await Listening.open(session, b, lastId);
    expect(await second.next(1)).toEqual(["(nothing)"]);
    expect(await first.next(1)).toEqual(["(end)"]);
    second.leave();
    a.notifier.promptsChanged();
    b.notifier.resourcesChanged();
    const third = await Listening.open(session, a, lastId);
    expect((await third.next(3)).sort()).toEqual(["(nothing)", list("prompts"), list("resources")]);
    third.leave();
  });

  test("a client receives each subscribed resource once, whichever process it subscribed in", async () => {
    const [a, b, c] = [await start(carrier), await start(carrier), await start(carrier)];
    const session = await new RoamingSession().open(a);
    const listening = await Listening.open(session, b);
    expect(await listening.next(1)).toEqual(["(nothing)"]);
    const ask = async (at: ServingProcess, method: string, uri: string): Promise<void> => {
      expect((await session.post(at, `resources/${method}`, { uri })).status).toBe(200);
    };
    for (const [at, id] of [[a, "a"] as const, [b, "b"] as const, [c, "c"] as const]) {
      await ask(at, "subscribe", `note://${id}`);
    }
    for (const at of [a, b, c]) {
      for (const id of ["a", "other", "b", "c"]) at.notifier.resourceUpdated(`note://${id}`);
      expect(await listening.next(3)).toEqual(["note://a", "note://b", "note://c"]);
    }
    await ask(a, "unsubscribe", "note://b");
    for (const id of ["a", "b", "c"]) c.notifier.resourceUpdated(`note://${id}`);
    expect(await listening.next(2)).toEqual(["note://a", "note://c"]);
    listening.leave();
  });

  test("messages from any process arrive in order and only once, unless the client resumes from an earlier event", async () => {
    const [a, b] = [await start(carrier), await start(carrier)];
    const session = await new RoamingSession().open(a);
    const say = ({ server }: Announcing, id: string): void =>
      server.sharedStreams?.getStreams(decryptSession(a, session.id)).send(note(id));
    // Before it listens anywhere.
    say(b, "early");
    const listening = await Listening.open(session, b);
    expect(await listening.next(2)).toEqual(["(nothing)", "note://early"]);
    say(a, "1");
    expect(await listening.next(1)).toEqual(["note://1"]);
    say(b, "2");
    expect(await listening.next(1)).toEqual(["note://2"]);
    listening.leave();
    const again = await Listening.open(session, a, listening.events[1]?.id);
    expect(await again.next(3)).toEqual(["(nothing)", "note://1", "note://2"]);
    again.leave();
  });
});

test("a client receives changes between its handshake and its first GET", async () => {
  const [a, b] = [await start(), await start()];
  const session = await new RoamingSession().open(a);
  b.notifier.toolsChanged();
  a.notifier.promptsChanged();
  const listening = await Listening.open(session, b);
  expect((await listening.next(3)).sort()).toEqual(["(nothing)", list("prompts"), list("tools")]);
  listening.leave();
  // A session of a process that started later receives only later changes.
  const late = await start();
  await settle();
  const other = await Listening.open(await new RoamingSession().open(late), late);
  late.notifier.toolsChanged();
  expect(await other.next(2)).toEqual(["(nothing)", list("tools")]);
  other.leave();
});

test("a client that reconnects without a position misses nothing", async () => {
  const [a, b] = [await start(), await start()];
  const session = await new RoamingSession().open(a, "2025-06-18");
  const left = await Listening.open(session, a);
  a.notifier.toolsChanged();
  expect(await left.next(1)).toEqual([list("tools")]);
  a.kill();
  b.notifier.promptsChanged();
  const back = await Listening.open(session, b);
  // The client may receive some messages twice.
  expect((await back.next(2)).sort()).toEqual([list("prompts"), list("tools")]);
  back.leave();
});

test("a client is notified of everything if the changes are unknown", async () => {
  const [a, b] = [await start(), await start()];
  const session = await new RoamingSession().open(a);
  const left = await Listening.open(session, a);
  expect(await left.next(1)).toEqual(["(nothing)"]);
  left.leave();
  const [, log = ""] = left.lastId?.split("_") ?? [];
  const back = await Listening.open(session, b, `0_${log}_999999`);
  const everything = ["(nothing)", list("prompts"), list("resources"), list("tools")];
  expect((await back.next(4)).sort()).toEqual(everything);
  back.leave();
});

test("a client stays connected while the store is unreachable, and misses nothing", async () => {
  let isGone = false;
  const get: Store["get"] = (...args) =>
    isGone ? Promise.reject(new Error("connect ECONNREFUSED")) : store.get(...args);
  const [a, b] = [await start(), await start("web", replacedStore(store, { get }))];
  const session = await new RoamingSession().open(a);
  // It knows the session.
  await (await session.post(b, "ping")).text();
  const left = await Listening.open(session, a);
  await left.next(1);
  left.leave();
  isGone = true;
  a.notifier.toolsChanged();
  const back = await Listening.open(session, b, left.lastId);
  isGone = false;
  expect(await back.next(2)).toEqual(["(nothing)", list("tools")]);
  back.leave();
});

/** Returns the session with this ID as streams use it. */
function decryptSession({ server }: ServingProcess, id: string): { connection: TransportConnection } {
  const { stateKeys, info, limits } = server;
  const cipher = createSessionIdCipher(stateKeys, info.name, limits.sessionLifetimeMs);
  return { connection: { agreement: cipher?.decrypt(id, undefined) } as TransportConnection };
}

function note(id: string): string {
  const params = { uri: `note://${id}` };
  return JSON.stringify({ jsonrpc: "2.0", method: "notifications/resources/updated", params });
}
