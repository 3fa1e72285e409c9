import assert from "node:assert/strict";
import { type CaseTable, eventually, LONG } from "./case.js";

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

/** Each is another name. */
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
  "any text is a value, an entry and a message as it is": async ({ a, b, name }) => {
    const heard: string[] = [];
    await b.subscribe(
      [name("topic")],
      (message) => heard.push(message),
      () => {},
    );
    for (const [kind, text] of Object.entries(TEXTS)) {
      await a.set(name(kind), text, { ttlMs: LONG });
      assert.ok((await b.get(name(kind)))?.value === text, `${kind} as a value`);
      await a.append(name(kind), [text, text], { maxBytes: 2 ** 30, ttlMs: LONG });
      const { entries } = await b.read(name(kind), "");
      assert.ok(entries.length === 2 && entries.every(({ value }) => value === text), `${kind} as an entry`);
      await a.publish(name("topic"), text);
    }
    await a.publish(name("topic"), "end");
    await eventually("the last message arrives", () => heard.at(-1) === "end");
    const texts = Object.values(TEXTS);
    for (const [index, kind] of Object.keys(TEXTS).entries())
      assert.ok(heard[index] === texts[index], `${kind} as a message`);
  },

  "names that differ at all are different ones": async ({ a, b, name }) => {
    // With what is the same for a case behind them: some are about their beginning.
    const names = NAMES.flatMap((each) => [name(each), each + name("")]);
    for (const each of names) {
      await a.set(each, `value ${each}`, { ttlMs: LONG });
      await a.append(each, [`entry ${each}`], { maxBytes: 10_000, ttlMs: LONG });
      await a.take([{ key: each, calls: 1, windowMs: LONG }]);
    }
    for (const each of names) {
      assert.equal((await b.get(each))?.value, `value ${each}`);
      assert.deepEqual(
        (await b.read(each, "")).entries.map(({ value }) => value),
        [`entry ${each}`],
      );
      assert.equal((await b.take([{ key: each, calls: 2, windowMs: LONG }]))?.index, undefined, each);
      assert.equal((await b.take([{ key: each, calls: 2, windowMs: LONG }]))?.index, 0, each);
      const lease = await b.lease(`${each} lease`, "holder", LONG);
      assert.notEqual(lease, undefined, each);
      assert.equal(await lease?.renew(), true, each);
    }
  },

  "topics that differ at all are different ones": async ({ a, b, name }) => {
    const heard: string[] = [];
    const names = NAMES.flatMap((each) => [name(each), each + name("")]);
    await b.subscribe(
      names,
      (message, topic) => heard.push(`${topic}=${message}`),
      () => {},
    );
    for (const each of names) await a.publish(each, each);
    await eventually("all messages arrive", () => heard.length >= names.length);
    assert.deepEqual(heard.sort(), names.map((each) => `${each}=${each}`).sort());
  },

  "a value, a stream and a count of one name are three": async ({ a, name }) => {
    const key = name("{tag}:key");
    await a.append(key, ["entry"], { maxBytes: 100, ttlMs: LONG });
    await a.take([{ key, calls: 1, windowMs: LONG }]);
    assert.equal(await a.get(key), undefined);
    await a.set(key, "value", { ttlMs: LONG });
    await a.delete(key);
    assert.equal((await a.read(key, "")).entries.length, 1);
    assert.equal((await a.take([{ key, calls: 1, windowMs: LONG }]))?.index, 0);
  },
};
