import type { StreamEntry } from "../../api/store.js";
import type { Replica } from "../replica.js";

const RETRY_MS = 1000;

export interface StreamTailOptions {
  readonly replica: Replica;
  /** The key of the stream. */
  readonly stream: string;
  /** The id of the last entry that is known. */
  readonly after: string;
  onEntry(entry: StreamEntry): void;
  /** Entries were not kept until they could be read. Those that are follow. */
  onGap(): void;
}

/** Reads a stream of the store from a place on, each time that there may be more. */
export class StreamTail {
  readonly #options: StreamTailOptions;
  #after: string;
  #isReading = false;
  #readsAgain = false;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: StreamTailOptions) {
    this.#options = options;
    this.#after = options.after;
  }

  /** The id of the last entry that was handed over. */
  get place(): string {
    return this.#after;
  }

  /** There may be more. */
  wake(): void {
    this.#readsAgain = true;
    if (!this.#isReading) void this.#read();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  async #read(): Promise<void> {
    const { replica, stream, onEntry, onGap } = this.#options;
    clearTimeout(this.#timer);
    this.#isReading = true;
    try {
      while (this.#readsAgain && !this.#isClosed) {
        this.#readsAgain = false;
        const { entries, gap } = await replica.store.read(stream, this.#after);
        if (this.#isClosed) return;
        if (gap) {
          this.#after = "";
          onGap();
        }
        for (const entry of entries) {
          this.#after = entry.id;
          onEntry(entry);
        }
        if (gap || entries.length > 0) this.#readsAgain = true;
      }
    } catch {
      // The log has it.
      this.#readsAgain = true;
      this.#timer = setTimeout(() => this.wake(), RETRY_MS).unref();
    } finally {
      this.#isReading = false;
    }
  }
}
