/** The store in the first process of `--workers`, reached over the channel between processes. */
import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";
import { type OpenStore, storeCases } from "@tenon/runtime/store-contract";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
// Internal: any store is tested against the contract of stores; only workers open this one.
import type { StoreReply } from "../../../packages/runtime/src/cluster/workers/messages.js";
import { PrimaryStore } from "../../../packages/runtime/src/cluster/workers/primary-store.js";
import { eventually } from "../../support/eventually.js";

let host: ChildProcess;
let workers = 0;
const listeners = new Map<number, (reply: StoreReply) => void>();
beforeAll(() => {
  host = fork(join(import.meta.dirname, "host-process.mjs"));
  host.on("message", ({ worker, reply }: { worker: number; reply: StoreReply }) =>
    listeners.get(worker)?.(reply),
  );
});
afterAll(() => host.kill());

/** Opens the store as a separate worker does. */
function openAs(worker: number): PrimaryStore {
  return new PrimaryStore({
    send: (request) => void host.send({ worker, request }),
    onReply: (listener) => void listeners.set(worker, listener),
  });
}

const open: OpenStore = () => openAs(workers++);

describe("a worker's store", () => {
  for (const { name, run } of storeCases) test(name, () => run(open));
});

test("a store releases what an exited worker held", async () => {
  const other = await open();
  const worker = workers++;
  const ended = openAs(worker);
  await ended.lease("a key", "ended", 1_000_000);
  const heard: string[] = [];
  await ended.subscribe(["a topic"], (message) => heard.push(message));
  expect(await other.lease("a key", "other", 1000)).toBeUndefined();
  host.send({ worker });
  const { fencingToken } = await eventually(async () => {
    const lease = await other.lease("a key", "other", 1000);
    if (lease === undefined) throw new Error("It is held.");
    return lease;
  });
  expect(fencingToken).toBeGreaterThan(0);
  await other.publish("a topic", "unheard");
  expect(heard).toEqual([]);
});

test("a store reports that the first process does not respond", async () => {
  host.kill("SIGSTOP");
  const store = await open();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const found = expect(store.get("a key")).rejects.toThrow("does not respond");
  await vi.advanceTimersByTimeAsync(5000);
  vi.useRealTimers();
  await found;
  host.kill("SIGCONT");
  expect(await (await open()).get("no key")).toBeUndefined();
});
