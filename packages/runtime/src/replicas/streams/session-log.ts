/**
 * What a legacy session was sent as events, and is to be sent, in two streams of the store: one for all its requests, so
 * that these are bounded as a whole, and one for what belongs to none. Whoever waits for the latter, as clients do for as
 * long as they live, is not woken by the former.
 * @module
 */
import type { Replica } from "../replica.js";

/** The stream of the messages that belong to no request. */
export const STANDALONE = "0";

/**
 * - `message` is an event for the client.
 * - `mark` is a place, with nothing for the client.
 * - `taken` says that another process goes on with the stream: its id.
 * - `end` comes after the last message.
 */
export type EventKind = "message" | "mark" | "taken" | "end";

export interface NewEvent {
  readonly kind: EventKind;
  readonly data: string;
}

export interface LoggedEvent extends NewEvent {
  readonly id: string;
  readonly stream: string;
  /** Which run of the call's handler wrote it. What earlier runs write once a later one has begun counts for nothing. */
  readonly run: number;
}

export interface LogPart {
  readonly events: readonly LoggedEvent[];
  /** Events that followed are not kept any more. */
  readonly gap: boolean;
}

export interface SessionLogOptions {
  readonly replica: Replica;
  /** As handlers know the session. */
  readonly session: string;
  readonly of: "calls" | "standalone";
  /** The most bytes to keep. */
  readonly maxBytes: number;
  readonly ttlMs: number;
}

export class SessionLog {
  readonly ttlMs: number;
  readonly #replica: Replica;
  readonly #key: string;
  readonly #maxBytes: number;

  constructor({ replica, session, of, maxBytes, ttlMs }: SessionLogOptions) {
    this.#replica = replica;
    this.#key = replica.key(`session:{${session}}:events:${of}`);
    this.#maxBytes = maxBytes;
    this.ttlMs = ttlMs;
  }

  /** Adds events, all or none. Returns their ids. */
  append(stream: string, run: number, events: readonly NewEvent[]): Promise<string[]> {
    const texts = events.map(({ kind, data }) => `${stream} ${run} ${kind} ${data}`);
    const { ttlMs } = this;
    return this.#replica.store.append(this.#key, texts, { maxBytes: this.#maxBytes, ttlMs });
  }

  /** What follows an event of whichever stream: `""` for all that is kept. */
  async read(after: string, options: { waitMs?: number; signal?: AbortSignal } = {}): Promise<LogPart> {
    const { entries, gap } = await this.#replica.store.read(this.#key, after, options);
    return { gap, events: entries.map(({ id, value }) => parse(id, value)) };
  }

  /** What is kept of one stream, from an event on. */
  async ofStream(stream: string, after = ""): Promise<LoggedEvent[]> {
    const found: LoggedEvent[] = [];
    for (let place = after; ;) {
      const { events } = await this.read(place);
      found.push(...events.filter((event) => event.stream === stream));
      const last = events.at(-1);
      if (last === undefined) return found;
      place = last.id;
    }
  }
}

function parse(id: string, value: string): LoggedEvent {
  const [, stream = "", run = "", kind = "mark", data = ""] = /^(\S+) (\d+) (\w+) ([^]*)$/.exec(value) ?? [];
  return { id, stream, run: Number(run), kind: kind as EventKind, data };
}
