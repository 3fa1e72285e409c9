import type {
  AppendOptions,
  RateWindow,
  Lease,
  ReadOptions,
  SetOptions,
  Store,
  StoredValue,
  StreamEntry,
  StreamPart,
  LimitExceeded,
} from "../api/store.js";
import { CallWindow } from "./call-window.js";
import { ExpiringMap } from "./expiring-map.js";
import { MemoryStream } from "./memory-stream.js";
import { Topics } from "./topics.js";

const DEFAULT_READ_LIMIT = 1000;

export interface MemoryStoreOptions {
  /** A monotonic clock, in milliseconds. Default: `performance.now`. */
  now?: (() => number) | undefined;
}

/**
 * Creates a store in the memory of this process: for a single process, and for tests of code that uses a store.
 *
 * @example
 * defineServer({ store: sharedStore(memoryStore()) })
 */
export function memoryStore({ now = () => performance.now() }: MemoryStoreOptions = {}): Store {
  return new MemoryStore(now);
}

class MemoryStore implements Store {
  readonly #now: () => number;
  readonly #values: ExpiringMap<StoredValue>;
  readonly #streams: ExpiringMap<MemoryStream>;
  readonly #windows: ExpiringMap<CallWindow>;
  readonly #topics = new Topics();
  /** Aborts reads that wait for entries. */
  readonly #closing = new AbortController();
  #versions = 0;

  constructor(now: () => number) {
    this.#now = now;
    this.#values = new ExpiringMap(now);
    this.#streams = new ExpiringMap(now);
    this.#windows = new ExpiringMap(now);
  }

  async get(key: string): Promise<StoredValue | undefined> {
    return this.#values.get(key);
  }

  async set(key: string, value: string, options: SetOptions): Promise<string | undefined> {
    const { ttlMs, ifAbsent = false, ifVersion } = options;
    const existing = this.#values.get(key);
    if (ifAbsent && existing !== undefined) return undefined;
    if (ifVersion !== undefined && existing?.version !== ifVersion) return undefined;
    const version = String(++this.#versions);
    this.#values.set(key, { value, version }, ttlMs);
    return version;
  }

  async delete(key: string, { ifVersion }: { readonly ifVersion?: string } = {}): Promise<boolean> {
    if (ifVersion !== undefined && this.#values.get(key)?.version !== ifVersion) return false;
    return this.#values.delete(key);
  }

  async append(name: string, values: readonly string[], options: AppendOptions): Promise<string[]> {
    const stream = this.#streams.get(name) ?? new MemoryStream();
    this.#streams.set(name, stream, options.ttlMs);
    return stream.append(values, options.maxBytes, () => ++this.#versions);
  }

  async read(name: string, after: string, options: ReadOptions = {}): Promise<StreamPart> {
    const { limit = DEFAULT_READ_LIMIT, waitMs = 0, signal } = options;
    const read = (): StreamPart => {
      const none: readonly StreamEntry[] = [];
      return this.#streams.get(name)?.read(after, limit) ?? { entries: none, missed: after !== "" };
    };
    const part = read();
    if (part.entries.length > 0 || part.missed || waitMs <= 0) return part;
    await this.#waitForEntry(name, waitMs, signal);
    return signal?.aborted === true ? part : read();
  }

  async publish(topic: string, message: string): Promise<void> {
    this.#topics.publish(topic, message);
  }

  async subscribe(
    topics: readonly string[],
    onMessage: (message: string, topic: string) => void,
  ): Promise<() => Promise<void>> {
    const end = this.#topics.subscribe(topics, onMessage);
    return async () => end();
  }

  async consume(uses: readonly RateWindow[]): Promise<LimitExceeded | undefined> {
    const at = this.#now();
    const windows = uses.map(({ key }) => this.#windows.get(key) ?? new CallWindow());
    let exceeded: LimitExceeded | undefined;
    for (const [index, window] of windows.entries()) {
      const retryAfterMs = window.getWaitMs(uses[index]?.calls ?? 0, at);
      if (retryAfterMs > (exceeded?.retryAfterMs ?? 0)) exceeded = { index, retryAfterMs };
    }
    if (exceeded !== undefined) return exceeded;
    for (const [index, use] of uses.entries()) {
      const window = windows[index] as CallWindow;
      window.add(use, at);
      this.#windows.set(use.key, window, use.windowMs);
    }
    return undefined;
  }

  async lease(key: string, holder: string, ttlMs: number): Promise<Lease | undefined> {
    let version = await this.set(key, holder, { ttlMs, ifAbsent: true });
    if (version === undefined) return undefined;
    return {
      fencingToken: Number(version),
      renew: async () => {
        if (version === undefined) return false;
        version = await this.set(key, holder, { ttlMs, ifVersion: version });
        return version !== undefined;
      },
      release: async () => {
        if (version !== undefined) await this.delete(key, { ifVersion: version });
        version = undefined;
      },
    };
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#topics.close();
  }

  #waitForEntry(name: string, waitMs: number, signal: AbortSignal | undefined): Promise<void> {
    const stream = this.#streams.get(name) ?? new MemoryStream();
    // A stream without entries exists for as long as a reader waits for it.
    this.#streams.set(name, stream, Math.max(waitMs, this.#streams.getRemainingMs(name)));
    const signals = signal === undefined ? [this.#closing.signal] : [signal, this.#closing.signal];
    return stream.waitForAppend(waitMs, AbortSignal.any(signals));
  }
}
