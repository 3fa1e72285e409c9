/**
 * Legacy sessions in processes that share a store, with and without encrypted IDs.
 */
import type { HttpConfig, ServerConfig } from "@tenon/runtime";
import { memoryStore, sharedStore, type Store } from "@tenon/runtime/store";
import { afterEach, describe, expect, test, vi } from "vitest";
import { eventually } from "../../support/eventually.js";
import {
  isServed,
  open,
  type Process,
  type ProcessOptions,
  send,
  startProcess,
  warnings,
} from "../../support/processes.js";
import type { WireMessage } from "../../wire/schemas.mjs";
import { createAskingFixture } from "../asking/application.js";
import { createFixture } from "../fixture/application.js";
import { createNotebook } from "../fixture/notebook.js";

const KEY = "k".repeat(32);

const running: Process[] = [];
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(running.splice(0).map(({ stop }) => stop()));
});

/** A store that counts its operations, and that a test can make unreachable. */
class WatchedStore {
  readonly store: Store;
  /** Requests about sessions only; processes also read their own records. */
  readonly asked: string[] = [];
  /** Callbacks of processes that missed messages. */
  readonly gaps: (() => void)[] = [];
  isDown = false;
  isDeaf = false;
  isFrozen = false;
  #thaw: (() => void)[] = [];

