import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { type CaseTable, eventually, LONG, numbers, together } from "./case.js";

/** How far clocks of two machines drift apart within a case, in milliseconds. */
const DRIFT = 2;

export const countCases: CaseTable = {
  "so many are allowed, and who comes then is told for how long not": async ({ a, b, name }) => {
    const use = { key: name("key"), calls: 3, windowMs: LONG };
    for (const store of [a, b, a]) assert.equal((await store.take([use]))?.index, undefined);
    for (const store of [a, b]) {
      const usedUp = await store.take([use]);
      assert.equal(usedUp?.index, 0);
      assert.ok(usedUp.retryAfterMs > 0 && usedUp.retryAfterMs <= LONG, String(usedUp.retryAfterMs));
    }
    assert.equal((await a.take([{ ...use, key: name("other") }]))?.index, undefined);
    assert.equal((await a.take([]))?.index, undefined);
  },

  "where one of several is used up, none is counted": async ({ a, b, name }) => {
    const wide = { key: name("{caller}:wide"), calls: 3, windowMs: LONG };
    const narrow = { key: name("{caller}:narrow"), calls: 1, windowMs: LONG / 2 };
    assert.equal((await a.take([wide, narrow]))?.index, undefined);
    for (const store of [a, b, a, b]) assert.equal((await store.take([wide, narrow]))?.index, 1);
    for (const store of [a, b]) assert.equal((await store.take([wide]))?.index, undefined);
    assert.equal((await a.take([wide]))?.index, 0);
    assert.equal((await a.take([narrow, wide]))?.index, 1, "the one that takes the longest");
  },

  "of 100 at once, exactly as many pass as are allowed": async (context) => {
    for (const calls of [1, 10, 16, 17, 40, 99]) {
      const use = { key: context.name(String(calls)), calls, windowMs: LONG };
      const results = await together(context, 100, (store) => store.take([use]));
      assert.equal(results.filter((usedUp) => usedUp === undefined).length, calls);
    }
  },

  "what has left the window is allowed again": async ({ a, name }) => {
    const use = { key: name("key"), calls: 1, windowMs: 50 };
    for (const _ of numbers(3))
      await eventually("another is allowed", async () => (await a.take([use])) === undefined);
  },

  "no window holds more than are allowed, wherever it begins": async ({ a, b, name }) => {
    for (const calls of [3, 20]) {
      const windowMs = 150;
      const use = { key: name(String(calls)), calls, windowMs };
      const passed: { asked: number; answered: number }[] = [];
      for (let index = 0; passed.length < 4 * calls; index += 1) {
        const asked = performance.now();
        const usedUp = await (index % 2 === 0 ? a : b).take([use]);
        if (usedUp === undefined) passed.push({ asked, answered: performance.now() });
        else await pause(Math.random() * 5);
      }
      // Each was counted at some time between its two: were there too many in a window, these would be closer.
      for (const [index, { asked }] of passed.entries()) {
        const next = passed[index + calls];
        if (next === undefined) break;
        const apart = next.answered - asked;
        assert.ok(apart >= windowMs - DRIFT, `${calls + 1} calls within ${apart} ms, where ${calls} may be`);
      }
    }
  },
};
