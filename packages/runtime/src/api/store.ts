/**
 * Where the processes that serve the same clients keep what outlives a request.
 *
 * `@tenon/runtime/store-contract` holds a store to all that is said here.
 * @module
 */

/** A value, and what tells it from earlier and later ones of its key. */
export interface StoredValue {
  readonly value: string;
  readonly version: string;
}

export interface SetOptions {
  /** So long after this the key is as if it had never been there, in milliseconds. */
  readonly ttlMs: number;
  /** Sets only a key that is not there. */
  readonly ifAbsent?: boolean;
  /** Sets only a key that still has this version. */
  readonly ifVersion?: string;
}

export interface AppendOptions {
  /** The most bytes of entries to keep in the stream; the oldest go first, but never the latest append. */
  readonly maxBytes: number;
  /** So long after the last append the stream is as if it had never been there, in milliseconds. */
  readonly ttlMs: number;
}

export interface StreamEntry {
  /** Later entries of a stream have later ids. Digits and hyphens. */
  readonly id: string;
  readonly value: string;
}

export interface ReadOptions {
  /** The most entries to return. Default 1000. */
  readonly limit?: number;
  /** How long to wait for an entry where there is none, in milliseconds. Default 0. */
  readonly waitMs?: number;
  /** Stops waiting: what is returned then is empty. */
  readonly signal?: AbortSignal;
}

export interface StreamPart {
  readonly entries: readonly StreamEntry[];
  /** Entries that followed `after` are not kept any more, or were never in this stream. */
  readonly gap: boolean;
}

/** Something that may happen so many times in each window of so many milliseconds, wherever the window begins. */
export interface CountedUse {
  readonly key: string;
  readonly calls: number;
  readonly windowMs: number;
}

/** What is used up, and how long until it no longer is. */
export interface UsedUp {
  /** Which of the uses. */
  readonly index: number;
  readonly retryAfterMs: number;
}

/** What one holder alone has, for a time. */
export interface Lease {
  /** Greater than that of every lease of this key before: what is written under a smaller one comes too late. */
  readonly fence: number;
  /** Holds it for another `ttlMs`. False when it has been lost. */
  renew(): Promise<boolean>;
  /** Gives it up; does nothing when it has been lost. */
  release(): Promise<void>;
}

/**
 * Keeps text under keys, in streams and in counts, and passes messages on.
 *
 * - Single keys are linearizable: who reads after a write was acknowledged reads it, or what came later.
 * - Every key has a time to live, so nothing stays of a client that vanished.
 * - Keys that have the same text in braces (`session:{a1}:record`) may be kept on one machine; `take` is only asked for
 *   keys that have.
 * - Messages reach those who subscribe at the time, at most once. Whoever may have missed any is told by `onGap`.
 * - Every method rejects when the store cannot be asked, within seconds, and works again as soon as it can be.
 */
export interface Store {
  get(key: string): Promise<StoredValue | undefined>;
  /** @returns the new version; undefined when the condition did not hold, and nothing was set */
  set(key: string, value: string, options: SetOptions): Promise<string | undefined>;
  /** @returns false when the key was not there, or has another version */
  delete(key: string, options?: { readonly ifVersion?: string }): Promise<boolean>;
  /**
   * Adds entries to the end of a stream, all or none.
   *
   * @returns their ids, given by the store
   */
  append(stream: string, values: readonly string[], options: AppendOptions): Promise<string[]>;
  /** @param after the id of the last entry that is known; `""` for all that are kept (that is never a gap) */
  read(stream: string, after: string, options?: ReadOptions): Promise<StreamPart>;
  publish(topic: string, message: string): Promise<void>;
  /**
   * Resolves when messages published from then on arrive.
   *
   * @param onGap called when messages may have been lost, once they arrive again
   * @returns what ends it
   */
  subscribe(
    topics: readonly string[],
    onMessage: (message: string, topic: string) => void,
    onGap: () => void,
  ): Promise<() => Promise<void>>;
  /**
   * Counts all of these uses or, where one of them is used up, none.
   *
   * @returns the one that takes the longest, where any is used up
   */
  take(uses: readonly CountedUse[]): Promise<UsedUp | undefined>;
  /**
   * Has a key held by one alone. While it is held, `get(key)` gives its holder.
   *
   * @returns undefined while another has it
   */
  lease(key: string, holder: string, ttlMs: number): Promise<Lease | undefined>;
  /** Ends subscriptions and waiting, and the connection where it is the store's own. */
  close(): Promise<void>;
}

/**
 * How the processes of a server share what outlives a request: `redis(…)` of `@tenon/runtime/redis`, or `shared(store)`
 * of `@tenon/runtime/store` for a store of your own.
 */
export interface Sharing {
  readonly store: Store;
}
