import assert from "node:assert/strict";
import { type CaseTable, LONG, numbers, outlived, together } from "./case.js";

export const valueCases: CaseTable = {
  "what was set is read, by everybody, with its version": async ({ a, b, name }) => {
    const key = name("key");
    assert.equal(await a.get(key), undefined);
    const version = await a.set(key, "one", { ttlMs: LONG });
    assert.equal(typeof version, "string");
    assert.deepEqual(await b.get(key), { value: "one", version });
    const second = await b.set(key, "two", { ttlMs: LONG });
    assert.notEqual(second, version);
    assert.deepEqual(await a.get(key), { value: "two", version: second });
  },

  "a version never comes back, nor for the same text": async (context) => {
    const { a, b, name } = context;
    const versions = new Set<string | undefined>();
    for (const store of [a, b, a, b]) versions.add(await store.set(name("key"), "same", { ttlMs: LONG }));
    await a.delete(name("key"));
    versions.add(await a.set(name("key"), "same", { ttlMs: 50 }));
    await outlived(context, 100);
    versions.add(await b.set(name("key"), "same", { ttlMs: LONG }));
    assert.equal(versions.size, 6);
    assert.ok(!versions.has(undefined));
  },

  "`ifAbsent` sets only what is not there": async (context) => {
    const { a, b, name } = context;
    const key = name("key");
    assert.notEqual(await a.set(key, "first", { ttlMs: LONG, ifAbsent: true }), undefined);
    assert.equal(await b.set(key, "second", { ttlMs: LONG, ifAbsent: true }), undefined);
    assert.equal((await b.get(key))?.value, "first");
    await b.delete(key);
    assert.notEqual(await b.set(key, "third", { ttlMs: 50, ifAbsent: true }), undefined);
    await outlived(context, 100);
    assert.notEqual(await a.set(key, "fourth", { ttlMs: LONG, ifAbsent: true }), undefined);
    assert.equal((await b.get(key))?.value, "fourth");
  },

  "`ifVersion` sets only what is still the same": async (context) => {
    const { a, b, name } = context;
    const key = name("key");
    assert.equal(await a.set(key, "x", { ttlMs: LONG, ifVersion: "0" }), undefined);
    assert.equal(await a.get(key), undefined);
    const first = (await a.set(key, "first", { ttlMs: LONG })) ?? "";
    const second = (await b.set(key, "second", { ttlMs: LONG, ifVersion: first })) ?? "";
    assert.notEqual(second, "");
    assert.equal(await a.set(key, "late", { ttlMs: LONG, ifVersion: first }), undefined);
    assert.deepEqual(await a.get(key), { value: "second", version: second });
    await a.delete(key);
    assert.equal(await a.set(key, "late", { ttlMs: LONG, ifVersion: second }), undefined);
    const short = (await a.set(key, "short", { ttlMs: 50 })) ?? "";
    await outlived(context, 100);
    assert.equal(await a.set(key, "late", { ttlMs: LONG, ifVersion: short }), undefined);
    assert.equal(await a.get(key), undefined);
  },

  "a version is not taken for another that begins like it": async ({ a, name }) => {
    const version = (await a.set(name("key"), "x", { ttlMs: LONG })) ?? "";
    for (const ifVersion of [version.slice(0, -1), `${version}0`, `${version}:`, "", ":"]) {
      assert.equal(await a.set(name("key"), "y", { ttlMs: LONG, ifVersion }), undefined, ifVersion);
      assert.equal(await a.delete(name("key"), { ifVersion }), false, ifVersion);
    }
    assert.equal((await a.get(name("key")))?.value, "x");
  },

  "of 100 that set what is not there, one does": async (context) => {
    const { a, name } = context;
    const versions = await together(context, 100, (store, index) =>
      store.set(name("key"), String(index), { ttlMs: LONG, ifAbsent: true }),
    );
    const won = numbers(100).filter((index) => versions[index] !== undefined);
    assert.equal(won.length, 1);
    assert.deepEqual(await a.get(name("key")), { value: String(won[0]), version: versions[won[0] ?? -1] });
  },

  "100 that count up by `ifVersion` lose nothing": async (context) => {
    const { a, name } = context;
    await a.set(name("key"), "0", { ttlMs: LONG });
    await together(context, 100, async (store) => {
      for (;;) {
        const { value, version } = (await store.get(name("key"))) ?? { value: "", version: "" };
        const next = String(Number(value) + 1);
        if ((await store.set(name("key"), next, { ttlMs: LONG, ifVersion: version })) !== undefined) return;
      }
    });
    assert.equal((await a.get(name("key")))?.value, "100");
  },

  "`delete` says whether it was there, and had the version": async ({ a, b, name }) => {
    const key = name("key");
    assert.equal(await a.delete(key), false);
    const version = (await a.set(key, "x", { ttlMs: LONG })) ?? "";
    const other = (await a.set(name("other"), "x", { ttlMs: LONG })) ?? "";
    assert.equal(await b.delete(key, { ifVersion: other }), false);
    assert.equal((await a.get(key))?.value, "x");
    assert.equal(await b.delete(key, { ifVersion: version }), true);
    assert.equal(await a.get(key), undefined);
    assert.equal(await a.delete(key, { ifVersion: version }), false);
    await a.set(key, "y", { ttlMs: LONG });
    assert.equal(await a.delete(key), true);
    assert.equal(await b.get(key), undefined);
  },

  "of 100 that delete a key, one does": async (context) => {
    const { a, name } = context;
    await a.set(name("key"), "x", { ttlMs: LONG });
    const deleted = await together(context, 100, (store) => store.delete(name("key")));
    assert.equal(deleted.filter(Boolean).length, 1);
  },

  "a value ends with its time to live, each time counted anew": async (context) => {
    const { a, b, name } = context;
    await a.set(name("short"), "x", { ttlMs: 50 });
    await a.set(name("long"), "x", { ttlMs: 50 });
    await a.set(name("long"), "y", { ttlMs: LONG });
    const version = (await a.set(name("shortened"), "x", { ttlMs: LONG })) ?? "";
    await a.set(name("shortened"), "y", { ttlMs: 50, ifVersion: version });
    await outlived(context, 200);
    assert.equal(await b.get(name("short")), undefined);
    assert.equal(await b.get(name("shortened")), undefined);
    assert.equal((await b.get(name("long")))?.value, "y");
  },
};