  constructor() {
    const memory = memoryStore();
    this.store = new Proxy(memory, {
      get: (_, name) => {
        const method = Reflect.get(memory, name) as (...args: unknown[]) => unknown;
        return (...args: unknown[]) => {
          if (String(args[0]).includes("session:")) this.asked.push(String(name));
          if (this.isFrozen)
            return new Promise((resolve) => this.#thaw.push(() => resolve(method.apply(memory, args))));
          if (this.isDown) return Promise.reject(new Error("The store is down."));
          if (name !== "subscribe") return method.apply(memory, args);
          const [topics, onMessage, onMissed] = args as Parameters<Store["subscribe"]>;
          this.gaps.push(onMissed);
          return memory.subscribe(topics, (...given) => this.isDeaf || onMessage(...given), onMissed);
        };
      },
    });
  }

  thaw(): void {
    this.isFrozen = false;
    for (const answer of this.#thaw.splice(0)) answer();
  }
}

function start(store: Store, config: ServerConfig = {}, options: ProcessOptions = {}): Process {
  const process = startProcess({ store: sharedStore(store), ...config }, options);
  running.push(process);
  return process;
}

/** A stream of events, message by message. */
class Events {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  #text = "";

  constructor(response: Response) {
    this.#reader = (response.body as ReadableStream<Uint8Array>).getReader();
  }

  /** Returns the next message with this method, or the response; undefined if the stream ends before it. */
  async next(method?: string): Promise<WireMessage | undefined> {
    for (;;) {
      const [event, ...rest] = this.#text.split("\n\n");
      if (rest.length > 0) {
        this.#text = rest.join("\n\n");
        const data = /^data: (\{.*)$/m.exec(event ?? "")?.[1];
        const message = data === undefined ? undefined : (JSON.parse(data) as WireMessage);
        if (message !== undefined && message.method === method) return message;
        continue;
      }
      const { value, done } = await this.#reader.read();
      if (done) return undefined;
      this.#text += new TextDecoder().decode(value);
    }
  }

  close(): Promise<void> {
    return this.#reader.cancel();
  }
}

async function post(process: Process, session: string, message: object, headers = {}): Promise<Response> {
  return process.handle(
    new Request("http://localhost/mcp", {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-session-id": session,
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: "2.0", ...message }),
    }),
  );
}

const ask = async (process: Process, session: string, name: string, args: object = {}): Promise<Events> =>
  new Events(await send(process, "tools/call", { name, arguments: args }, { session }));

describe.each([
  ["session IDs contain the negotiated state", KEY],
  ["the store contains the negotiated state", ""],
])("where %s", (_words, stateKeys) => {
  const options = { stateKeys };

  test("any process serves a session, and reads it from the store once", async () => {
    const watched = new WatchedStore();
    const [first, second] = [start(watched.store, {}, options), start(watched.store, {}, options)];
    const capabilities = { elicitation: {}, experimental: { this: { is: "said" } } };
    const session = await open(first, { capabilities });
    expect(session).toMatch(/^[\x21-\x7e]{1,1000}$/);
    expect(watched.asked).toEqual(stateKeys === "" ? ["set"] : []);
    watched.asked.length = 0;
    for (let round = 0; round < 3; round++) {
      for (const process of [first, second]) expect(await isServed(process, session)).toBe(true);
    }
    // The second process records that it knows the session, so that it is notified of its end.
    expect(watched.asked).toEqual(stateKeys === "" ? ["get"] : ["set"]);
    const [one, two] = [...first.callers.slice(-1), ...second.callers.slice(-1)];
    expect(two?.client).toEqual({ info: { name: "test", version: "1" }, capabilities });
    expect(two?.session?.id).toBe(one?.session?.id);
    const notEncrypted = expect.stringContaining("The store holds calls in plain text") as string;
    expect([first, second].flatMap(warnings)).toEqual(stateKeys === "" ? [notEncrypted, notEncrypted] : []);
  });

  test("a log level set in one process applies in all", async () => {
    const store = memoryStore();
    const create = { ...options, create: createFixture };
    const processes = [start(store, {}, create), start(store, {}, create)] as const;
    const session = await open(processes[0]);
    // One process knows the session before the change, and the last one reads it from the store.
    await (await send(processes[1], "ping", {}, { session })).text();
    await (await send(processes[0], "logging/setLevel", { level: "debug" }, { session })).text();
    for (const process of [...processes, start(store, {}, create)]) {
      await eventually(async () => {
        const response = await send(
          process,
          "tools/call",
          { name: "countdown", arguments: { steps: 1 } },
          { session },
        );
        expect(await response.text()).toContain("not for everyone");
      });
    }
    await (await send(processes[1], "logging/setLevel", { level: "error" }, { session })).text();
    for (const process of processes) {
      await eventually(async () => {
        const response = await send(
          process,
          "tools/call",
          { name: "countdown", arguments: { steps: 1 } },
          { session },
        );
        expect(await response.text()).not.toContain("notifications/message");
      });
    }
  });

  test("a session that the store has lost is stored again, or has ended if its ID contains no state", async () => {
    const store = memoryStore();
    const [keys, gaps] = [new Set<string>(), new Set<() => void>()];
    const { set, subscribe } = store;
    store.set = (key, ...rest) => set.call(store, keys.add(key) && key, ...rest);
    store.subscribe = (topics, onMessage, onMissed) =>
      subscribe.call(store, topics, onMessage, (gaps.add(onMissed), onMissed));
    const create = { ...options, create: createFixture };
    const first = start(store, {}, create);
    const session = await open(first);
    await (await send(first, "logging/setLevel", { level: "debug" }, { session })).text();
    const records = [...keys].filter((key) => key.endsWith(":record"));
    expect(records).toHaveLength(1);
    for (const key of records) await store.delete(key);
    for (const onMissed of gaps) onMissed();
    const isCarried = stateKeys !== "";
    expect((await send(first, "ping", {}, { session })).status).toBe(isCarried ? 200 : 404);
    if (!isCarried) return;
    const call = { name: "countdown", arguments: { steps: 1 } };
    const response = await send(start(store, {}, create), "tools/call", call, { session });
    expect(await response.text()).toContain("not for everyone");
  });

  test("a subscription made in one process reaches the stream in another", async () => {
    const store = memoryStore();
    const [first, second] = [start(store, {}, options), start(store, {}, options)];
    const session = await open(first);
    const events = new Events(await send(second, "", {}, { verb: "GET", session }));
    const third = start(store, {}, options);
    await (await send(third, "resources/subscribe", { uri: "note://1" }, { session })).text();
    await (await send(third, "resources/subscribe", { uri: "note://2" }, { session })).text();
    await (await send(third, "resources/unsubscribe", { uri: "note://2" }, { session })).text();
    let isHeard = false;
    const heard = events.next("notifications/resources/updated").then((message) => {
      isHeard = true;
      return message;
    });
    await eventually(async () => {
      for (const id of ["2", "1"]) {
        const args = { id, text: "By another client" };
        await (await send(second, "tools/call", { name: "write", arguments: args }, { session })).text();
      }
      expect(isHeard).toBe(true);
    });
    expect((await heard)?.params).toEqual({ uri: "note://1" });
    await events.close();
  });

  test("DELETE ends a session everywhere, including processes that have not seen it", async () => {
    const store = memoryStore();
    const create = { ...options, create: createFixture };
    const [first, second, third] = [
      start(store, {}, create),
      start(store, {}, create),
      start(store, {}, create),
    ];
    const session = await open(first);
    const waiting = send(first, "tools/call", { name: "wait", arguments: {} }, { session });
    const stream = new Events(await send(second, "", {}, { verb: "GET", session }));
    expect((await send(second, "", {}, { verb: "DELETE", session })).status).toBe(204);
    // Calls in progress and streams in other processes end.
    await (await waiting).text();
    expect(await stream.next("nothing")).toBeUndefined();
    for (const process of [first, second, third, start(store, {}, create)]) {
      expect((await send(process, "ping", {}, { session })).status).toBe(404);
    }
  });

  test.each([0, 1, 2])(
    "DELETE in process %i ends a session that three processes have served",
    async (index) => {
      const store = memoryStore();
      const processes = [
        start(store, {}, options),
        start(store, {}, options),
        start(store, {}, options),
      ] as const;
      const session = await open(processes[0]);
      for (const process of processes) expect(await isServed(process, session)).toBe(true);
      const ending = processes[index] as Process;
      expect((await send(ending, "", {}, { verb: "DELETE", session })).status).toBe(204);
      for (const process of processes) expect(await isServed(process, session)).toBe(false);
    },
  );

  test("an answer reaches the process that asked", async () => {
    const store = memoryStore();
    const create = { ...options, create: createAskingFixture };
    const [first, second] = [start(store, {}, create), start(store, {}, create)];
    const session = await open(first, { capabilities: { elicitation: {} } });
    const calls = await Promise.all([ask(first, session, "greet"), ask(second, session, "greet")]);
    const questions = await Promise.all(calls.map((events) => events.next("elicitation/create")));
    const others = [second, first] as const;
    for (const [index, question] of questions.entries()) {
      const result = { action: "accept", content: { name: `Number ${index}` } };
      const answered = await post(others[index] as Process, session, { id: question?.id, result });
      expect(answered.status).toBe(202);
    }
    const texts = await Promise.all(calls.map(async (events) => (await events.next())?.result));
    expect(texts).toMatchObject([
      { content: [{ text: "Hello, Number 0!" }] },
      { content: [{ text: "Hello, Number 1!" }] },
    ]);
  });

  test("a reply whose ID has another type is ignored", async () => {
    const process = start(memoryStore(), {}, options);
    const session = await open(process);
    for (const id of [{ toString: "x" }, [{ toString: "x" }], null, 1.5])
      expect((await post(process, session, { id, result: {} })).status).toBe(202);
  });

  test("an answer of another session or principal is ignored", async () => {
    const store = memoryStore();
    const http: HttpConfig = { principal: ({ header }) => header("x-user") };
    const create = { ...options, create: createAskingFixture };
    const [first, second] = [start(store, { http }, create), start(store, { http }, create)];
    const capabilities = { elicitation: {} };
    const ada = { "x-user": "ada" };
    const session = await open(first, { capabilities }, ada);
    const foreign = await open(first, { capabilities }, { "x-user": "eve" });
    const call = new Events(
      await send(first, "tools/call", { name: "greet", arguments: {} }, { session, headers: ada }),
    );
    const question = await call.next("elicitation/create");
    const stolen = { id: question?.id, result: { action: "accept", content: { name: "Eve" } } };
    for (const process of [first, second]) {
      await post(process, foreign, stolen, { "x-user": "eve" });
      expect((await post(process, session, stolen, { "x-user": "eve" })).status).toBe(404);
    }
    const own = { ...stolen, result: { action: "accept", content: { name: "Ada" } } };
    await post(second, session, own, ada);
    expect((await call.next())?.result).toMatchObject({ content: [{ text: "Hello, Ada!" }] });
  });

  test("cancellations and root changes reach the process that runs the call", async () => {
    const store = memoryStore();
    const create = { ...options, create: createAskingFixture };
    const [first, second] = [start(store, {}, create), start(store, {}, create)];
    const session = await open(first, { capabilities: { roots: {}, elicitation: {} } });
    const roots = await ask(first, session, "watchRoots", { times: 1 });
    await roots.next("notifications/message");
    await post(second, session, { method: "notifications/roots/list_changed" });
    const question = await roots.next("roots/list");
    await post(second, session, { id: question?.id, result: { roots: [{ uri: "file:///a" }] } });
    expect((await roots.next())?.result).toMatchObject({ content: [{ text: "file:///a" }] });

    const response = await post(first, session, {
      id: "to be cancelled",
      method: "tools/call",
      params: { name: "greet", arguments: {} },
    });
    const call = new Events(response);
    await call.next("elicitation/create");
    const params = { requestId: "to be cancelled" };
    expect((await post(second, session, { method: "notifications/cancelled", params })).status).toBe(202);
    expect(await call.next()).toBeUndefined();
  });

  test("a session belongs to its principal in every process", async () => {
    const store = memoryStore();
    const http: HttpConfig = { principal: ({ header }) => header("x-user") };
    const processes = [start(store, { http }, options), start(store, { http }, options)] as const;
    const session = await open(processes[0], {}, { "x-user": "ada" });
    for (const process of processes) {
      expect(await isServed(process, session, { "x-user": "eve" })).toBe(false);
      expect(await isServed(process, session)).toBe(false);
      expect(await isServed(process, session, { "x-user": "ada" })).toBe(true);
    }
  });

  test("an idle session ends, but not a session that is used in any process", async () => {
    vi.useFakeTimers({ toFake: ["Date", "performance"] });
    const store = memoryStore();
    const config = { limits: { sessionIdleTimeoutMs: 60_000 } };
    const processes = [start(store, config, options), start(store, config, options)] as const;
    const [used, idle] = [await open(processes[0]), await open(processes[0])];
    for (let round = 0; round < 12; round++) {
      vi.advanceTimersByTime(10_000);
      expect(await isServed(processes[1], used)).toBe(true);
      await new Promise(setImmediate);
    }
    const fresh = start(store, config, options);
    expect(await isServed(fresh, used)).toBe(true);
    // A session without a record has no idle time, so its ID expires by its age.
    expect(await isServed(fresh, idle)).toBe(stateKeys !== "");
  });

  test("a session is read again at the next use if messages were lost", async () => {
    const watched = new WatchedStore();
    const create = { ...options, create: createFixture };
    const [first, second] = [start(watched.store, {}, create), start(watched.store, {}, create)];
    const sessions = [await open(first), await open(first)] as const;
    for (const session of sessions) expect((await send(second, "ping", {}, { session })).status).toBe(200);
    await eventually(() => expect(watched.gaps).toHaveLength(2));
    watched.isDeaf = true;
    await (await send(first, "logging/setLevel", { level: "debug" }, { session: sessions[0] })).text();
    await send(first, "", {}, { verb: "DELETE", session: sessions[1] });
    expect((await send(second, "ping", {}, { session: sessions[1] })).status).toBe(200);
    watched.isDeaf = false;
    for (const onMissed of watched.gaps) onMissed();
    const args = { name: "countdown", arguments: { steps: 1 } };
    const response = await send(second, "tools/call", args, { session: sessions[0] });
    expect(await response.text()).toContain("not for everyone");
    expect((await send(second, "ping", {}, { session: sessions[1] })).status).toBe(404);
  });

  test("a process with too many sessions forgets idle ones, which other processes continue", async () => {
    const store = memoryStore();
    const small = start(store, { limits: { maxSessions: 2 } }, options);
    const sessions = [await open(small), await open(small), await open(small)];
    for (const process of [small, start(store, {}, options)]) {
      for (const session of sessions) expect(await isServed(process, session)).toBe(true);
    }
  });
});

test.each([
  ["", `none,${KEY}`],
  [`none,${KEY}`, `${KEY},none`],
])(
  "sessions are shared while processes with the keys %j and %j run at the same time",
  async (before, after) => {
    const { store } = new WatchedStore();
    const [old, renewed] = [start(store, {}, { stateKeys: before }), start(store, {}, { stateKeys: after })];
    for (const opener of [old, renewed]) {
      const session = await open(opener);
      for (const process of [old, renewed]) expect(await isServed(process, session)).toBe(true);
    }
  },
);

test("a session of one process ends with one write, and notifies no other process", async () => {
  const watched = new WatchedStore();
  const published = vi.spyOn(watched.store, "publish");
  const [first, second] = [
    start(watched.store, {}, { stateKeys: KEY }),
    start(watched.store, {}, { stateKeys: KEY }),
  ];
  const session = await open(first);
  expect(await isServed(first, session)).toBe(true);
  expect((await send(first, "", {}, { verb: "DELETE", session })).status).toBe(204);
  expect(watched.asked).toEqual(["set"]);
  expect(published).not.toHaveBeenCalled();
  expect(await isServed(second, session)).toBe(false);

  const shared = await open(first);
  expect(await isServed(second, shared)).toBe(true);
  expect((await send(first, "", {}, { verb: "DELETE", session: shared })).status).toBe(204);
  expect(published).toHaveBeenCalledOnce();
});

describe("while the store is unreachable", () => {
  const expectRetryLater = async (response: Response): Promise<void> => {
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "1"]);
    expect(await response.json()).toMatchObject({
      jsonrpc: "2.0",
      error: { code: -32603, message: expect.stringContaining("Try again in a moment") as unknown },
    });
  };

