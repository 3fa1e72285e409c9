import assert from "node:assert/strict";
import { type CaseTable, LONG_MS, range, waitForExpiry, runConcurrently } from "./case.js";

export const valueCases: CaseTable = {
  "every store reads a value that was set, with its version": async ({ a, b, name }) => {
    const key = name("key");
    assert.equal(await a.get(key), undefined);
    const version = await a.set(key, "one", { ttlMs: LONG_MS });
    assert.equal(typeof version, "string");
    assert.deepEqual(await b.get(key), { value: "one", version });
    const second = await b.set(key, "two", { ttlMs: LONG_MS });
    assert.notEqual(second, version);
    assert.deepEqual(await a.get(key), { value: "two", version: second });
  },

  "a version is never reused, even for the same value": async (context) => {
    const { a, b, name } = context;
    const versions = new Set<string | undefined>();
    for (const store of [a, b, a, b]) versions.add(await store.set(name("key"), "same", { ttlMs: LONG_MS }));
    await a.delete(name("key"));
    versions.add(await a.set(name("key"), "same", { ttlMs: 50 }));
    await waitForExpiry(context, 100);
    versions.add(await b.set(name("key"), "same", { ttlMs: LONG_MS }));
    assert.equal(versions.size, 6);
    assert.ok(!versions.has(undefined));
  },

  "`ifAbsent` sets only a key without a value": async (context) => {
    const { a, b, name } = context;
    const key = name("key");
    assert.notEqual(await a.set(key, "first", { ttlMs: LONG_MS, ifAbsent: true }), undefined);
    assert.equal(await b.set(key, "second", { ttlMs: LONG_MS, ifAbsent: true }), undefined);
    assert.equal((await b.get(key))?.value, "first");
    await b.delete(key);
    assert.notEqual(await b.set(key, "third", { ttlMs: 50, ifAbsent: true }), undefined);
    await waitForExpiry(context, 100);
    assert.notEqual(await a.set(key, "fourth", { ttlMs: LONG_MS, ifAbsent: true }), undefined);
    assert.equal((await b.get(key))?.value, "fourth");
  },

  "`ifVersion` sets only a value that has not changed": async (context) => {
    const { a, b, name } = context;
    const key = name("key");
    assert.equal(await a.set(key, "x", { ttlMs: LONG_MS, ifVersion: "0" }), undefined);
    assert.equal(await a.get(key), undefined);
    const first = (await a.set(key, "first", { ttlMs: LONG_MS })) ?? "";
    const second = (await b.set(key, "second", { ttlMs: LONG_MS, ifVersion: first })) ?? "";
    assert.notEqual(second, "");
    assert.equal(await a.set(key, "late", { ttlMs: LONG_MS, ifVersion: first }), undefined);
    assert.deepEqual(await a.get(key), { value: "second", version: second });
    await a.delete(key);
    assert.equal(await a.set(key, "late", { ttlMs: LONG_MS, ifVersion: second }), undefined);
    const short = (await a.set(key, "short", { ttlMs: 50 })) ?? "";
    await waitForExpiry(context, 100);
    assert.equal(await a.set(key, "late", { ttlMs: LONG_MS, ifVersion: short }), undefined);
    assert.equal(await a.get(key), undefined);
  },

  "a version is not confused with a longer or shorter one": async ({ a, name }) => {
    const version = (await a.set(name("key"), "x", { ttlMs: LONG_MS })) ?? "";
    for (const ifVersion of [version.slice(0, -1), `${version}0`, `${version}:`, "", ":"]) {
      assert.equal(await a.set(name("key"), "y", { ttlMs: LONG_MS, ifVersion }), undefined, ifVersion);
      assert.equal(await a.delete(name("key"), { ifVersion }), false, ifVersion);
    }
    assert.equal((await a.get(name("key")))?.value, "x");
  },

  "one of 100 concurrent calls with `ifAbsent` sets a value": async (context) => {
    const { a, name } = context;
    const versions = await runConcurrently(context, 100, (store, index) =>
      store.set(name("key"), String(index), { ttlMs: LONG_MS, ifAbsent: true }),
    );
    const won = range(100).filter((index) => versions[index] !== undefined);
    assert.equal(won.length, 1);
    assert.deepEqual(await a.get(name("key")), { value: String(won[0]), version: versions[won[0] ?? -1] });
  },

  "100 concurrent increments with `ifVersion` lose nothing": async (context) => {
    const { a, name } = context;
    await a.set(name("key"), "0", { ttlMs: LONG_MS });
    await runConcurrently(context, 100, async (store) => {
      for (;;) {
        const { value, version } = (await store.get(name("key"))) ?? { value: "", version: "" };
        const next = String(Number(value) + 1);
        if ((await store.set(name("key"), next, { ttlMs: LONG_MS, ifVersion: version })) !== undefined)
          return;
      }
    });
    assert.equal((await a.get(name("key")))?.value, "100");
  },

  "`delete` returns whether the value existed and had the version": async ({ a, b, name }) => {
    const key = name("key");
    assert.equal(await a.delete(key), false);
    const version = (await a.set(key, "x", { ttlMs: LONG_MS })) ?? "";
    const other = (await a.set(name("other"), "x", { ttlMs: LONG_MS })) ?? "";
    assert.equal(await b.delete(key, { ifVersion: other }), false);
    assert.equal((await a.get(key))?.value, "x");
    assert.equal(await b.delete(key, { ifVersion: version }), true);
    assert.equal(await a.get(key), undefined);
    assert.equal(await a.delete(key, { ifVersion: version }), false);
    await a.set(key, "y", { ttlMs: LONG_MS });
    assert.equal(await a.delete(key), true);
    assert.equal(await b.get(key), undefined);
  },

  "one of 100 concurrent calls deletes a key": async (context) => {
    const { a, name } = context;
    await a.set(name("key"), "x", { ttlMs: LONG_MS });
    const deleted = await runConcurrently(context, 100, (store) => store.delete(name("key")));
    assert.equal(deleted.filter(Boolean).length, 1);
  },

  "a value expires after the time to live of the latest `set`": async (context) => {
    const { a, b, name } = context;
    await a.set(name("short"), "x", { ttlMs: 50 });
    await a.set(name("long"), "x", { ttlMs: 50 });
    await a.set(name("long"), "y", { ttlMs: LONG_MS });
    const version = (await a.set(name("shortened"), "x", { ttlMs: LONG_MS })) ?? "";
    await a.set(name("shortened"), "y", { ttlMs: 50, ifVersion: version });
    await waitForExpiry(context, 200);
    assert.equal(await b.get(name("short")), undefined);
    assert.equal(await b.get(name("shortened")), undefined);
    assert.equal((await b.get(name("long")))?.value, "y");
  },
};
