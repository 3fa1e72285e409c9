/** The store in the first process of `--workers`, reached over the channel between processes. */
import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";
import { type OpenStore, storeCases } from "@tenon/runtime/store-contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { StoreReply } from "../../../packages/runtime/src/workers/messages.js";
import { PrimaryStore } from "../../../packages/runtime/src/workers/primary-store.js";
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

/** The store as a worker of its own has it. */
function openAs(worker: number): PrimaryStore {
  return new PrimaryStore({
    send: (request) => void host.send({ worker, request }),
    onReply: (listener) => void listeners.set(worker, listener),
  });
}

const open: OpenStore = () => openAs(workers++);

describe("the contract of stores", () => {
  for (const { name, run } of storeCases) test(name, () => run(open));
});

test("lets go of what a worker held that has ended", async () => {
  const other = await open();
  const worker = workers++;
  const ended = openAs(worker);
  await ended.lease("a key", "ended", 1_000_000);
  const heard: string[] = [];
  await ended.subscribe(["a topic"], (message) => heard.push(message));
  expect(await other.lease("a key", "other", 1000)).toBeUndefined();
  host.send({ worker });
  const { fence } = await eventually(async () => {
    const lease = await other.lease("a key", "other", 1000);
    if (lease === undefined) throw new Error("It is held.");
    return lease;
  });
  expect(fence).toBeGreaterThan(0);
  await other.publish("a topic", "unheard");
  expect(heard).toEqual([]);
});

test("says so when the first process does not answer", async () => {
  host.kill("SIGSTOP");
  await expect((await open()).get("a key")).rejects.toThrow("does not answer");
  host.kill("SIGCONT");
  expect(await (await open()).get("no key")).toBeUndefined();
});