  test("encrypted sessions are opened and served in any process", async () => {
    const watched = new WatchedStore();
    const [first, second] = [
      start(watched.store, {}, { stateKeys: KEY }),
      start(watched.store, {}, { stateKeys: KEY }),
    ];
    watched.isDown = true;
    const session = await open(first);
    for (const process of [first, second]) expect(await isServed(process, session)).toBe(true);
    await expectRetryLater(await send(second, "resources/subscribe", { uri: "note://1" }, { session }));
    await expectRetryLater(await send(second, "", {}, { verb: "DELETE", session }));
    for (const { log } of [first, second]) {
      expect(log.filter(({ event }) => event === "store-unreachable").length).toBeLessThanOrEqual(1);
    }
    watched.isDown = false;
    expect((await send(second, "", {}, { verb: "DELETE", session })).status).toBe(204);
    expect(await isServed(first, session)).toBe(false);
  });

  test("other sessions are rejected in processes that do not know them, and continue in those that do", async () => {
    const watched = new WatchedStore();
    const [first, second] = [start(watched.store), start(watched.store)];
    const session = await open(first);
    watched.isDown = true;
    expect(await isServed(first, session)).toBe(true);
    await expectRetryLater(await send(second, "ping", {}, { session }));
    const params = {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "t", version: "1" },
    };
    await expectRetryLater(await send(second, "initialize", params));
    watched.isDown = false;
    expect(await isServed(second, session)).toBe(true);
  });

  test.each([
    ["sessions with encrypted IDs", KEY],
    ["other sessions", ""],
  ])(
    "%s continue in processes that know them, even after lost messages, and wait for the store only once",
    async (_words, stateKeys) => {
      const watched = new WatchedStore();
      const options = { stateKeys, create: createFixture };
      const [first, second] = [start(watched.store, {}, options), start(watched.store, {}, options)];
      const session = await open(first);
      const count = async (process: Process): Promise<string> => {
        const args = { name: "countdown", arguments: { steps: 1 } };
        return (await send(process, "tools/call", args, { session })).text();
      };
      await eventually(() => expect(watched.gaps).toHaveLength(2));
      await count(second);
      watched.isDeaf = true;
      await (await send(first, "logging/setLevel", { level: "debug" }, { session })).text();
      watched.isDown = true;
      for (const onMissed of watched.gaps) onMissed();
      expect((await send(second, "ping", {}, { session })).status).toBe(200);
      // A store that does not respond at all.
      watched.isFrozen = true;
      for (let round = 0; round < 3; round++) {
        expect((await send(second, "ping", {}, { session })).status).toBe(200);
      }
      watched.isDown = false;
      watched.thaw();
      await eventually(async () => expect(await count(second)).toContain("not for everyone"));
    },
  );

  test("an undelivered answer is not treated as delivered", async () => {
    const watched = new WatchedStore();
    const options = { stateKeys: KEY, create: createAskingFixture };
    const [first, second] = [start(watched.store, {}, options), start(watched.store, {}, options)];
    const session = await open(first, { capabilities: { elicitation: {} } });
    const call = await ask(first, session, "greet");
    const question = await call.next("elicitation/create");
    const answer = { id: question?.id, result: { action: "accept", content: { name: "Ada" } } };
    watched.isDown = true;
    await expectRetryLater(await runWithoutWaiting(() => post(second, session, answer)));
    watched.isDown = false;
    expect((await post(second, session, answer)).status).toBe(202);
    expect((await call.next())?.result).toMatchObject({ content: [{ text: "Hello, Ada!" }] });
  });
});

