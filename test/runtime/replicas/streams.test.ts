/** Streams of legacy sessions: any process that shares the store continues a stream that another began. */
import type { ServerConfig } from "@tenon/runtime";
import { memoryStore, type Store } from "@tenon/runtime/store";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
// Internal: streams that end at any event, without the requests that they belong to.
import { Replica } from "../../../packages/runtime/src/cluster/replicas/replica.js";
import { CallStream } from "../../../packages/runtime/src/cluster/streams/call-stream.js";
import { SessionLog } from "../../../packages/runtime/src/cluster/streams/session-log.js";
import type {
  OrphanedCall,
  SharedStreams,
} from "../../../packages/runtime/src/transports/http/sessions/session-streams.js";
import { readAllEvents, readStream, readFirstEvents, summarizeEvent } from "../../support/event-stream.js";
import { eventually } from "../../support/eventually.js";
import { CARRIERS, type ServingProcess, startProcess } from "../../support/serving-process.js";
import { RoamingSession } from "../../support/roaming-session.js";
import { replacedStore } from "../../support/replaced-store.js";
import { createNotebook, Notebook } from "../fixture/notebook.js";

const STOPPED = "The process that worked on this call has stopped. Call again if the call is safe to repeat.";

const LOST = "The server has lost the messages about this call. Call again if the call is safe to repeat.";

let clock = 0;
let store: Store;
const open: ServingProcess[] = [];

beforeEach(() => {
  clock = 0;
  store = memoryStore({ now: () => performance.now() + clock });
});

afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

async function start(
  count: number,
  carrier: (typeof CARRIERS)[number] = "web",
  config: ServerConfig = {},
  given = store,
): Promise<ServingProcess[]> {
  const started = await Promise.all(
    Array.from({ length: count }, () => startProcess(createNotebook, given, carrier, config)),
  );
  open.push(...started);
  return started;
}

describe.each(CARRIERS)("the stream of a call, over %s", (carrier) => {
  test("can be closed by the handler, and then continues live in another process", async () => {
    const [a, b] = (await start(2, carrier)) as [ServingProcess, ServingProcess];
    const session = await new RoamingSession().open(a);
    const before = await readAllEvents(await session.call(a, "poll", { ms: 100 }));
    expect(before.map(summarizeEvent)).toEqual(["(nothing)", "notifications/progress", "(nothing)"]);
    expect(before.at(-1)).toMatchObject({ retry: "20" });
    const after = await readAllEvents(await session.get(b, before.at(-1)?.id));
    expect(after.map(summarizeEvent)).toEqual(["(nothing)", "notifications/progress", "Worth the wait."]);
    const ids = [...before.slice(0, 2), ...after.slice(1)].map(({ id }) => id);
    expect(new Set(ids).size).toBe(4);
    expect(ids.every((id) => /^[\x21-\x7e]+$/.test(id ?? ""))).toBe(true);
  });

  test("continues in another process when its client's connection is cut", async () => {
    const [a, b] = (await start(2, carrier)) as [ServingProcess, ServingProcess];
    const session = await new RoamingSession().open(a, "2025-06-18");
    const cut = new AbortController();
    const [progress] = await readFirstEvents(
      await session.call(a, "poll", { ms: 50 }, { signal: cut.signal }),
      1,
    );
    cut.abort();
    const rest = await readAllEvents(await session.get(b, progress?.id));
    expect(rest.map(summarizeEvent)).toEqual(["notifications/progress", "Worth the wait."]);
  });

  test("can be read again from any event, even after its end, in any process", async () => {
    const [a, b, c] = (await start(3, carrier)) as [ServingProcess, ServingProcess, ServingProcess];
    const session = await new RoamingSession().open(a);
    const [priming, progress] = await readAllEvents(await session.call(a, "poll", { ms: 1 }));
    for (const each of [b, c, a]) {
      const all = ["(nothing)", "notifications/progress", "notifications/progress", "Worth the wait."];
      expect((await readAllEvents(await session.get(each, priming?.id))).map(summarizeEvent)).toEqual(all);
      const rest = await readAllEvents(await session.get(each, progress?.id));
      expect(rest.map(summarizeEvent)).toEqual(["(nothing)", ...all.slice(2)]);
      expect((await session.get(each, rest.at(-1)?.id)).status).toBe(204);
    }
  });

  test("ends with an error if its process has died and no other continues the call", async () => {
    const [a, b] = (await start(2, carrier)) as [ServingProcess, ServingProcess];
    const session = await new RoamingSession().open(b);
    const before = await readAllEvents(await session.call(a, "poll", { ms: 60_000 }));
    const resumed = readStream(await session.get(b, before.at(-1)?.id));
    expect(summarizeEvent((await resumed.next()).value ?? {})).toBe("(nothing)");
    expect(summarizeEvent((await resumed.next()).value ?? {})).toBe("notifications/progress");
    a.kill();
    clock += 11_000;
    const end = (await resumed.next()).value ?? {};
    expect(JSON.parse(end.data ?? "")).toEqual({
      jsonrpc: "2.0",
      id: 2,
      error: { code: -32603, message: STOPPED },
    });
    expect((await resumed.next()).done).toBe(true);
    // Later requests receive the same.
    const again = await readAllEvents(await session.get(b, before.at(-1)?.id));
    expect(again.map(summarizeEvent)).toEqual(["(nothing)", "notifications/progress", STOPPED]);
  });
});

