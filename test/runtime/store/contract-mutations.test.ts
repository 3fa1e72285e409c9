/** The contract detects stores with the faults that stores have had. */
import { memoryStore, type Store, type StreamEntry } from "@tenon/runtime/store";
import { type OpenStore, storeCases } from "@tenon/runtime/store-contract";
import { expect, test } from "vitest";

/** Stores that share data, each with one fault. */
function faulty(fault: (store: Store) => Partial<Store>): () => OpenStore {
  return () => {
    const store = memoryStore();
    return () => {
      const methods = fault(store) as Record<string, unknown>;
      return new Proxy(store, {
        get: (target, name) => {
          const method = methods[String(name)] ?? (Reflect.get(target, name) as unknown);
          return typeof method === "function" ? (method.bind(target) as unknown) : method;
        },
      });
    };
  };
}

const FAULTS: Record<string, { fault: (store: Store) => Partial<Store>; finds: string }> = {
  "does not report missed entries": {
    fault: (store) => ({
      read: async (...args) => ({ ...(await store.read(...args)), missed: false }),
    }),
    finds:
      "stream: removes the oldest entries above `maxBytes`, and reports `missed` to readers that had not read them",
  },
  "creates IDs with a counter in the process": {
    fault: (store) => {
      let count = 0;
      return {
        append: async (stream, values, options) => {
          const ids = values.map(() => String(++count));
          await store.append(
            stream,
            values.map((value, index) => JSON.stringify({ id: ids[index], value })),
            options,
          );
          return ids;
        },
        read: async (stream, after, options) => {
          const { entries } = await store.read(stream, "", { ...options, limit: 1e6 });
          const found = entries.map(({ value }) => JSON.parse(value) as StreamEntry);
          return { entries: found.filter(({ id }) => Number(id) > Number(after)), missed: false };
        },
      };
    },
    finds: "stream: loses none of 100 concurrent appends, and keeps the values of each together",
  },
  "appends the values of one operation one by one": {
    fault: (store) => ({
      append: async (stream, values, options) => {
        const ids: string[] = [];
        for (const value of values) ids.push(...(await store.append(stream, [value], options)));
        return ids;
      },
    }),
    finds: "stream: loses none of 100 concurrent appends, and keeps the values of each together",
  },
  "keeps streams forever": {
    fault: (store) => ({
      append: (stream, values, options) => store.append(stream, values, { ...options, ttlMs: 1e9 }),
    }),
    finds: "stream: expires with the time to live of its last append, and then reports `missed`",
  },
  "ignores the new lifetime of a value": {
    fault: (store) => ({
      set: (key, value, options) =>
        store.set(key, value, options.ifVersion === undefined ? options : { ...options, ttlMs: 1e9 }),
    }),
    finds: "value: a value expires after the time to live of the latest `set`",
  },
  "reads before it writes, in two steps": {
    fault: (store) => ({
      set: async (key, value, { ifAbsent, ...options }) =>
        ifAbsent === true && (await store.get(key)) !== undefined
          ? undefined
          : store.set(key, value, options),
    }),
    finds: "value: one of 100 concurrent calls with `ifAbsent` sets a value",
  },
  "treats equal texts as the same version": {
    fault: (store) => ({
      get: async (key) => {
        const found = await store.get(key);
        return found && { ...found, version: found.value };
      },
      set: async (key, value, { ifVersion, ...options }) => {
        if (ifVersion !== undefined && (await store.get(key))?.value !== ifVersion) return undefined;
        return (await store.set(key, value, options)) && value;
      },
    }),
    finds: "value: a version is never reused, even for the same value",
  },
  "counts rejected uses": {
    fault: (store) => ({
      consume: async (uses) => {
        const usedUp = await store.consume(uses);
        if (usedUp !== undefined) for (const use of uses) await store.consume([use]);
        return usedUp;
      },
    }),
    finds: "count: counts a call toward none of several limits if one of them is exceeded",
  },
  "begins windows at fixed times": {
    fault: (store) => ({
      consume: async (uses) => {
        for (const [index, { key, calls, windowMs }] of uses.entries()) {
          const window = `${key}:${Math.floor(performance.now() / windowMs)}`;
          const usedUp = await store.consume([{ key: window, calls, windowMs: 1e6 }]);
          if (usedUp !== undefined) return { index, retryAfterMs: 1 };
        }
        return undefined;
      },
    }),
    finds: "count: allows no more calls than the limit in any window, wherever it begins",
  },
  "reuses fencing tokens of a key": {
    fault: (store) => ({
      lease: async (...args) => {
        const lease = await store.lease(...args);
        return (
          lease && { ...lease, fencingToken: 1, renew: () => lease.renew(), release: () => lease.release() }
        );
      },
    }),
    finds: "lease: has a greater fencing token than all earlier ones, however they ended",
  },
  "renews an expired lease": {
    fault: (store) => ({
      lease: async (key, holder, ttlMs) => {
        const lease = await store.lease(key, holder, ttlMs);
        const renew = async (): Promise<boolean> => (await store.set(key, holder, { ttlMs })) !== undefined;
        return lease && { fencingToken: lease.fencingToken, renew, release: () => lease.release() };
      },
    }),
    finds: "lease: expires after its time to live, and can then no longer be renewed",
  },
  "ends all subscriptions with one": {
    fault: (store) => {
      const ends: (() => Promise<void>)[] = [];
      return {
        subscribe: async (...args) => {
          ends.push(await store.subscribe(...args));
          return async () => {
            for (const end of ends.splice(0)) await end();
          };
        },
      };
    },
    finds: "message: a function subscribed twice is called twice, and each subscription ends separately",
  },
  "writes text as Latin-1": {
    fault: (store) => ({
      set: (key, value, options) => store.set(key, Buffer.from(value, "latin1").toString("latin1"), options),
    }),
    finds: "key: stores and delivers any text unchanged as a value, an entry, and a message",
  },
};

test.each(Object.entries(FAULTS))("the contract detects a store that %s", async (_, { fault, finds }) => {
  const found = storeCases.find(({ name }) => name === finds);
  await expect(found?.run(faulty(fault)())).rejects.toThrow(/./);
  await expect(found?.run(faulty(() => ({}))())).resolves.toBeUndefined();
});
