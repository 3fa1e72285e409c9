import type { Store } from "@tenon/runtime/store";

/** The store as one of several processes sees it. A test can make the process crash. */
export interface CrashableStore extends Store {
  /**
   * Acts as if the process was killed and its leases have expired: its operations have no effect and never settle, and it
   * receives no messages.
   */
  kill(): Promise<void>;
  /** Acts as if the process was only paused for longer than its leases: its next operations take effect. */
  resume(): void;
}

/**
 * Wraps a store for one of the processes that share it.
 *
 * @param onStep called before and after each operation
 */
export function crashableStore(store: Store, onStep: () => void = () => {}): CrashableStore {
  const releases = new Map<string, () => Promise<void>>();
  let isDead = false;
  const never = new Promise<never>(() => {});

  /** Wraps a method so that it has no effect while the process is dead. */
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
    consume: alive((...args) => store.consume(...args)),
    subscribe: alive((topics, onMessage, onMissed) =>
      store.subscribe(
        topics,
        (message, topic) => {
          if (!isDead) onMessage(message, topic);
        },
        onMissed,
      ),
    ),
    lease: alive(async (key, holder, ttlMs) => {
      const lease = await store.lease(key, holder, ttlMs);
      if (lease === undefined) return undefined;
      const { fencingToken } = lease;
      if (isDead) await lease.release();
      releases.set(key, () => lease.release());
      return { fencingToken, renew: alive(() => lease.renew()), release: alive(() => lease.release()) };
    }),
    close: async () => {},
    kill: async () => {
      isDead = true;
      for (const release of releases.values()) await release();
      releases.clear();
    },
    resume: () => {
      isDead = false;
    },
  };
}
