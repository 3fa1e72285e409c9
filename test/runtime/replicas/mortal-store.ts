import type { Store } from "@tenon/runtime/store";

/** One process's way to a store. */
export interface MortalStore extends Store {
  /**
   * The process is gone, as with `kill -9` and once its leases have expired: nothing that it asks for happens or is
   * answered any more, and nothing reaches it.
   */
  kill(): Promise<void>;
  /** It was only stopped, for longer than its leases lasted: what it asks for from now on happens. */
  wake(): void;
}

/**
 * The way of one of several processes to one store.
 *
 * @param onStep called before each thing that it does there, and when that is done
 */
export function mortal(store: Store, onStep: () => void = () => {}): MortalStore {
  const releases = new Map<string, () => Promise<void>>();
  let isDead = false;
  const never = new Promise<never>(() => {});

  /** A method that does nothing for the dead. */
  const alive =
    <Args extends unknown[], Result>(method: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      if (isDead) return never;
      onStep();
      if (isDead) return never;
      const result = await method.apply(store, args);
      if (!isDead) onStep();
      return isDead ? never : result;
    };

  return {
    get: alive((...args) => store.get(...args)),
    set: alive((...args) => store.set(...args)),
    delete: alive((...args) => store.delete(...args)),
    append: alive((...args) => store.append(...args)),
    read: alive((...args) => store.read(...args)),
    publish: alive((...args) => store.publish(...args)),
    take: alive((...args) => store.take(...args)),
    subscribe: alive((topics, onMessage, onGap) =>
      store.subscribe(
        topics,
        (message, topic) => {
          if (!isDead) onMessage(message, topic);
        },
        onGap,
      ),
    ),
    lease: alive(async (key, holder, ttlMs) => {
      const lease = await store.lease(key, holder, ttlMs);
      if (lease === undefined) return undefined;
      const { fence } = lease;
      if (isDead) await lease.release();
      releases.set(key, () => lease.release());
      return { fence, renew: alive(() => lease.renew()), release: alive(() => lease.release()) };
    }),
    close: async () => {},
    kill: async () => {
      isDead = true;
      for (const release of releases.values()) await release();
      releases.clear();
    },
    wake: () => {
      isDead = false;
    },
  };
}
