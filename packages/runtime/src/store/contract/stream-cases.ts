import assert from "node:assert/strict";
import type { AppendOptions, StreamPart } from "../../api/store.js";
import { type CaseTable, LONG, numbers, outlived, together } from "./case.js";

const KEEP: AppendOptions = { maxBytes: 2 ** 30, ttlMs: LONG };

export const streamCases: CaseTable = {
  "entries are read in the order in which they came, with the ids that were given": async ({
    a,
    b,
    name,
  }) => {
    const stream = name("stream");
    assert.deepEqual(await a.read(stream, ""), { entries: [], gap: false });
    const first = await a.append(stream, ["one", "two"], KEEP);
    const second = await b.append(stream, ["three"], KEEP);
    const ids = [...first, ...second];
    assert.equal(ids.length, 3);
    for (const id of ids) assert.match(id, /^[\d-]+$/);
    const all = ["one", "two", "three"].map((value, index) => ({ id: ids[index], value }));
    assert.deepEqual(await a.read(stream, ""), { entries: all, gap: false });
    assert.deepEqual(await b.read(stream, ids[0] ?? ""), { entries: all.slice(1), gap: false });
    assert.deepEqual(await b.read(stream, ids[2] ?? ""), { entries: [], gap: false });
    assert.deepEqual(await b.read(stream, "", { limit: 2 }), { entries: all.slice(0, 2), gap: false });
  },

  "a long stream is read in parts": async ({ a, b, name }) => {
    const values = numbers(2500).map(String);
    await a.append(name("stream"), values, KEEP);
    const found: string[] = [];
    for (let after = ""; ;) {
      const { entries, gap } = await b.read(name("stream"), after, { limit: 999 });
      assert.equal(gap, false);
      assert.ok(entries.length <= 999);
      if (entries.length === 0) break;
      found.push(...entries.map(({ value }) => value));
      after = entries.at(-1)?.id ?? "";
    }
    assert.deepEqual(found, values);
    assert.equal((await a.read(name("stream"), "")).entries.length, 1000);
  },

  "100 that append at once lose nothing, and each append stays together": async (context) => {
    const { a, name } = context;
    const given = await together(context, 100, (store, index) =>
      store.append(name("stream"), [`${index}.0`, `${index}.1`, `${index}.2`], KEEP),
    );
    const { entries } = await a.read(name("stream"), "");
    assert.equal(entries.length, 300);
    assert.equal(new Set(entries.map(({ id }) => id)).size, 300);
    for (const [position, { id, value }] of entries.entries()) {
      const [index, part] = value.split(".").map(Number);
      assert.equal(part, position % 3, "the values of one append stand together");
      assert.equal(given[index ?? -1]?.[part ?? -1], id);
    }
    // Whoever has read so far reads on without a gap, wherever that is.
    for (const position of [0, 1, 150, 298]) {
      const { entries: rest, gap } = await a.read(name("stream"), entries[position]?.id ?? "");
      assert.equal(gap, false);
      assert.deepEqual(rest, entries.slice(position + 1));
    }
  },

  "nothing appended is nothing": async ({ a, name }) => {
    assert.deepEqual(await a.append(name("stream"), [], KEEP), []);
    assert.deepEqual(await a.read(name("stream"), ""), { entries: [], gap: false });
  },

  "the oldest entries go when there are too many bytes, and whoever has not read them is told": async ({
    a,
    b,
    name,
  }) => {
    const stream = name("stream");
    const options = { maxBytes: 100, ttlMs: LONG };
    const ids: string[] = [];
    for (const index of numbers(50))
      ids.push(...(await a.append(stream, [String(index).padEnd(10)], options)));
    const kept = (await b.read(stream, "")).entries;
    assert.ok(kept.length > 0 && kept.length <= 10, `${kept.length} entries of 10 bytes are kept in 100`);
    assert.deepEqual(
      kept.map(({ id }) => id),
      ids.slice(-kept.length),
    );
    assert.equal((await b.read(stream, "")).gap, false, "who knows nothing misses nothing");
    const lost = ids.length - kept.length;
    for (const [index, after] of ids.entries()) {
      const { entries, gap } = await b.read(stream, after);
      assert.equal(gap, index < lost - 1, `entry ${index} of which ${lost} are lost`);
      if (!gap) assert.deepEqual(entries, kept.slice(index - lost + 1));
    }
  },

  "bytes are those of the text in UTF-8, or fewer": async ({ a, name }) => {
    for (const index of numbers(20))
      await a.append(name("stream"), ["ü€😀".repeat(10) + index], { maxBytes: 500, ttlMs: LONG });
    const { entries } = await a.read(name("stream"), "");
    const bytes = entries.reduce((sum, { value }) => sum + Buffer.byteLength(value), 0);
    assert.ok(bytes <= 500, `${bytes} bytes are kept where 500 may be`);
    assert.ok(entries.length >= 1);
  },

  "the latest append is kept, however large": async ({ a, name }) => {
    const options = { maxBytes: 10, ttlMs: LONG };
    const [before] = await a.append(name("stream"), ["before"], options);
    await a.append(name("stream"), ["large ".repeat(100), "larger ".repeat(100)], options);
    const part = await a.read(name("stream"), before ?? "");
    assert.equal(part.entries.length, 2);
    assert.equal(part.gap, false);
    assert.equal((await a.read(name("stream"), "")).entries.length, 2);
  },

  "what nobody was given is a gap": async ({ a, name }) => {
    const [id] = await a.append(name("stream"), ["entry"], KEEP);
    await a.append(name("other"), ["entry"], KEEP);
    const read = (stream: string, after = ""): Promise<StreamPart> => a.read(name(stream), after);
    assert.equal((await read("stream", id)).gap, false);
    assert.equal((await read("none", id)).gap, true, "an id of a stream that is not there");
    let latest: string | undefined;
    for (const value of ["one", "two", "three"]) [latest] = await a.append(name("stream"), [value], KEEP);
    assert.equal((await read("other", latest)).gap, true, "an id that is later than all");
    for (const text of ["x", "-", "1-2-3", "9".repeat(30), "-1", "0x10", "１", "{", " "])
      assert.equal((await read("stream", text)).gap, true, JSON.stringify(text));
  },

  "a stream ends with the time to live of its last append, and what it was is a gap": async (context) => {
    const { a, b, name } = context;
    const short = { maxBytes: 1000, ttlMs: 50 };
    const [id = ""] = await a.append(name("stream"), ["first"], short);
    const [last = ""] = await a.append(name("stream"), ["never read"], short);
    // However slow a machine is, there is a time within which it appends twice.
    let ttlMs = 50;
    const kept = (): string => name(`kept ${ttlMs}`);
    const appendTwice = async (): Promise<number> => {
      await a.append(kept(), ["first"], { maxBytes: 1000, ttlMs });
      await a.append(kept(), ["second"], KEEP);
      return (await a.read(kept(), "")).entries.length;
    };
    while ((await appendTwice()) < 2 && ttlMs < LONG) ttlMs *= 2;
    await outlived(context, 2 * ttlMs);
    assert.equal((await b.read(kept(), "")).entries.length, 2);
    assert.deepEqual(await b.read(name("stream"), ""), { entries: [], gap: false });
    assert.equal((await b.read(name("stream"), id)).gap, true);
    assert.equal((await b.read(name("stream"), last)).gap, true);
    const again = await b.append(name("stream"), ["second life"], KEEP);
    assert.ok(!again.includes(id) && !again.includes(last), "ids are not given again");
    assert.equal((await a.read(name("stream"), id)).gap, true);
    assert.equal((await a.read(name("stream"), "")).gap, false);
    assert.equal((await a.read(name("stream"), again[0] ?? "")).gap, false);
  },
};