/** Returns the result of a function without waiting for its timers. */
async function runWithoutWaiting<Value>(act: () => Promise<Value>): Promise<Value> {
  vi.useFakeTimers({ toFake: ["setTimeout", "setInterval", "clearInterval", "performance"] });
  const done = act();
  const turn = (): Promise<"waiting"> => new Promise((resolve) => setImmediate(resolve, "waiting"));
  while ((await Promise.race([done, turn()])) === "waiting") await vi.advanceTimersByTimeAsync(1000);
  vi.useRealTimers();
  return done;
}

test("the store contains no session IDs, and no permanent data", async () => {
  const written: [key: string, value: string, ttlMs: number][] = [];
  const memory = memoryStore();
  const store: Store = new Proxy(memory, {
    get: (target, name) => {
      const method = (Reflect.get(target, name) as (...args: unknown[]) => unknown).bind(target);
      return (...args: unknown[]) => {
        if (name === "set")
          written.push([args[0] as string, args[1] as string, (args[2] as { ttlMs: number }).ttlMs]);
        return method(...args);
      };
    },
  });
  for (const stateKeys of ["", KEY]) {
    const process = start(store, {}, { stateKeys, create: createNotebook });
    const session = await open(process);
    await (await send(process, "logging/setLevel", { level: "error" }, { session })).text();
    await send(process, "", {}, { verb: "DELETE", session });
    expect(written.filter(([key, value]) => `${key} ${value}`.includes(session))).toEqual([]);
  }
  const records = written.filter(([key]) => key.includes("session:"));
  // The first session was opened and changed, the second one changed and ended.
  expect(records).toHaveLength(4);
  for (const [key, , ttlMs] of records) {
    expect(key).toMatch(/:session:\{[\da-f-]{36}\}:record$/);
    expect(ttlMs).toBeLessThanOrEqual(7 * 24 * 60 * 60 * 1000);
  }
});
