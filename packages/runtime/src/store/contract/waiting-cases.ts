import assert from "node:assert/strict";
import type { AppendOptions } from "../../api/store.js";
import { type CaseTable, LONG_MS, range } from "./case.js";

const KEEP: AppendOptions = { maxBytes: 2 ** 20, ttlMs: LONG_MS };

export const waitingCases: CaseTable = {
  "a waiting reader receives the next entry, whichever store appends it": async ({ a, b, name }) => {
    for (const [index, writer] of [a, b, a, b].entries()) {
      const stream = name(`stream ${index}`);
      const [id = ""] = await a.append(stream, ["known"], KEEP);
      const reading = a.read(stream, id, { waitMs: LONG_MS });
      await writer.append(stream, ["next"], KEEP);
      const { entries, missed } = await reading;
      assert.deepEqual([entries.map(({ value }) => value), missed], [["next"], false]);
    }
  },

  "readers wait for a stream that does not exist yet": async ({ a, b, name }) => {
    const reading = Promise.all([a, b].map((store) => store.read(name("stream"), "", { waitMs: LONG_MS })));
    await a.append(name("stream"), ["first"], KEEP);
    for (const { entries, missed } of await reading)
      assert.deepEqual([entries.map(({ value }) => value), missed], [["first"], false]);
  },

  "a reader that continues after each entry misses nothing": async ({ a, b, name }) => {
    const stream = name("stream");
    const found: string[] = [];
    const reading = (async () => {
      for (let after = ""; found.at(-1) !== "199";) {
        const { entries, missed } = await b.read(stream, after, { waitMs: LONG_MS });
        assert.equal(missed, false);
        found.push(...entries.map(({ value }) => value));
        after = entries.at(-1)?.id ?? after;
      }
    })();
    for (const index of range(200)) await a.append(stream, [String(index)], KEEP);
    await reading;
    assert.deepEqual(found, range(200).map(String));
  },

  "`read` returns immediately if there are entries, or if some were missed": async ({ a, name }) => {
    const options = { maxBytes: 1, ttlMs: LONG_MS };
    const [first = ""] = await a.append(name("stream"), ["one"], options);
    await a.append(name("stream"), ["two"], options);
    await a.append(name("stream"), ["three"], options);
    assert.equal((await a.read(name("stream"), "", { waitMs: LONG_MS })).entries.length, 1);
    assert.equal((await a.read(name("stream"), first, { waitMs: LONG_MS })).missed, true);
    assert.equal((await a.read(name("none"), first, { waitMs: LONG_MS })).missed, true);
  },

  "a reader stops when the time has passed, or when it is aborted": async ({ a, name }) => {
    const nothing = { entries: [], missed: false };
    assert.deepEqual(await a.read(name("stream"), "", { waitMs: 20 }), nothing);
    const before = AbortSignal.abort();
    assert.deepEqual(await a.read(name("stream"), "", { waitMs: LONG_MS, signal: before }), nothing);
    const stop = new AbortController();
    const reading = a.read(name("stream"), "", { waitMs: LONG_MS, signal: stop.signal });
    stop.abort();
    assert.deepEqual(await reading, nothing);
  },

  "500 readers wait for different streams, and each receives its own entry": async ({ a, b, name }) => {
    const streams = range(500).map((index) => name(`stream ${index}`));
    const reading = streams.map((stream) => b.read(stream, "", { waitMs: LONG_MS }));
    await Promise.all(streams.map((stream) => a.append(stream, [stream], KEEP)));
    const found = await Promise.all(reading);
    assert.deepEqual(
      found.map(({ entries }) => entries.map(({ value }) => value)),
      streams.map((stream) => [stream]),
    );
  },

  "closing the store ends waiting reads": async ({ a, name }) => {
    const reading = range(3).map((index) => a.read(name(`stream ${index}`), "", { waitMs: LONG_MS }));
    await a.close();
    for (const result of await Promise.allSettled(reading)) {
      if (result.status === "fulfilled") assert.deepEqual(result.value, { entries: [], missed: false });
    }
  },
};