describe("the stream of a call", () => {
  test("stays plain JSON, and out of the store, if the response comes first", async () => {
    const used: string[] = [];
    const spied = new Proxy(store, {
      get: (target, name) => {
        used.push(String(name));
        const method = Reflect.get(target, name) as unknown;
        return typeof method === "function" ? (method.bind(target) as unknown) : method;
      },
    });
    const [a] = (await start(1, "web", {}, spied)) as [ServingProcess];
    const session = await new RoamingSession().open(a);
    await new Promise(setImmediate);
    used.length = 0;
    for (let count = 0; count < 10; count++) {
      const response = await session.call(a, "slow", { ms: 1 });
      expect(response.headers.get("content-type")).toBe("application/json");
      await response.text();
    }
    expect(used).toEqual([]);
  });

  test("belongs to its session", async () => {
    const [a, b] = (await start(2)) as [ServingProcess, ServingProcess];
    const [mine, foreign] = [await new RoamingSession().open(a), await new RoamingSession().open(a)];
    const [priming] = await readAllEvents(await mine.call(a, "poll", { ms: 1 }));
    expect((await foreign.get(b, priming?.id)).status).toBe(400);
  });

  test.each(["", "x", "1", "1-99", "0_x_", "00_1_1", "1_1", `${"a".repeat(16)}.1.WzFd_1_1`])(
    "is not resumed from the ID %j",
    async (id) => {
      const [a] = (await start(1)) as [ServingProcess];
      const session = await new RoamingSession().open(a);
      await readAllEvents(await session.call(a, "poll", { ms: 1 }));
      expect((await session.get(a, id)).status).toBe(400);
    },
  );

  test("is kept only up to the limit, for all calls of its session together", async () => {
    const [a, b] = (await start(2, "web", { limits: { maxReplayBytes: 1000 } })) as [
      ServingProcess,
      ServingProcess,
    ];
    const session = await new RoamingSession().open(a);
    const [old] = await readAllEvents(await session.call(a, "poll", { ms: 1 }));
    for (let count = 0; count < 5; count++) {
      const [recent] = await readAllEvents(await session.call(a, "poll", { ms: 1 }));
      expect((await readAllEvents(await session.get(b, recent?.id))).length).toBe(4);
    }
    const events = await readAllEvents(await session.get(b, old?.id));
    expect(events.map(summarizeEvent)).toEqual(["(nothing)", LOST]);
  });

  test("is separate from another call's with the same ID", async () => {
    const [a, b] = (await start(2)) as [ServingProcess, ServingProcess];
    const session = await new RoamingSession().open(a);
    const body = (ms: number) =>
      JSON.stringify({
        jsonrpc: "2.0",
        id: 7,
        method: "tools/call",
        params: { name: "poll", arguments: { ms }, _meta: { progressToken: ms } },
      });
    const streams = await Promise.all(
      [[a, 30] as const, [b, 31] as const].map(([at, ms]) => session.post(at, "", {}, { body: body(ms) })),
    );
    const lasts = await Promise.all(streams.map(async (stream) => (await readAllEvents(stream)).at(-1)?.id));
    const [first, second] = await Promise.all(
      lasts.map(async (id, index) => readAllEvents(await session.get(index === 0 ? b : a, id))),
    );
    expect(first?.[1]?.data).toContain('"progressToken":30');
    expect(second?.[1]?.data).toContain('"progressToken":31');
  });

  test("is taken over by another process, and continues where its client reads", async () => {
    const [a, b] = (await start(2)) as [ServingProcess, ServingProcess];
    const session = await new RoamingSession().open(b);
    const before = await readAllEvents(await session.call(a, "poll", { ms: 60_000 }));
    const streams = b.server.sharedStreams as SharedStreams;
    const orphans: OrphanedCall[] = [];
    streams.takeOver = async (call) => {
      orphans.push(call);
      const channel = streams.createWriter(call.session, call.stream, 2);
      const params = { progressToken: "p", progress: 1 };
      channel.send(JSON.stringify({ jsonrpc: "2.0", method: "notifications/progress", params }));
      await channel.finish(answer("By another."));
      return true;
    };
    a.kill();
    clock += 11_000;
    const found = await readAllEvents(await session.get(b, before.at(-1)?.id));
    expect(found.map(summarizeEvent)).toEqual([
      "(nothing)",
      "notifications/progress",
      "notifications/progress",
      "By another.",
    ]);
    expect(orphans).toEqual([expect.objectContaining({ requests: 2 })]);
    // Later messages of the former process are ignored.
    const [{ session: id, stream }] = orphans as [OrphanedCall];
    await streams.createWriter(id, stream, 1).finish(answer("Too late."));
    const again = await readAllEvents(await session.get(b, before.at(-1)?.id));
    expect(again.map(summarizeEvent)).toEqual(found.map(summarizeEvent));
    expect((await session.get(b, found.at(-1)?.id)).status).toBe(204);
  });

  test("is released by a paused process after another has taken it over", async () => {
    const replica = new Replica({ store, name: "notebook", log: () => {} });
    replica.start();
    await eventually(() => expect(replica.isHeld).toBe(true));
    const options = { replica, session: "s", scope: "calls" as const, maxBytes: 10_000, ttlMs: 60_000 };
    const log = new SessionLog(options);
    const channel = { replica, log, name: "stream", maxBytes: 10_000, canPoll: true };
    const written: string[] = [];
    const stream = new CallStream({ ...channel, run: 1 });
    stream.attach(() => ({ write: (text) => written.push(text) > 0, end: () => written.push("end") }));
    stream.send("1");
    await eventually(() => expect(written).toHaveLength(2));
    clock += 11_000;
    const { term } = replica;
    await new CallStream({ ...channel, run: 2 }).finish("by another");
    await eventually(() => expect(replica.term).not.toBe(term));
    stream.send("too late");
    await stream.finish("too late");
    expect(written.slice(2)).toEqual([expect.stringMatching(/^id: .*\nretry: 100\ndata: \n\n$/), "end"]);
    const entries = (await log.readStream("stream")).map(({ run, data }) => [run, data]);
    expect(entries.filter(([, data]) => data === "too late")).toEqual([]);
    await replica.close();
  });

  test("reaches the connected client while the store is unreachable", async () => {
    let isGone = false;
    const append: Store["append"] = (...args) =>
      isGone ? Promise.reject(new Error("connect ECONNREFUSED")) : store.append(...args);
    const [a] = (await start(1, "web", {}, replacedStore(store, { append }))) as [ServingProcess];
    const session = await new RoamingSession().open(a, "2025-06-18");
    isGone = true;
    const found = await readAllEvents(await session.call(a, "poll", { ms: 1 }));
    expect(found.map(summarizeEvent)).toEqual([
      "notifications/progress",
      "notifications/progress",
      "Worth the wait.",
    ]);
    expect(found.every(({ id }) => id === undefined)).toBe(true);
  });

  test("sends nothing until the store has the event from which its client can resume", async () => {
    let keep = (): void => {};
    const entries = new Promise<void>((resolve) => {
      keep = resolve;
    });
    const append: Store["append"] = async (...args) => {
      if (args[0].includes(":events:")) await entries;
      return store.append(...args);
    };
    const [a] = (await start(1, "web", {}, replacedStore(store, { append }))) as [ServingProcess];
    const session = await new RoamingSession().open(a);
    let isAnswered = false;
    const response = session.call(a, "poll", { ms: 1 });
    void response.then(() => {
      isAnswered = true;
    });
    await new Promise(setImmediate);
    expect(isAnswered).toBe(false);
    keep();
    expect((await readAllEvents(await response)).every(({ id }) => id !== undefined)).toBe(true);
  });

  test("waits for the store before its client is sent to another process, and loses nothing", async () => {
    let isGone = false;
    const append: Store["append"] = (...args) =>
      isGone ? Promise.reject(new Error("connect ECONNREFUSED")) : store.append(...args);
    const [a, b] = (await start(2, "web", {}, replacedStore(store, { append }))) as [
      ServingProcess,
      ServingProcess,
    ];
    const session = await new RoamingSession().open(a);
    const before = await readAllEvents(await session.call(a, "poll", { ms: 1 }));
    const { polled } = Notebook;
    const call = await session.call(a, "poll", { ms: 100 });
    const early = await readAllEvents(call);
    isGone = true;
    await eventually(() => expect(Notebook.polled).toBeGreaterThan(polled));
    const resumed = await session.get(b, early.at(-1)?.id);
    isGone = false;
    const rest = await readAllEvents(resumed);
    expect(rest.map(summarizeEvent).at(-1)).toBe("Worth the wait.");
    expect(before.length).toBe(3);
  });
});

function answer(text: string): string {
  return JSON.stringify({ jsonrpc: "2.0", id: 2, result: { content: [{ type: "text", text }] } });
}
