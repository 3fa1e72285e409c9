import { retry } from "../../store/retry.js";
import type { NewEvent, SessionLog } from "./session-log.js";

/** An event to store, if any, and the action that follows. */
interface Step {
  readonly event?: NewEvent;
  /** @param id the ID of the latest stored event; undefined if this event could not be stored */
  onStored(id: string | undefined): void;
}

/** The options of a writer. */
export interface EventWriterOptions {
  readonly log: SessionLog;
  readonly stream: string;
  readonly run: number;
  /** Returns whether this process may still write. Called before each write. */
  mayWrite(): boolean | Promise<boolean>;
  /** Returns whether a client is connected, which receives events even if they cannot be stored. */
  isConnected(): boolean;
  /** Maximum number of bytes that wait for an unreachable store. */
  readonly maxBytes: number;
}

/**
 * Appends events to a session's log in order. Events of one turn of the event loop are appended together. While the store is
 * unreachable, a connected client receives them although they are not stored; otherwise they wait.
 */
export class EventWriter {
  readonly #options: EventWriterOptions;
  #steps: Step[] = [];
  #eventCount = 0;
  #bytes = 0;
  #writing: Promise<void> | undefined;
  #lastId: string | undefined;
  #lastAppend = performance.now();
  #isClosed = false;

  constructor(options: EventWriterOptions) {
    this.#options = options;
  }

  /** The time since the last append, in milliseconds. */
  get quietMs(): number {
    return performance.now() - this.#lastAppend;
  }

  get lastId(): string | undefined {
    return this.#lastId;
  }

  /** Resolves when all steps are done. */
  get done(): Promise<void> {
    return this.#writing ?? Promise.resolve();
  }

  /**
   * Adds a step.
   *
   * @param event dropped if too many bytes are already waiting, unless it `isLast`
   * @param onStored called after this event and all earlier ones are stored
   */
  add(event: NewEvent | undefined, onStored: Step["onStored"] = () => {}, isLast = false): void {
    if (this.#isClosed || (!isLast && this.#bytes > this.#options.maxBytes)) return;
    this.#bytes += event?.data.length ?? 0;
    this.#steps.push({ ...(event && { event: { ...event, number: ++this.#eventCount } }), onStored });
    this.#writing ??= this.#write();
  }

  /** Stops writing, and drops the steps that wait. */
  close(): void {
    this.#isClosed = true;
    this.#steps = [];
  }

  async #write(): Promise<void> {
    // Events of one turn are stored together.
    await Promise.resolve();
    while (this.#steps.length > 0) {
      const steps = this.#steps;
      this.#steps = [];
      this.#bytes = 0;
      const ids = await this.#append(steps.flatMap(({ event }) => event ?? []));
      if (this.#isClosed) break;
      let next = 0;
      for (const { event, onStored } of steps) {
        if (event === undefined) {
          onStored(this.#lastId);
          continue;
        }
        const id = ids?.[next++];
        if (id !== undefined) this.#lastId = id;
        onStored(id);
      }
    }
    this.#writing = undefined;
  }

  async #append(events: readonly NewEvent[]): Promise<string[] | undefined> {
    const { log, stream, run, mayWrite, isConnected } = this.#options;
    if (events.length === 0) return undefined;
    const append = async (): Promise<string[] | undefined> => {
      if (this.#isClosed || !(await mayWrite())) return undefined;
      const ids = await log.append(stream, run, events);
      this.#lastAppend = performance.now();
      return ids;
    };
    // A connected client receives the events anyway. The store has logged the error.
    const isFinal = (): boolean => this.#isClosed || isConnected();
    return retry(append, { isFinal, maxDelayMs: log.ttlMs }).catch(() => undefined);
  }
}
