import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { type CaseTable, waitUntil, LONG_MS, range, runConcurrently } from "./case.js";

/** The maximum drift between the clocks of two machines within a case, in milliseconds. */
const MAX_DRIFT_MS = 2;

export const countCases: CaseTable = {
  "allows as many calls as the limit, then returns the time to wait": async ({ a, b, name }) => {
    const use = { key: name("key"), calls: 3, windowMs: LONG_MS };
    for (const store of [a, b, a]) assert.equal((await store.consume([use]))?.index, undefined);
    for (const store of [a, b]) {
      const exceeded = await store.consume([use]);
      assert.equal(exceeded?.index, 0);
      assert.ok(exceeded.retryAfterMs > 0 && exceeded.retryAfterMs <= LONG_MS, String(exceeded.retryAfterMs));
    }
    assert.equal((await a.consume([{ ...use, key: name("other") }]))?.index, undefined);
    assert.equal((await a.consume([]))?.index, undefined);
  },

  "counts a call toward none of several limits if one of them is exceeded": async ({ a, b, name }) => {
    const wide = { key: name("{caller}:wide"), calls: 3, windowMs: LONG_MS };
    const narrow = { key: name("{caller}:narrow"), calls: 1, windowMs: LONG_MS / 2 };
    assert.equal((await a.consume([wide, narrow]))?.index, undefined);
    for (const store of [a, b, a, b]) assert.equal((await store.consume([wide, narrow]))?.index, 1);
    for (const store of [a, b]) assert.equal((await store.consume([wide]))?.index, undefined);
    assert.equal((await a.consume([wide]))?.index, 0);
    assert.equal((await a.consume([narrow, wide]))?.index, 1, "the limit with the longest wait");
  },

  "allows exactly as many of 100 concurrent calls as the limit": async (context) => {
    for (const calls of [1, 10, 16, 17, 40, 99]) {
      const use = { key: context.name(String(calls)), calls, windowMs: LONG_MS };
      const results = await runConcurrently(context, 100, (store) => store.consume([use]));
      assert.equal(results.filter((exceeded) => exceeded === undefined).length, calls);
    }
  },

  "allows calls again after earlier ones have left the window": async ({ a, name }) => {
    const use = { key: name("key"), calls: 1, windowMs: 50 };
    for (const _ of range(3))
      await waitUntil("another call is allowed", async () => (await a.consume([use])) === undefined);
  },

  "allows no more calls than the limit in any window, wherever it begins": async ({ a, b, name }) => {
    for (const calls of [3, 20]) {
      const windowMs = 150;
      const use = { key: name(String(calls)), calls, windowMs };
      const passed: { sentAt: number; receivedAt: number }[] = [];
      for (let index = 0; passed.length < 4 * calls; index += 1) {
        const sentAt = performance.now();
        const exceeded = await (index % 2 === 0 ? a : b).consume([use]);
        if (exceeded === undefined) passed.push({ sentAt, receivedAt: performance.now() });
        else await pause(Math.random() * 5);
      }
      // Each call was counted between its two times. With too many in a window, these would be closer.
      for (const [index, { sentAt }] of passed.entries()) {
        const next = passed[index + calls];
        if (next === undefined) break;
        const apart = next.receivedAt - sentAt;
        assert.ok(
          apart >= windowMs - MAX_DRIFT_MS,
          `${calls + 1} calls within ${apart} ms; ${calls} are allowed`,
        );
      }
    }
  },
};
