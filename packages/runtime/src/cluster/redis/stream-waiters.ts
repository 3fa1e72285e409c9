import { sleep } from "../../store/retry.js";
import type { Subscriber } from "./subscriber.js";

/**
 * The time for which a stream without readers is still watched, in milliseconds: most readers read again immediately.
 */
const LINGER_MS = 5000;

/** A stream that has readers, or had some a moment ago. */
interface WatchedStream {
  /** Resolves when new entries are announced to this process. */
  readonly watching: Promise<() => Promise<void>>;
  /** The number of times that entries were announced, or may have been. */
  announcements: number;
  readonly waiting: Set<() => void>;
  /** The number of readers. */
  readers: number;
  lingerTimer: NodeJS.Timeout | undefined;
}

/** Lets any number of readers wait for entries of streams, over the single connection for all subscriptions. */
export class StreamWaiters {
  readonly #subscriber: Subscriber;
  readonly #streams = new Map<string, WatchedStream>();

  constructor(subscriber: Subscriber) {
    this.#subscriber = subscriber;
  }

  /**
   * Reads repeatedly until there is a result, or the time is up.
   *
   * @param topic the topic on which entries of the stream are announced
   * @param read returns undefined while there is no result
   * @returns undefined if the time is up, or the read was aborted
   */
  async waitFor<Found>(
    topic: string,
    read: () => Promise<Found | undefined>,
    waitMs: number,
    signal: AbortSignal,
  ): Promise<Found | undefined> {
    const end = performance.now() + waitMs;
    const stream = this.#addReader(topic);
    try {
      await stream.watching;
      while (!signal.aborted) {
        const { announcements } = stream;
        const found = await read();
        const leftMs = end - performance.now();
        if (found !== undefined || leftMs <= 0) return found;
        if (stream.announcements === announcements) await sleep(leftMs, signal, stream.waiting);
      }
      return undefined;
    } finally {
      this.#removeReader(topic, stream);
    }
  }

  close(): void {
    for (const { lingerTimer } of this.#streams.values()) clearTimeout(lingerTimer);
    this.#streams.clear();
  }

  #addReader(topic: string): WatchedStream {
    const existing = this.#streams.get(topic);
    if (existing !== undefined) {
      clearTimeout(existing.lingerTimer);
      existing.readers += 1;
      return existing;
    }
    const wake = (): void => {
      stream.announcements += 1;
      for (const each of [...stream.waiting]) each();
    };
    const watching = this.#subscriber.subscribe([topic], wake, wake);
    const stream: WatchedStream = {
      watching,
      announcements: 0,
      waiting: new Set(),
      readers: 1,
      lingerTimer: undefined,
    };
    this.#streams.set(topic, stream);
    // Current readers receive the error; the next one tries again.
    watching.catch(() => this.#forget(topic, stream));
    return stream;
  }

  #removeReader(topic: string, stream: WatchedStream): void {
    stream.readers -= 1;
    if (stream.readers > 0) return;
    stream.lingerTimer = setTimeout(() => {
      this.#forget(topic, stream);
      void stream.watching.then((unsubscribe) => unsubscribe()).catch(() => {});
    }, LINGER_MS);
    stream.lingerTimer.unref();
  }

  #forget(topic: string, stream: WatchedStream): void {
    if (this.#streams.get(topic) === stream) this.#streams.delete(topic);
  }
}
