import type { NewEvent, SessionLog } from "./session-log.js";

const RETRY_MS = 1000;

/** What is to be done at its turn: an event to be kept, and what comes once it is. */
interface Step {
  readonly event?: NewEvent;
  /** @param id that of the latest event which is kept; undefined for an event that could not be */
  whenKept(id: string | undefined): void;
}

export interface EventWriterOptions {
  readonly log: SessionLog;
  readonly stream: string;
  readonly run: number;
  /** Whether this process may still write; asked before it does. */
  mayWrite(): boolean | Promise<boolean>;
  /** Whether events that cannot be kept have somewhere to go all the same. */
  isConnected(): boolean;
  /** The most bytes that wait for a store which cannot be asked. */
  readonly mostBytes: number;
}

/**
 * Appends events to a session's log in their order, those of one turn at once. While the store cannot be asked, they go
 * to the client that is connected without being kept, or wait.
 */
export class EventWriter {
  readonly #options: EventWriterOptions;
  #steps: Step[] = [];
  #bytes = 0;
  #writing: Promise<void> | undefined;
  #lastId: string | undefined;
  #lastAppend = performance.now();
  #isClosed = false;

  constructor(options: EventWriterOptions) {
    this.#options = options;
  }

  /** Longer than this ago the store was asked to keep something, in milliseconds. */
  get quietMs(): number {
    return performance.now() - this.#lastAppend;
  }

  get lastId(): string | undefined {
    return this.#lastId;
  }

  /** Fulfilled when all that was given is done. */
  get done(): Promise<void> {
    return this.#writing ?? Promise.resolve();
  }

  /**
   * @param event left out when too much waits already, unless it `isLast`
   * @param whenKept called once it is kept, and what was added before it
   */
  add(event: NewEvent | undefined, whenKept: Step["whenKept"] = () => {}, isLast = false): void {
    if (this.#isClosed || (!isLast && this.#bytes > this.#options.mostBytes)) return;
    this.#bytes += event?.data.length ?? 0;
    this.#steps.push({ ...(event && { event }), whenKept });
    this.#writing ??= this.#write();
  }

  /** Nothing that waits is written any more. */
  close(): void {
    this.#isClosed = true;
    this.#steps = [];
  }

  async #write(): Promise<void> {
    // What is sent in one turn is kept at once.
    await Promise.resolve();
    while (this.#steps.length > 0) {
      const steps = this.#steps;
      this.#steps = [];
      this.#bytes = 0;
      const ids = await this.#append(steps.flatMap(({ event }) => event ?? []));
      if (this.#isClosed) break;
      let next = 0;
      for (const { event, whenKept } of steps) {
        if (event === undefined) {
          whenKept(this.#lastId);
          continue;
        }
        const id = ids?.[next++];
        if (id !== undefined) this.#lastId = id;
        whenKept(id);
      }
    }
    this.#writing = undefined;
  }

  async #append(events: readonly NewEvent[]): Promise<string[] | undefined> {
    const { log, stream, run, mayWrite, isConnected } = this.#options;
    if (events.length === 0) return undefined;
    const end = performance.now() + log.ttlMs;
    while (!this.#isClosed && performance.now() < end) {
      try {
        if (!(await mayWrite())) return undefined;
        const ids = await log.append(stream, run, events);
        this.#lastAppend = performance.now();
        return ids;
      } catch {
        // The log has it.
        if (isConnected()) return undefined;
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS).unref());
      }
    }
    return undefined;
  }
}
