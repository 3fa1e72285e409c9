import type {
  AppendOptions,
  CountedUse,
  Lease,
  ReadOptions,
  SetOptions,
  Store,
  StoredValue,
  StreamEntry,
  StreamPart,
  UsedUp,
} from "../api/store.js";
import { CallWindow } from "../middleware/call-window.js";
import { ExpiringMap } from "./expiring-map.js";
import { MemoryStream } from "./memory-stream.js";
import { Topics } from "./topics.js";

const DEFAULT_READ_LIMIT = 1000;

export interface MemoryStoreOptions {
  /** The clock, in milliseconds that never go back. Default `performance.now`. */
  now?: () => number;
}

/**
 * A store in the memory of this process: for one process, and for tests of what uses a store.
 *
 * @example
 * defineServer({ store: shared(memoryStore()) })
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
  /** Ends what waits for entries. */
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
    const present = this.#values.get(key);
    if (ifAbsent && present !== undefined) return undefined;
    if (ifVersion !== undefined && present?.version !== ifVersion) return undefined;
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
      return this.#streams.get(name)?.read(after, limit) ?? { entries: none, gap: after !== "" };
    };
    const part = read();
    if (part.entries.length > 0 || part.gap || waitMs <= 0) return part;
    await this.#nextEntry(name, waitMs, signal);
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

  async take(uses: readonly CountedUse[]): Promise<UsedUp | undefined> {
    const at = this.#now();
    const windows = uses.map(({ key }) => this.#windows.get(key) ?? new CallWindow());
    let usedUp: UsedUp | undefined;
    for (const [index, window] of windows.entries()) {
      const retryAfterMs = window.wait(uses[index]?.calls ?? 0, at);
      if (retryAfterMs > (usedUp?.retryAfterMs ?? 0)) usedUp = { index, retryAfterMs };
    }
    if (usedUp !== undefined) return usedUp;
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
      fence: Number(version),
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

  #nextEntry(name: string, waitMs: number, signal: AbortSignal | undefined): Promise<void> {
    const stream = this.#streams.get(name) ?? new MemoryStream();
    // One that nobody has written to yet is there for as long as somebody waits for it.
    this.#streams.set(name, stream, Math.max(waitMs, this.#streams.timeLeft(name)));
    const signals = signal === undefined ? [this.#closing.signal] : [signal, this.#closing.signal];
    return stream.nextAppend(waitMs, AbortSignal.any(signals));
  }
}
