import { type Change, changeKey, type Notifier } from "../api/notifier.js";
import type { StreamEntry } from "../api/store.js";
import type { Replica } from "./replica.js";
import type { SharedChanges } from "./sharing.js";
import { StreamTail } from "./stream-tail.js";

/** Says to the others that there is more in the stream. */
const CHANGED = "changes";

/** How many changes wait for a store that cannot be asked; when there are more, anything may have changed. */
const MOST_UNTOLD = 10_000;

const MOST_BYTES = 1024 * 1024;
const TTL_MS = 60 * 60 * 1000;

/** How often the stream is looked at in any case, should nobody say that there is more in it. */
const LOOK_MS = 5000;

/** Long before the stream is forgotten: it is written to where nothing changes, so that places in it stay known. */
const REFRESH_MS = TTL_MS / 3;

const RETRY_MS = 1000;

/** What one replica announced in one turn. */
interface Announcement {
  readonly from: string;
  readonly changes: readonly Change[];
  /** There were more of them than could be kept. */
  readonly more?: boolean;
}

/**
 * The changes that any replica announces, in a stream of the store: one order for all, and whoever missed some reads
 * them. What is announced here is heard here at once, and once.
 */
export class StoreChanges implements SharedChanges {
  readonly #replica: Replica;
  readonly #stream: string;
  readonly #listeners = new Set<(change: Change) => void>();
  readonly #gapListeners = new Set<() => void>();
  /** Announced here and not yet in the stream, by what changed. */
  #untold = new Map<string, Change>();
  #hasMore = false;
  #telling: Promise<void> | undefined;
  #tail: StreamTail | undefined;
  #lastEntry = 0;
  readonly #stops: (() => void)[];
  readonly #endPauses = new Set<() => void>();
  #isClosed = false;

  constructor(replica: Replica, notifier: Notifier) {
    this.#replica = replica;
    this.#stream = replica.key("changes");
    const look = setInterval(() => this.#look(), LOOK_MS).unref();
    this.#stops = [
      notifier.onChange((change) => this.#announce(change)),
      replica.on(CHANGED, () => this.#tail?.wake()),
      replica.onGap(() => this.#tail?.wake()),
      () => clearInterval(look),
      () => {
        for (const end of this.#endPauses) end();
      },
      () => this.#tail?.close(),
    ];
  }

  /** Begins to hear of what others announce, now or as soon as the store can be asked. */
  start(): void {
    void this.#enter();
  }

  onChange(listener: (change: Change) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  onGap(listener: () => void): () => void {
    this.#gapListeners.add(listener);
    return () => this.#gapListeners.delete(listener);
  }

  /** What was announced before is still told to the others, if the store can be asked. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const stop of this.#stops) stop();
    await this.#telling;
  }

  #announce(change: Change): void {
    for (const listener of this.#listeners) listener(change);
    if (this.#untold.size < MOST_UNTOLD) this.#untold.set(changeKey(change), change);
    else this.#hasMore = true;
    this.#telling ??= this.#tellAll();
  }

  /** Tells the others once a turn. */
  async #tellAll(): Promise<void> {
    await Promise.resolve();
    while (this.#untold.size > 0) {
      const untold = this.#untold;
      this.#untold = new Map();
      try {
        await this.#append([...untold.values()], this.#hasMore);
        this.#hasMore = false;
        // Whoever does not hear of it looks by itself, a little later.
        await this.#replica.tellAll(CHANGED, null).catch(() => {});
      } catch {
        this.#untold = new Map([...untold, ...this.#untold]);
        if (this.#isClosed) break;
        await this.#pause();
      }
    }
    this.#telling = undefined;
  }

  /** Finds the end of the stream by writing to it. Whoever has subscribed before may have missed something. */
  async #enter(): Promise<void> {
    let after = "";
    while (after === "" && !this.#isClosed) {
      try {
        after = await this.#append([]);
      } catch {
        await this.#pause();
      }
    }
    if (this.#isClosed) return;
    this.#tail = new StreamTail({
      replica: this.#replica,
      stream: this.#stream,
      after,
      onEntry: (entry) => this.#hear(entry),
      onGap: () => this.#missed(),
    });
    this.#missed();
  }

  async #append(changes: readonly Change[], more = false): Promise<string> {
    const announcement: Announcement = { from: this.#replica.id, changes, ...(more && { more }) };
    const options = { maxBytes: MOST_BYTES, ttlMs: TTL_MS };
    const [id = ""] = await this.#replica.store.append(this.#stream, [JSON.stringify(announcement)], options);
    this.#lastEntry = performance.now();
    return id;
  }

  #hear({ value }: StreamEntry): void {
    this.#lastEntry = performance.now();
    const { from, changes, more = false } = JSON.parse(value) as Announcement;
    if (from === this.#replica.id) return;
    if (more) this.#missed();
    for (const change of changes) for (const listener of this.#listeners) listener(change);
  }

  #missed(): void {
    for (const listener of this.#gapListeners) listener();
  }

  #look(): void {
    this.#tail?.wake();
    if (performance.now() - this.#lastEntry > REFRESH_MS) void this.#append([]).catch(() => {});
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        this.#endPauses.delete(end);
        resolve();
      };
      const timer = setTimeout(end, RETRY_MS).unref();
      this.#endPauses.add(end);
    });
  }
}
