/**
 * The events that a legacy session sent, kept for a client that lost its connection. Modern clients do not take
 * up streams again.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#resumability-and-redelivery
 * @module
 */
import { eventText, KEEP_ALIVE } from "../exchange/event-text.js";
import type { EventChannel, EventStream } from "../exchange/exchange.js";

/** What an event costs beside its text, in bytes, so that many small ones are bounded too. */
const EVENT_OVERHEAD = 64;

const MOST_STREAMS = 1e12;

const EVENT_ID = /^(0|[1-9]\d{0,14})-(0|[1-9]\d{0,14})$/;

interface SentEvent {
  readonly stream: SessionStream;
  readonly sequence: number;
  readonly data: string;
}

/** The streams of one session and their latest events. */
export class ReplayLog {
  /** For messages that belong to no request. */
  readonly standalone: SessionStream;
  readonly #limit: number;
  readonly #streams = new Map<number, SessionStream>();
  /** In the order in which they were sent. */
  readonly #events = new Set<SentEvent>();
  #bytes = 0;
  /** Streams that another process has for the session begin elsewhere, so that none is taken for one of these. */
  #nextNumber = 1 + Math.floor(Math.random() * MOST_STREAMS);

  /** @param limit The most bytes of events to keep. */
  constructor(limit: number) {
    this.#limit = limit;
    this.standalone = new SessionStream(this, 0);
    this.#streams.set(0, this.standalone);
  }

  /** True while a connection carries any of the streams. */
  get isConnected(): boolean {
    for (const stream of this.#streams.values()) if (stream.isConnected) return true;
    return false;
  }

  /** A stream for the messages about one request. */
  open(): SessionStream {
    const stream = new SessionStream(this, this.#nextNumber++);
    this.#streams.set(stream.number, stream);
    return stream;
  }

  /** The stream of which a client has seen all up to an event, if what followed is still known. */
  find(lastEventId: string): { stream: SessionStream; after: number } | undefined {
    const [, number, sequence] = EVENT_ID.exec(lastEventId) ?? [];
    const stream = number === undefined ? undefined : this.#streams.get(Number(number));
    const after = Number(sequence);
    if (stream === undefined) return undefined;
    const isKnown = after <= stream.sequence;
    // Messages on the standalone stream are answers to nothing, so its client may go on behind a gap, and in a process
    // that has sent it nothing yet.
    if (stream === this.standalone) return { stream, after: isKnown ? after : 0 };
    return isKnown && after >= stream.lostThrough ? { stream, after } : undefined;
  }

  end(): void {
    for (const stream of this.#streams.values()) stream.detach()?.end();
    this.#streams.clear();
    this.#events.clear();
    this.#bytes = 0;
  }

  record(event: SentEvent): void {
    this.#events.add(event);
    event.stream.kept++;
    this.#bytes += event.data.length + EVENT_OVERHEAD;
    for (const oldest of this.#events) {
      if (this.#bytes <= this.#limit) break;
      this.#events.delete(oldest);
      this.#bytes -= oldest.data.length + EVENT_OVERHEAD;
      oldest.stream.kept--;
      oldest.stream.lostThrough = oldest.sequence;
      this.forgetIfOver(oldest.stream);
    }
  }

  /** A stream that has ended and of which nothing is kept cannot be asked for any more. */
  forgetIfOver(stream: SessionStream): void {
    if (stream.isOver && stream.kept === 0) this.#streams.delete(stream.number);
  }

  *after(stream: SessionStream, sequence: number): Iterable<SentEvent> {
    for (const event of this.#events) {
      if (event.stream === stream && event.sequence > sequence) yield event;
    }
  }
}

/** One stream of a session: it goes on while no connection carries it. */
class SessionStream implements EventChannel {
  /** The number of the latest event. */
  sequence = 0;
  /** The number of the latest event that is no longer kept. */
  lostThrough = 0;
  /** How many events are kept. */
  kept = 0;
  isOver = false;
  readonly #log: ReplayLog;
  #connection: EventStream | undefined;

  constructor(
    log: ReplayLog,
    readonly number: number,
  ) {
    this.#log = log;
  }

  get isConnected(): boolean {
    return this.#connection !== undefined;
  }

  /** Gives the client an event to come back with, before there is anything to send. */
  prime(retryMs?: number): void {
    const retry = retryMs === undefined ? "" : `retry: ${retryMs}\n`;
    this.#connection?.write(eventText("", this.#idOf(this.sequence) + retry));
  }

  /** Has a connection carry the stream; the one that did so before has been lost by its client. */
  attach(connection: EventStream, after: number): void {
    this.#connection?.end();
    this.#connection = connection;
    for (const { sequence, data } of this.#log.after(this, after)) {
      if (!connection.write(eventText(data, this.#idOf(sequence)))) return;
    }
    if (this.isOver) this.detach()?.end();
  }

  /** Takes the stream off its connection (or off that one, if it is the one). */
  detach(connection = this.#connection): EventStream | undefined {
    if (connection !== this.#connection) return undefined;
    this.#connection = undefined;
    return connection;
  }

  send(data: string): void {
    const sequence = ++this.sequence;
    this.#connection?.write(eventText(data, this.#idOf(sequence)));
    this.#log.record({ stream: this, sequence, data });
  }

  finish(data: string | undefined): void {
    if (data !== undefined) this.send(data);
    this.isOver = true;
    this.detach()?.end();
    this.#log.forgetIfOver(this);
  }

  /** Ends the connection and asks the client to come back. */
  disconnect(retryMs: number): void {
    this.prime(retryMs);
    this.detach()?.end();
  }

  keepAlive(): void {
    this.#connection?.write(KEEP_ALIVE);
  }

  #idOf(sequence: number): string {
    return `id: ${this.number}-${sequence}\n`;
  }
}
