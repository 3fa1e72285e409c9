import assert from "node:assert/strict";
import type { AppendOptions } from "../../api/store.js";
import { type CaseTable, LONG, numbers } from "./case.js";

const KEEP: AppendOptions = { maxBytes: 2 ** 20, ttlMs: LONG };

export const waitingCases: CaseTable = {
  "a reader that waits has the next entry, whoever appends it": async ({ a, b, name }) => {
    for (const [index, writer] of [a, b, a, b].entries()) {
      const stream = name(`stream ${index}`);
      const [id = ""] = await a.append(stream, ["known"], KEEP);
      const reading = a.read(stream, id, { waitMs: LONG });
      await writer.append(stream, ["next"], KEEP);
      const { entries, gap } = await reading;
      assert.deepEqual([entries.map(({ value }) => value), gap], [["next"], false]);
    }
  },

  "readers wait at a stream that is not there yet": async ({ a, b, name }) => {
    const reading = Promise.all([a, b].map((store) => store.read(name("stream"), "", { waitMs: LONG })));
    await a.append(name("stream"), ["first"], KEEP);
    for (const { entries, gap } of await reading)
      assert.deepEqual([entries.map(({ value }) => value), gap], [["first"], false]);
  },

  "who reads on and on misses nothing": async ({ a, b, name }) => {
    const stream = name("stream");
    const found: string[] = [];
    const reading = (async () => {
      for (let after = ""; found.at(-1) !== "199";) {
        const { entries, gap } = await b.read(stream, after, { waitMs: LONG });
        assert.equal(gap, false);
        found.push(...entries.map(({ value }) => value));
        after = entries.at(-1)?.id ?? after;
      }
    })();
    for (const index of numbers(200)) await a.append(stream, [String(index)], KEEP);
    await reading;
    assert.deepEqual(found, numbers(200).map(String));
  },

  "what is there, and what is missing, is waited for by nobody": async ({ a, name }) => {
    const options = { maxBytes: 1, ttlMs: LONG };
    const [first = ""] = await a.append(name("stream"), ["one"], options);
    await a.append(name("stream"), ["two"], options);
    await a.append(name("stream"), ["three"], options);
    assert.equal((await a.read(name("stream"), "", { waitMs: LONG })).entries.length, 1);
    assert.equal((await a.read(name("stream"), first, { waitMs: LONG })).gap, true);
    assert.equal((await a.read(name("none"), first, { waitMs: LONG })).gap, true);
  },

  "a reader stops when the time is over, or it is told to": async ({ a, name }) => {
    const nothing = { entries: [], gap: false };
    assert.deepEqual(await a.read(name("stream"), "", { waitMs: 20 }), nothing);
    const before = AbortSignal.abort();
    assert.deepEqual(await a.read(name("stream"), "", { waitMs: LONG, signal: before }), nothing);
    const stop = new AbortController();
    const reading = a.read(name("stream"), "", { waitMs: LONG, signal: stop.signal });
    stop.abort();
    assert.deepEqual(await reading, nothing);
  },

  "500 readers of as many streams wait, and each has its own": async ({ a, b, name }) => {
    const streams = numbers(500).map((index) => name(`stream ${index}`));
    const reading = streams.map((stream) => b.read(stream, "", { waitMs: LONG }));
    await Promise.all(streams.map((stream) => a.append(stream, [stream], KEEP)));
    const found = await Promise.all(reading);
    assert.deepEqual(
      found.map(({ entries }) => entries.map(({ value }) => value)),
      streams.map((stream) => [stream]),
    );
  },

  "closing ends what waits": async ({ a, name }) => {
    const reading = numbers(3).map((index) => a.read(name(`stream ${index}`), "", { waitMs: LONG }));
    await a.close();
    for (const result of await Promise.allSettled(reading)) {
      if (result.status === "fulfilled") assert.deepEqual(result.value, { entries: [], gap: false });
    }
  },
};
