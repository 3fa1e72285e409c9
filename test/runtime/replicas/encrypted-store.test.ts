/** The texts that a store holds about calls, with and without the keys of `TENON_STATE_KEYS`. */
import type { LogEntry } from "@tenon/runtime";
import { memoryStore, type Store } from "@tenon/runtime/store";
import { storeCases } from "@tenon/runtime/store-contract";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
// Internal: the wrapper must keep all promises of a store.
import { encryptStore } from "../../../packages/runtime/src/cluster/replicas/encrypted-store.js";
import {
  accept,
  closeReplicas,
  type Replica,
  startReplicas,
  startTask,
  untilStatus,
} from "./tasks-cluster.js";

const KEY = "k".repeat(32);
const NEW_KEY = "n".repeat(32);

/** Wraps a store, and records every text that it receives. */
function recordTexts(store: Store): { store: Store; texts: string[] } {
  const texts: string[] = [];
  const recording: Store = {
    get: (key) => store.get(key),
    set: (key, value, options) => {
      texts.push(value);
      return store.set(key, value, options);
    },
    delete: (key, options) => store.delete(key, options),
    append: (stream, values, options) => {
      texts.push(...values);
      return store.append(stream, values, options);
    },
    read: (stream, after, options) => store.read(stream, after, options),
    publish: (topic, message) => {
      texts.push(message);
      return store.publish(topic, message);
    },
    subscribe: (topics, onMessage, onMissed) => store.subscribe(topics, onMessage, onMissed),
    consume: (windows) => store.consume(windows),
    lease: (key, holder, ttlMs) => store.lease(key, holder, ttlMs),
    close: () => store.close(),
  };
  return { store: recording, texts };
}

describe("an encrypted store", () => {
  for (const { name, run } of storeCases) {
    test(name, () => {
      const store = memoryStore();
      return run(() => encryptStore(store, KEY, () => {}));
    });
  }
});

