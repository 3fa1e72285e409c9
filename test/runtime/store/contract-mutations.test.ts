/** The contract finds stores out that do what stores have done wrong. */
import { memoryStore, type Store, type StreamEntry } from "@tenon/runtime/store";
import { type OpenStore, storeCases } from "@tenon/runtime/store-contract";
import { expect, test } from "vitest";

/** Stores of several processes on the data of one, each with what is wrong about it. */
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
  "does not report a gap": {
    fault: (store) => ({
      read: async (...args) => ({ ...(await store.read(...args)), gap: false }),
    }),
    finds:
      "stream: the oldest entries go when there are too many bytes, and whoever has not read them is told",
  },
  "gives ids by a counter in the process": {
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
          return { entries: found.filter(({ id }) => Number(id) > Number(after)), gap: false };
        },
      };
    },
    finds: "stream: 100 that append at once lose nothing, and each append stays together",
  },
  "adds the values of an append one by one": {
    fault: (store) => ({
      append: async (stream, values, options) => {
        const ids: string[] = [];
        for (const value of values) ids.push(...(await store.append(stream, [value], options)));
        return ids;
      },
    }),
    finds: "stream: 100 that append at once lose nothing, and each append stays together",
  },
  "keeps streams for ever": {
    fault: (store) => ({
      append: (stream, values, options) => store.append(stream, values, { ...options, ttlMs: 1e9 }),
    }),
    finds: "stream: a stream ends with the time to live of its last append, and what it was is a gap",
  },
  "does not hold a value to its new time to live": {
    fault: (store) => ({
      set: (key, value, options) =>
        store.set(key, value, options.ifVersion === undefined ? options : { ...options, ttlMs: 1e9 }),
    }),
    finds: "value: a value ends with its time to live, each time counted anew",
  },
  "looks before it sets, in two steps": {
    fault: (store) => ({
      set: async (key, value, { ifAbsent, ...options }) =>
        ifAbsent === true && (await store.get(key)) !== undefined
          ? undefined
          : store.set(key, value, options),
    }),
    finds: "value: of 100 that set what is not there, one does",
  },
  "takes equal texts for the same version": {
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
    finds: "value: a version never comes back, nor for the same text",
  },
  "counts what it refuses": {
    fault: (store) => ({
      take: async (uses) => {
        const usedUp = await store.take(uses);
        if (usedUp !== undefined) for (const use of uses) await store.take([use]);
        return usedUp;
      },
    }),
    finds: "count: where one of several is used up, none is counted",
  },
  "begins windows at fixed times": {
    fault: (store) => ({
      take: async (uses) => {
        for (const [index, { key, calls, windowMs }] of uses.entries()) {
          const window = `${key}:${Math.floor(performance.now() / windowMs)}`;
          const usedUp = await store.take([{ key: window, calls, windowMs: 1e6 }]);
          if (usedUp !== undefined) return { index, retryAfterMs: 1 };
        }
        return undefined;
      },
    }),
    finds: "count: no window holds more than are allowed, wherever it begins",
  },
  "begins the fences of a key again": {
    fault: (store) => ({
      lease: async (...args) => {
        const lease = await store.lease(...args);
        return lease && { ...lease, fence: 1, renew: () => lease.renew(), release: () => lease.release() };
      },
    }),
    finds: "lease: each fence is greater than all before, however the lease before ended",
  },
  "takes up a lease that is over": {
    fault: (store) => ({
      lease: async (key, holder, ttlMs) => {
        const lease = await store.lease(key, holder, ttlMs);
        const renew = async (): Promise<boolean> => (await store.set(key, holder, { ttlMs })) !== undefined;
        return lease && { fence: lease.fence, renew, release: () => lease.release() };
      },
    }),
    finds: "lease: it ends with its time, and who has lost it learns that",
  },
  "ends the subscriptions of others with one": {
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
    finds: "message: one function subscribed twice is called twice, and ends one by one",
  },
  "writes text as Latin-1": {
    fault: (store) => ({
      set: (key, value, options) => store.set(key, Buffer.from(value, "latin1").toString("latin1"), options),
    }),
    finds: "key: any text is a value, an entry and a message as it is",
  },
};

test.each(Object.entries(FAULTS))("a store that %s", async (_, { fault, finds }) => {
  const found = storeCases.find(({ name }) => name === finds);
  await expect(found?.run(faulty(fault)())).rejects.toThrow(/./);
  await expect(found?.run(faulty(() => ({}))())).resolves.toBeUndefined();
});
