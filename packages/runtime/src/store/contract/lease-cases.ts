import assert from "node:assert/strict";
import { type CaseTable, LONG, numbers, outlived, together } from "./case.js";

export const leaseCases: CaseTable = {
  "one alone holds it, and all see who": async ({ a, b, name }) => {
    const lease = await a.lease(name("key"), "ada", LONG);
    assert.ok(lease !== undefined);
    assert.ok(Number.isSafeInteger(lease.fence));
    assert.equal(await b.lease(name("key"), "bob", LONG), undefined);
    assert.equal((await b.get(name("key")))?.value, "ada");
    assert.equal(await lease.renew(), true);
    assert.equal(await lease.renew(), true);
    await lease.release();
    assert.equal(await b.get(name("key")), undefined);
    assert.equal(await lease.renew(), false);
    assert.ok((await b.lease(name("key"), "bob", LONG)) !== undefined);
    await lease.release();
    assert.equal((await a.get(name("key")))?.value, "bob", "who has lost it cannot give it up");
  },

  "of 100 at once, one has it": async (context) => {
    const leases = await together(context, 100, (store, index) =>
      store.lease(context.name("key"), String(index), LONG),
    );
    const held = numbers(100).filter((index) => leases[index] !== undefined);
    assert.equal(held.length, 1);
    assert.equal((await context.b.get(context.name("key")))?.value, String(held[0]));
  },

  "it ends with its time, and who has lost it learns that": async (context) => {
    const { a, b, name } = context;
    const first = await a.lease(name("key"), "ada", 50);
    await outlived(context, 100);
    assert.equal(await b.get(name("key")), undefined);
    assert.equal(await first?.renew(), false, "what is over is not begun again");
    assert.equal(await b.get(name("key")), undefined);
    const second = await b.lease(name("key"), "bob", LONG);
    assert.equal(await first?.renew(), false);
    await first?.release();
    assert.equal((await a.get(name("key")))?.value, "bob");
    assert.equal(await second?.renew(), true);
  },

  "renewing holds it on": async (context) => {
    // However slow a machine is, there is a time within which it renews.
    for (let ttlMs = 200; ttlMs < LONG; ttlMs *= 2) {
      let sentAt = performance.now();
      const lease = await context.a.lease(context.name(`key ${ttlMs}`), "ada", ttlMs);
      let renewed = 0;
      for (; renewed < 8; renewed += 1) {
        await outlived(context, ttlMs / 4);
        const lastSentAt = sentAt;
        sentAt = performance.now();
        const isHeld = await lease?.renew();
        if (isHeld !== true && performance.now() - lastSentAt >= ttlMs) break;
        assert.equal(isHeld, true);
      }
      if (renewed === 8) return;
    }
    assert.fail("no lease could be renewed in time");
  },

  "each fence is greater than all before, however the lease before ended": async (context) => {
    const { a, b, name } = context;
    const fences: number[] = [];
    const key = name("key");
    for (const index of numbers(20)) {
      const lease = await (index % 2 === 0 ? a : b).lease(key, "holder", index % 5 === 0 ? 20 : LONG);
      assert.ok(lease !== undefined);
      fences.push(lease.fence);
      if (index % 5 === 0) await outlived(context, 50);
      else if (index % 5 === 1) await a.delete(key);
      else await lease.release();
    }
    assert.deepEqual(
      fences,
      [...new Set(fences)].sort((one, other) => one - other),
    );
  },

  "what was set is nobody's lease, and a lease that was overwritten is lost": async ({ a, b, name }) => {
    await a.set(name("set"), "x", { ttlMs: LONG });
    assert.equal(await a.lease(name("set"), "ada", LONG), undefined);
    const lease = await a.lease(name("key"), "ada", LONG);
    await b.set(name("key"), "mine", { ttlMs: LONG });
    assert.equal(await lease?.renew(), false);
    await lease?.release();
    assert.equal((await a.get(name("key")))?.value, "mine");
  },
};
