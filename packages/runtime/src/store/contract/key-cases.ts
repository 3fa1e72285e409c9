import assert from "node:assert/strict";
import { type CaseTable, waitUntil, LONG_MS } from "./case.js";

const TEXTS: Record<string, string> = {
  empty: "",
  spaces: " \t\r\n ",
  controls: "\0\u0001\u007f",
  "several languages": "Straße, 日本語, עברית, ไทย",
  "characters of four bytes": "👩‍👩‍👧‍👦 𝄞 🏴‍☠️",
  json: JSON.stringify({ text: '"\\\ud83d', list: [1, null] }),
  colons: ":1:2",
  "a megabyte": "x".repeat(2 ** 20),
  "a megabyte of many characters": "ü€😀".repeat(2 ** 20 / 9),
};

/** Names that a store must distinguish. */
const NAMES = [
  "a",
  "A",
  " a",
  "a ",
  "a:",
  "a:b",
  "ä",
  "a\u0308",
  "日本",
  "👩‍👩‍👧‍👦",
  "a\nb",
  "a\0b",
  "a*",
  "a?",
  "[a]",
  "{a}",
  "{a}:b",
  "a{b}c",
  "a}b",
  "a{b",
  "{}",
  "{}a",
  "}a{",
  "a%7db",
  "s|a",
  "v|a",
  "%",
  "x".repeat(1000),
];

export const keyCases: CaseTable = {
  "stores and delivers any text unchanged as a value, an entry, and a message": async ({ a, b, name }) => {
    const received: string[] = [];
    await b.subscribe(
      [name("topic")],
      (message) => received.push(message),
      () => {},
    );
    for (const [kind, text] of Object.entries(TEXTS)) {
      await a.set(name(kind), text, { ttlMs: LONG_MS });
      assert.ok((await b.get(name(kind)))?.value === text, `${kind} as a value`);
      await a.append(name(kind), [text, text], { maxBytes: 2 ** 30, ttlMs: LONG_MS });
      const { entries } = await b.read(name(kind), "");
      assert.ok(entries.length === 2 && entries.every(({ value }) => value === text), `${kind} as an entry`);
      await a.publish(name("topic"), text);
    }
    await a.publish(name("topic"), "end");
    await waitUntil("the last message arrives", () => received.at(-1) === "end");
    const texts = Object.values(TEXTS);
    for (const [index, kind] of Object.keys(TEXTS).entries())
      assert.ok(received[index] === texts[index], `${kind} as a message`);
  },

  "distinguishes all names that differ": async ({ a, b, name }) => {
    // Each is also put before the name of the case, since some matter only at the beginning of a name.
    const names = NAMES.flatMap((each) => [name(each), each + name("")]);
    for (const each of names) {
      await a.set(each, `value ${each}`, { ttlMs: LONG_MS });
      await a.append(each, [`entry ${each}`], { maxBytes: 10_000, ttlMs: LONG_MS });
      await a.consume([{ key: each, calls: 1, windowMs: LONG_MS }]);
    }
    for (const each of names) {
      assert.equal((await b.get(each))?.value, `value ${each}`);
      assert.deepEqual(
        (await b.read(each, "")).entries.map(({ value }) => value),
        [`entry ${each}`],
      );
      assert.equal((await b.consume([{ key: each, calls: 2, windowMs: LONG_MS }]))?.index, undefined, each);
      assert.equal((await b.consume([{ key: each, calls: 2, windowMs: LONG_MS }]))?.index, 0, each);
      const lease = await b.lease(`${each} lease`, "holder", LONG_MS);
      assert.notEqual(lease, undefined, each);
      assert.equal(await lease?.renew(), true, each);
    }
  },

  "distinguishes all topics that differ": async ({ a, b, name }) => {
    const received: string[] = [];
    const names = NAMES.flatMap((each) => [name(each), each + name("")]);
    await b.subscribe(
      names,
      (message, topic) => received.push(`${topic}=${message}`),
      () => {},
    );
    for (const each of names) await a.publish(each, each);
    await waitUntil("all messages arrive", () => received.length >= names.length);
    assert.deepEqual(received.sort(), names.map((each) => `${each}=${each}`).sort());
  },

  "separates a value, a stream, and a count of the same name": async ({ a, name }) => {
    const key = name("{tag}:key");
    await a.append(key, ["entry"], { maxBytes: 100, ttlMs: LONG_MS });
    await a.consume([{ key, calls: 1, windowMs: LONG_MS }]);
    assert.equal(await a.get(key), undefined);
    await a.set(key, "value", { ttlMs: LONG_MS });
    await a.delete(key);
    assert.equal((await a.read(key, "")).entries.length, 1);
    assert.equal((await a.consume([{ key, calls: 1, windowMs: LONG_MS }]))?.index, 0);
  },
};
