import assert from "node:assert/strict";
import type { AppendOptions, StreamPart } from "../../api/store.js";
import { type CaseTable, LONG_MS, range, waitForExpiry, runConcurrently } from "./case.js";

const KEEP: AppendOptions = { maxBytes: 2 ** 30, ttlMs: LONG_MS };

export const streamCases: CaseTable = {
  "returns entries in the order of appends, with the IDs that `append` returned": async ({ a, b, name }) => {
    const stream = name("stream");
    assert.deepEqual(await a.read(stream, ""), { entries: [], missed: false });
    const first = await a.append(stream, ["one", "two"], KEEP);
    const second = await b.append(stream, ["three"], KEEP);
    const ids = [...first, ...second];
    assert.equal(ids.length, 3);
    for (const id of ids) assert.match(id, /^[\d-]+$/);
    const all = ["one", "two", "three"].map((value, index) => ({ id: ids[index], value }));
    assert.deepEqual(await a.read(stream, ""), { entries: all, missed: false });
    assert.deepEqual(await b.read(stream, ids[0] ?? ""), { entries: all.slice(1), missed: false });
    assert.deepEqual(await b.read(stream, ids[2] ?? ""), { entries: [], missed: false });
    assert.deepEqual(await b.read(stream, "", { limit: 2 }), { entries: all.slice(0, 2), missed: false });
  },

  "returns a long stream in parts": async ({ a, b, name }) => {
    const values = range(2500).map(String);
    await a.append(name("stream"), values, KEEP);
    const found: string[] = [];
    for (let after = ""; ;) {
      const { entries, missed } = await b.read(name("stream"), after, { limit: 999 });
      assert.equal(missed, false);
      assert.ok(entries.length <= 999);
      if (entries.length === 0) break;
      found.push(...entries.map(({ value }) => value));
      after = entries.at(-1)?.id ?? "";
    }
    assert.deepEqual(found, values);
    assert.equal((await a.read(name("stream"), "")).entries.length, 1000);
  },

  "loses none of 100 concurrent appends, and keeps the values of each together": async (context) => {
    const { a, name } = context;
    const appended = await runConcurrently(context, 100, (store, index) =>
      store.append(name("stream"), [`${index}.0`, `${index}.1`, `${index}.2`], KEEP),
    );
    const { entries } = await a.read(name("stream"), "");
    assert.equal(entries.length, 300);
    assert.equal(new Set(entries.map(({ id }) => id)).size, 300);
    for (const [position, { id, value }] of entries.entries()) {
      const [index, part] = value.split(".").map(Number);
      assert.equal(part, position % 3, "the values of one append are consecutive");
      assert.equal(appended[index ?? -1]?.[part ?? -1], id);
    }
    // A reader at any position continues without a gap.
    for (const position of [0, 1, 150, 298]) {
      const { entries: rest, missed } = await a.read(name("stream"), entries[position]?.id ?? "");
      assert.equal(missed, false);
      assert.deepEqual(rest, entries.slice(position + 1));
    }
  },

  "stays empty after an append without values": async ({ a, name }) => {
    assert.deepEqual(await a.append(name("stream"), [], KEEP), []);
    assert.deepEqual(await a.read(name("stream"), ""), { entries: [], missed: false });
  },

  "removes the oldest entries above `maxBytes`, and reports `missed` to readers that had not read them":
    async ({ a, b, name }) => {
      const stream = name("stream");
      const options = { maxBytes: 100, ttlMs: LONG_MS };
      const ids: string[] = [];
      for (const index of range(50))
        ids.push(...(await a.append(stream, [String(index).padEnd(10)], options)));
      const stored = (await b.read(stream, "")).entries;
      assert.ok(
        stored.length > 0 && stored.length <= 10,
        `${stored.length} entries of 10 bytes are stored within 100 bytes`,
      );
      assert.deepEqual(
        stored.map(({ id }) => id),
        ids.slice(-stored.length),
      );
      assert.equal((await b.read(stream, "")).missed, false, "a reader from the beginning misses nothing");
      const lost = ids.length - stored.length;
      for (const [index, after] of ids.entries()) {
        const { entries, missed } = await b.read(stream, after);
        assert.equal(missed, index < lost - 1, `entry ${index}, if ${lost} entries are lost`);
        if (!missed) assert.deepEqual(entries, stored.slice(index - lost + 1));
      }
    },

  "counts at least the UTF-8 bytes of entries": async ({ a, name }) => {
    for (const index of range(20))
      await a.append(name("stream"), ["ü€😀".repeat(10) + index], { maxBytes: 500, ttlMs: LONG_MS });
    const { entries } = await a.read(name("stream"), "");
    const bytes = entries.reduce((sum, { value }) => sum + Buffer.byteLength(value), 0);
    assert.ok(bytes <= 500, `${bytes} bytes are stored; 500 are allowed`);
    assert.ok(entries.length >= 1);
  },

  "stores the latest append, however large": async ({ a, name }) => {
    const options = { maxBytes: 10, ttlMs: LONG_MS };
    const [before] = await a.append(name("stream"), ["before"], options);
    await a.append(name("stream"), ["large ".repeat(100), "larger ".repeat(100)], options);
    const part = await a.read(name("stream"), before ?? "");
    assert.equal(part.entries.length, 2);
    assert.equal(part.missed, false);
    assert.equal((await a.read(name("stream"), "")).entries.length, 2);
  },

  "reports `missed` for an ID that it has not returned": async ({ a, name }) => {
    const [id] = await a.append(name("stream"), ["entry"], KEEP);
    await a.append(name("other"), ["entry"], KEEP);
    const read = (stream: string, after = ""): Promise<StreamPart> => a.read(name(stream), after);
    assert.equal((await read("stream", id)).missed, false);
    assert.equal((await read("none", id)).missed, true, "an ID of a stream that does not exist");
    let latest: string | undefined;
    for (const value of ["one", "two", "three"]) [latest] = await a.append(name("stream"), [value], KEEP);
    assert.equal((await read("other", latest)).missed, true, "an ID that is later than all entries");
    for (const text of ["x", "-", "1-2-3", "9".repeat(30), "-1", "0x10", "１", "{", " "])
      assert.equal((await read("stream", text)).missed, true, JSON.stringify(text));
  },

  "expires with the time to live of its last append, and then reports `missed`": async (context) => {
    const { a, b, name } = context;
    const short = { maxBytes: 1000, ttlMs: 50 };
    const [id = ""] = await a.append(name("stream"), ["first"], short);
    const [last = ""] = await a.append(name("stream"), ["never read"], short);
    // Retried with a longer time to live, since a slow machine may take too long to append twice.
    let ttlMs = 50;
    const longStream = (): string => name(`kept ${ttlMs}`);
    const appendTwice = async (): Promise<number> => {
      await a.append(longStream(), ["first"], { maxBytes: 1000, ttlMs });
      await a.append(longStream(), ["second"], KEEP);
      return (await a.read(longStream(), "")).entries.length;
    };
    while ((await appendTwice()) < 2 && ttlMs < LONG_MS) ttlMs *= 2;
    await waitForExpiry(context, 2 * ttlMs);
    assert.equal((await b.read(longStream(), "")).entries.length, 2);
    assert.deepEqual(await b.read(name("stream"), ""), { entries: [], missed: false });
    assert.equal((await b.read(name("stream"), id)).missed, true);
    assert.equal((await b.read(name("stream"), last)).missed, true);
    const again = await b.append(name("stream"), ["second life"], KEEP);
    assert.ok(!again.includes(id) && !again.includes(last), "IDs are not reused");
    assert.equal((await a.read(name("stream"), id)).missed, true);
    assert.equal((await a.read(name("stream"), "")).missed, false);
    assert.equal((await a.read(name("stream"), again[0] ?? "")).missed, false);
  },
};