describe("a store that several processes share", () => {
  let replicas: Replica[] = [];
  const start = (keys: string | undefined, store: Store): Replica => {
    vi.stubEnv("TENON_STATE_KEYS", keys);
    const [replica] = startReplicas(1, {}, store) as [Replica];
    replicas.push(replica);
    return replica;
  };
  beforeEach(() => {
    replicas = [];
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    await closeReplicas(replicas);
  });

  /** Runs a task that one process starts and another one continues, with secrets in its argument and answer. */
  async function runTask(keys: string | undefined, store: Store): Promise<void> {
    const a = start(keys, store).client();
    const b = start(keys, store).client();
    const taskId = await startTask(a, "journey", { to: "Atlantis" });
    await untilStatus(b, taskId, "input_required");
    await b.result("tasks/update", { taskId, inputResponses: { who: accept("hunter2") } });
    expect(await untilStatus(b, taskId, "completed")).toMatchObject({
      result: { content: [{ text: expect.stringContaining("hunter2 goes to Atlantis") as string }] },
    });
  }
  const find = (texts: readonly string[], secret: string): string[] =>
    texts.filter((text) => text.includes(secret));

  test("holds no argument, answer, or result in plain text", async () => {
    const { store, texts } = recordTexts(memoryStore());
    await runTask(KEY, store);
    expect(texts.length).toBeGreaterThan(5);
    for (const secret of ["Atlantis", "hunter2", "ticket"]) expect(find(texts, secret)).toEqual([]);
    expect(replicas.flatMap(({ log }) => log.filter(({ event }) => event === "store-not-encrypted"))).toEqual(
      [],
    );
  });

  test.each([
    [KEY, false],
    [undefined, true],
  ])("names callers in the keys of rate limits only without state keys: %s", async (keys, isNamed) => {
    const seen: string[] = [];
    const memory = memoryStore();
    const recorded: Store = {
      ...memory,
      consume: (windows) => {
        seen.push(...windows.map(({ key }) => key));
        return memory.consume(windows);
      },
    };
    const store = encryptStore(recorded, keys, () => {});
    const key = 'tenon:weather:calls:{principal [null,"ada@example.com"]}:60000 tool "add"';
    const windows = [{ key, calls: 1, windowMs: 60_000 }];
    expect(await store.consume(windows)).toBeUndefined();
    expect(await store.consume(windows)).toMatchObject({ index: 0 });
    expect(seen[0]).toMatch(/^tenon:weather:calls:\{.+\}:60000 tool "add"$/);
    expect(seen.join().includes("ada")).toBe(isNamed);
  });

  test("holds calls in plain text without keys, and the server warns about it once at startup", async () => {
    const { store, texts } = recordTexts(memoryStore());
    await runTask(undefined, store);
    for (const secret of ["Atlantis", "hunter2", "ticket"]) expect(find(texts, secret)).not.toEqual([]);
    for (const { log } of replicas) {
      expect(log.filter(({ event }) => event === "store-not-encrypted")).toMatchObject([
        { level: "warn", msg: expect.stringContaining("TENON_STATE_KEYS is not set") as string },
      ]);
    }
  });

  test("is read with an earlier key, and with values from before there were keys if the keys allow it", async () => {
    for (const [before, after] of [
      [undefined, `none,${KEY}`],
      [`none,${KEY}`, `${KEY},none`],
      [undefined, `${KEY},none`],
      [`${KEY},none`, KEY],
      [KEY, `${NEW_KEY},${KEY}`],
    ]) {
      const store = memoryStore();
      const taskId = await startTask(start(before, store).client(), "journey", { to: "Atlantis" });
      const asked = await untilStatus(start(after, store).client(), taskId, "input_required");
      expect(JSON.stringify(asked)).toContain("Who goes to Atlantis?");
    }
  });

  test.each([
    [undefined, `none,${KEY}`],
    [`none,${KEY}`, `${KEY},none`],
    [`${KEY},none`, KEY],
  ])(
    "gets its first keys while processes with the keys %s and %s run at the same time",
    async (before, after) => {
      const store = memoryStore();
      const [old, renewed] = [start(before, store), start(after, store)];
      for (const [first, second] of [
        [old, renewed],
        [renewed, old],
      ] as const) {
        const [a, b] = [first.client(), second.client()];
        const taskId = await startTask(a, "journey", { to: "Atlantis" });
        await untilStatus(b, taskId, "input_required");
        await b.result("tasks/update", { taskId, inputResponses: { who: accept("ada") } });
        expect(await untilStatus(a, taskId, "completed")).toMatchObject({
          result: { content: [{ text: expect.stringContaining("ada goes to Atlantis") as string }] },
        });
      }
      expect([...old.log, ...renewed.log].filter(({ level }) => level === "error")).toEqual([]);
    },
  );

  test.each([
    [undefined, `${KEY},none`, "store-key-missing", "set `none,KEY` in all of them, and then `KEY,none`"],
    [KEY, undefined, "store-not-encrypted", "set `none,KEY` in all of them first"],
  ])("is not shared by the keys %s and %s, and the log names the steps", async (own, other, event, steps) => {
    const store = memoryStore();
    const owner = start(other, store).client();
    const taskId = await startTask(owner, "journey", { to: "Atlantis" });
    await untilStatus(owner, taskId, "input_required");
    const { client, log } = start(own, store);
    await client().error("tasks/get", { taskId });
    expect(log.filter((entry) => entry.event === event && entry.level === "error")).toMatchObject([
      { msg: expect.stringContaining(steps) as string },
    ]);
  });

  test("is not read by a process that lacks the key, which logs how to add it", async () => {
    const store = memoryStore();
    const owner = start(KEY, store).client();
    const taskId = await startTask(owner, "journey", { to: "Atlantis" });
    await untilStatus(owner, taskId, "input_required");
    for (const keys of [undefined, NEW_KEY]) {
      const { client, log } = start(keys, store);
      const error = await client().error("tasks/get", { taskId });
      expect(error.message).toBe(
        "The server cannot reach the store that its processes share. Try again in a moment.",
      );
      expect(log.filter(({ event }: LogEntry) => event === "store-key-missing")).toMatchObject([
        { level: "error", msg: expect.stringContaining("Set TENON_STATE_KEYS to the same value") as string },
      ]);
    }
  });

  test("serves no call that a program without the keys has stored", async () => {
    const store = memoryStore();
    const owner = start(undefined, store).client();
    const taskId = await startTask(owner, "journey", { to: "Atlantis" });
    await untilStatus(owner, taskId, "input_required");
    const { client, log } = start(KEY, store);
    const error = await client().error("tasks/get", { taskId });
    expect(error.message).toBe(
      "The server cannot reach the store that its processes share. Try again in a moment.",
    );
    expect(log.filter(({ event }: LogEntry) => event === "store-not-encrypted")).toMatchObject([
      { level: "error", msg: expect.stringContaining("add `,none` to the keys") as string },
    ]);
  });

  test("has no holder for a lease that another key has signed, and the log names the key as the reason", async () => {
    const inner = memoryStore();
    const log: LogEntry[] = [];
    await encryptStore(inner, NEW_KEY, () => {}).lease("lease", "process", 60_000);
    const store = encryptStore(inner, KEY, (entry) => log.push(entry));
    await expect(store.get("lease")).rejects.toThrow("cannot reach the store");
    expect(log).toMatchObject([{ event: "store-key-missing" }]);
  });

  test("ignores messages of a program that lacks the keys", async () => {
    const inner = memoryStore();
    const received: string[] = [];
    const log: LogEntry[] = [];
    const store = encryptStore(inner, KEY, (entry) => log.push(entry));
    await store.subscribe(
      ["topic"],
      (message) => received.push(message),
      () => {},
    );
    await inner.publish("topic", "forged");
    await store.publish("topic", "sent");
    await vi.waitFor(() => expect(received).toEqual(["sent"]));
    expect(log).toMatchObject([{ event: "store-not-encrypted" }]);
  });

  test("is written in plain text while the keys begin with `none`, with a warning at startup", async () => {
    const { store, texts } = recordTexts(memoryStore());
    await runTask(`none,${KEY}`, store);
    expect(find(texts, "Atlantis")).not.toEqual([]);
    for (const { log } of replicas)
      expect(log.filter(({ event }) => event === "store-not-encrypted")).toMatchObject([
        { level: "warn", msg: expect.stringContaining("Move `none` to the end") as string },
      ]);
  });

  test("needs a key next to `none`", () => {
    for (const keys of ["none", " , ", "none,"])
      expect(() => start(keys, memoryStore())).toThrow(
        "TENON_STATE_KEYS must contain keys with at least 32 characters.",
      );
  });

  test("rejects a value that was moved to another key", async () => {
    const inner = memoryStore();
    const store = encryptStore(inner, KEY, () => {});
    await store.set("a", "secret", { ttlMs: 60_000 });
    await inner.set("b", (await inner.get("a"))?.value ?? "", { ttlMs: 60_000 });
    expect(await store.get("a")).toMatchObject({ value: "secret" });
    await expect(store.get("b")).rejects.toThrow("cannot reach the store");
  });
});
