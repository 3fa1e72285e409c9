/**
 * The state that outlives a request, shared by the processes that serve the same clients.
 *
 * The test cases in `@tenon/runtime/store-contract` test a store for everything specified here.
 * @module
 */

/** A value with its version. Each write to a key creates a new version. */
export interface StoredValue {
  readonly value: string;
  readonly version: string;
}

/** Options for setting a key. */
export interface SetOptions {
  /** Time to live of the key, in milliseconds, after which it is deleted. */
  readonly ttlMs: number;
  /** Whether to set the key only if it does not exist. */
  readonly ifAbsent?: boolean;
  /** Sets the key only if it still has this version. */
  readonly ifVersion?: string;
}

/** Options for appending to a stream. */
export interface AppendOptions {
  /**
   * Maximum size of the stream, in bytes. The oldest entries are removed first, but never those of the latest append.
   */
  readonly maxBytes: number;
  /** Time from the latest append until the stream is deleted, in milliseconds. */
  readonly ttlMs: number;
}

/** An entry of a stream. */
export interface StreamEntry {
  /** ID, which consists of digits and hyphens. IDs increase within a stream. */
  readonly id: string;
  readonly value: string;
}

/** Options for reading a stream. */
export interface ReadOptions {
  /** Maximum number of entries to return. Default: 1000. */
  readonly limit?: number;
  /** Maximum time to wait for an entry if there is none, in milliseconds. Default: 0. */
  readonly waitMs?: number;
  /** Stops waiting when aborted; the result is then empty. */
  readonly signal?: AbortSignal;
}

/** Entries of a stream. */
export interface StreamPart {
  readonly entries: readonly StreamEntry[];
  /** Whether entries after `after` are missing: they were removed, or `after` is not an ID of this stream. */
  readonly missed: boolean;
}

/** A maximum number of calls in any period of `windowMs` milliseconds (a sliding window). */
export interface RateWindow {
  readonly key: string;
  readonly calls: number;
  readonly windowMs: number;
}

/** An exceeded rate limit. */
export interface LimitExceeded {
  /** The index of its window among those that were passed to `consume`. */
  readonly index: number;
  /** Time until a call is possible again, in milliseconds. */
  readonly retryAfterMs: number;
}

/** The exclusive ownership of a key for a limited time. */
export interface Lease {
  /**
   * A number greater than those of all earlier leases of this key. Reject writes with a smaller number: their lease has
   * expired.
   */
  readonly fencingToken: number;
  /** Extends the lease by `ttlMs`. Returns false if it has been lost. */
  renew(): Promise<boolean>;
  /** Releases the lease. Does nothing if it has been lost. */
  release(): Promise<void>;
}

/**
 * Stores text by key and in streams, counts calls, and distributes messages.
 *
 * - Single keys are linearizable: a read after an acknowledged write returns that write or a later one.
 * - Every key has a time to live, so that nothing remains of clients that disappeared.
 * - Keys with the same text in braces (`session:{a1}:record`) can be stored together on one machine. All keys of one
 *   `consume` call have the same text in braces.
 * - Messages reach current subscribers at most once. `onMissed` is called if some may have been lost.
 * - Every method rejects within seconds while the store is unreachable, and works again afterward.
 */
export interface Store {
  get(key: string): Promise<StoredValue | undefined>;
  /**
   * Sets a value.
   *
   * @returns the new version; undefined if the condition did not hold and nothing was set
   */
  set(key: string, value: string, options: SetOptions): Promise<string | undefined>;
  /**
   * Deletes a key.
   *
   * @returns false if the key did not exist, or has a different version
   */
  delete(key: string, options?: { readonly ifVersion?: string }): Promise<boolean>;
  /**
   * Appends entries to a stream: all of them or, if it fails, none.
   *
   * @returns their IDs, which the store assigns
   */
  append(stream: string, values: readonly string[], options: AppendOptions): Promise<string[]>;
  /**
   * Reads entries of a stream.
   *
   * @param after the ID of the latest known entry; `""` returns all stored entries, and never reports `missed`
   */
  read(stream: string, after: string, options?: ReadOptions): Promise<StreamPart>;
  publish(topic: string, message: string): Promise<void>;
  /**
   * Subscribes to topics. Resolves when the subscription is active, so that messages published from then on arrive.
   *
   * @param onMissed called when messages arrive again after some may have been lost
   * @returns a function that ends the subscription
   */
  subscribe(
    topics: readonly string[],
    onMessage: (message: string, topic: string) => void,
    onMissed: () => void,
  ): Promise<() => Promise<void>>;
  /**
   * Counts a call in all of these windows or, if one of them is exceeded, in none.
   *
   * @returns the exceeded limit with the longest wait; undefined if the call was counted
   */
  consume(windows: readonly RateWindow[]): Promise<LimitExceeded | undefined>;
  /**
   * Acquires a key exclusively. During the lease, `get(key)` returns its holder.
   *
   * @returns undefined if another holder has it
   */
  lease(key: string, holder: string, ttlMs: number): Promise<Lease | undefined>;
  /** Ends subscriptions and pending reads, and closes the connection if the store opened it. */
  close(): Promise<void>;
}

/**
 * A store that the processes of a server share. Created by `redis(…)` of `@tenon/runtime/redis`, or by
 * `sharedStore(store)` of `@tenon/runtime/store` for your own store.
 */
export interface SharedStore {
  readonly store: Store;
}
