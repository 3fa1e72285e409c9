import assert from "node:assert/strict";
import { type CaseTable, LONG_MS, range, waitForExpiry, runConcurrently } from "./case.js";

export const leaseCases: CaseTable = {
  "has one holder, which every store reads": async ({ a, b, name }) => {
    const lease = await a.lease(name("key"), "ada", LONG_MS);
    assert.ok(lease !== undefined);
    assert.ok(Number.isSafeInteger(lease.fencingToken));
    assert.equal(await b.lease(name("key"), "bob", LONG_MS), undefined);
    assert.equal((await b.get(name("key")))?.value, "ada");
    assert.equal(await lease.renew(), true);
    assert.equal(await lease.renew(), true);
    await lease.release();
    assert.equal(await b.get(name("key")), undefined);
    assert.equal(await lease.renew(), false);
    assert.ok((await b.lease(name("key"), "bob", LONG_MS)) !== undefined);
    await lease.release();
    assert.equal((await a.get(name("key")))?.value, "bob", "a lost lease cannot be released");
  },

  "is granted to one of 100 concurrent requests": async (context) => {
    const leases = await runConcurrently(context, 100, (store, index) =>
      store.lease(context.name("key"), String(index), LONG_MS),
    );
    const held = range(100).filter((index) => leases[index] !== undefined);
    assert.equal(held.length, 1);
    assert.equal((await context.b.get(context.name("key")))?.value, String(held[0]));
  },

  "expires after its time to live, and can then no longer be renewed": async (context) => {
    const { a, b, name } = context;
    const first = await a.lease(name("key"), "ada", 50);
    await waitForExpiry(context, 100);
    assert.equal(await b.get(name("key")), undefined);
    assert.equal(await first?.renew(), false, "an expired lease is not renewed");
    assert.equal(await b.get(name("key")), undefined);
    const second = await b.lease(name("key"), "bob", LONG_MS);
    assert.equal(await first?.renew(), false);
    await first?.release();
    assert.equal((await a.get(name("key")))?.value, "bob");
    assert.equal(await second?.renew(), true);
  },

  "is held for as long as it is renewed": async (context) => {
    // Retried with longer leases, since a slow machine may renew a short one too late.
    for (let ttlMs = 200; ttlMs < LONG_MS; ttlMs *= 2) {
      let sentAt = performance.now();
      const lease = await context.a.lease(context.name(`key ${ttlMs}`), "ada", ttlMs);
      let renewed = 0;
      for (; renewed < 8; renewed += 1) {
        await waitForExpiry(context, ttlMs / 4);
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

  "has a greater fencing token than all earlier ones, however they ended": async (context) => {
    const { a, b, name } = context;
    const tokens: number[] = [];
    const key = name("key");
    for (const index of range(20)) {
      const lease = await (index % 2 === 0 ? a : b).lease(key, "holder", index % 5 === 0 ? 20 : LONG_MS);
      assert.ok(lease !== undefined);
      tokens.push(lease.fencingToken);
      if (index % 5 === 0) await waitForExpiry(context, 50);
      else if (index % 5 === 1) await a.delete(key);
      else await lease.release();
    }
    assert.deepEqual(
      tokens,
      [...new Set(tokens)].sort((one, other) => one - other),
    );
  },

  "is not granted for a value that was set, and is lost if its key is overwritten": async ({
    a,
    b,
    name,
  }) => {
    await a.set(name("set"), "x", { ttlMs: LONG_MS });
    assert.equal(await a.lease(name("set"), "ada", LONG_MS), undefined);
    const lease = await a.lease(name("key"), "ada", LONG_MS);
    await b.set(name("key"), "mine", { ttlMs: LONG_MS });
    assert.equal(await lease?.renew(), false);
    await lease?.release();
    assert.equal((await a.get(name("key")))?.value, "mine");
  },
};
