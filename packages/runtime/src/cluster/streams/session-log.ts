/**
 * The events of a legacy session, in two streams of the store. The first contains the events of all requests, which
 * share one limit. The second contains messages that belong to no request. Clients wait for events of the second stream
 * as long as they are connected; events of the first do not wake them.
 * @module
 */
import type { StreamEntries } from "../replicas/follow-stream.js";
import type { Replica } from "../replicas/replica.js";

/** The stream of the messages that belong to no request. */
export const STANDALONE = "0";

/**
 * - `message` is an event for the client.
 * - `mark` is a cursor, which is not sent to the client.
 * - `taken` contains the ID of another process that continues the stream.
 * - `end` follows the last message.
 */
export type EventKind = "message" | "mark" | "taken" | "end";

export interface NewEvent {
  readonly kind: EventKind;
  readonly data: string;
  /**
   * The number of the event in its run, starting at 1, since an event is stored twice if the response to a write is lost.
   * Default: 0, for an event that has no duplicates.
   */
  readonly number?: number;
}

export interface LoggedEvent extends NewEvent {
  readonly id: string;
  readonly number: number;
  readonly stream: string;
  /** The run of the call's handler that wrote the event. Events of a run are ignored after a later one has begun. */
  readonly run: number;
}

export interface SessionLogOptions {
  readonly replica: Replica;
  /** The session ID that handlers see. */
  readonly session: string;
  readonly scope: "calls" | "standalone";
  /** Maximum number of stored bytes. */
  readonly maxBytes: number;
  readonly ttlMs: number;
}

export class SessionLog {
  readonly ttlMs: number;
  readonly #replica: Replica;
  readonly #key: string;
  readonly #maxBytes: number;

  constructor({ replica, session, scope, maxBytes, ttlMs }: SessionLogOptions) {
    this.#replica = replica;
    this.#key = replica.toKey(`session:{${session}}:events:${scope}`);
    this.#maxBytes = maxBytes;
    this.ttlMs = ttlMs;
  }

  /** Adds events, all or none. Returns their IDs. */
  append(stream: string, run: number, events: readonly NewEvent[]): Promise<string[]> {
    const texts = events.map(({ kind, data, number = 0 }) => `${stream} ${run} ${number} ${kind} ${data}`);
    const { ttlMs } = this;
    return this.#replica.store.append(this.#key, texts, { maxBytes: this.#maxBytes, ttlMs });
  }

  /** Returns the events of all streams after an event; `""` returns all stored ones. */
  async read(
    after: string,
    options: { waitMs?: number; signal?: AbortSignal } = {},
  ): Promise<StreamEntries<LoggedEvent>> {
    const { entries, missed } = await this.#replica.store.read(this.#key, after, options);
    return { missed, entries: entries.map(({ id, value }) => parseEvent(id, value)) };
  }

  /** Returns the stored events of one stream after an event. */
  async readStream(stream: string, after = ""): Promise<LoggedEvent[]> {
    const found: LoggedEvent[] = [];
    for (let cursor = after; ;) {
      const { entries } = await this.read(cursor);
      found.push(...entries.filter((event) => event.stream === stream));
      const last = entries.at(-1);
      if (last === undefined) return found;
      cursor = last.id;
    }
  }
}

function parseEvent(id: string, value: string): LoggedEvent {
  const [, stream = "", run = "", number = "", kind = "mark", data = ""] =
    /^(\S+) (\d+) (\d+) (\w+) ([^]*)$/.exec(value) ?? [];
  return { id, stream, run: Number(run), number: Number(number), kind: kind as EventKind, data };
}
