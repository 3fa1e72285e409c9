import type { Subscriber } from "./subscriber.js";

/** So long a stream that nobody waits for is listened to, in milliseconds: most readers come back at once. */
const LINGER_MS = 5000;

/** A stream that somebody waits for, or did a moment ago. */
interface WatchedStream {
  /** Resolves when entries are announced from then on. */
  readonly watching: Promise<() => Promise<void>>;
  /** How often entries were announced, or may have been. */
  announced: number;
  readonly waiting: Set<() => void>;
  /** How many readers there are. */
  readers: number;
  leaving: NodeJS.Timeout | undefined;
}

/** Lets any number of readers wait for entries of streams, by the one connection of all subscriptions. */
export class StreamWakes {
  readonly #subscriber: Subscriber;
  readonly #streams = new Map<string, WatchedStream>();

  constructor(subscriber: Subscriber) {
    this.#subscriber = subscriber;
  }

  /**
   * Reads again and again until there is something, or for so many milliseconds.
   *
   * @param topic at which entries of the stream are announced
   * @param read what is looked for; undefined while there is nothing
   * @returns undefined when the time is over, or it was aborted
   */
  async waitFor<Found>(
    topic: string,
    read: () => Promise<Found | undefined>,
    waitMs: number,
    signal: AbortSignal,
  ): Promise<Found | undefined> {
    const end = performance.now() + waitMs;
    const stream = this.#enter(topic);
    try {
      await stream.watching;
      while (!signal.aborted) {
        const { announced } = stream;
        const found = await read();
        const left = end - performance.now();
        if (found !== undefined || left <= 0) return found;
        if (stream.announced === announced) await nextWake(stream, left, signal);
      }
      return undefined;
    } finally {
      this.#leave(topic, stream);
    }
  }

  close(): void {
    for (const { leaving } of this.#streams.values()) clearTimeout(leaving);
    this.#streams.clear();
  }

  #enter(topic: string): WatchedStream {
    const present = this.#streams.get(topic);
    if (present !== undefined) {
      clearTimeout(present.leaving);
      present.readers += 1;
      return present;
    }
    const wake = (): void => {
      stream.announced += 1;
      for (const each of [...stream.waiting]) each();
    };
    const watching = this.#subscriber.subscribe([topic], wake, wake);
    const stream: WatchedStream = {
      watching,
      announced: 0,
      waiting: new Set(),
      readers: 1,
      leaving: undefined,
    };
    this.#streams.set(topic, stream);
    // Whoever reads now is told; the next tries again.
    watching.catch(() => this.#forget(topic, stream));
    return stream;
  }

  #leave(topic: string, stream: WatchedStream): void {
    stream.readers -= 1;
    if (stream.readers > 0) return;
    stream.leaving = setTimeout(() => {
      this.#forget(topic, stream);
      void stream.watching.then((unsubscribe) => unsubscribe()).catch(() => {});
    }, LINGER_MS);
    stream.leaving.unref();
  }

  #forget(topic: string, stream: WatchedStream): void {
    if (this.#streams.get(topic) === stream) this.#streams.delete(topic);
  }
}

function nextWake(stream: WatchedStream, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      stream.waiting.delete(end);
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    stream.waiting.add(end);
    signal.addEventListener("abort", end);
  });
}
