/**
 * The latest events of a legacy session, stored for a client that lost its connection. Modern clients do not resume
 * streams.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#resumability-and-redelivery
 * @module
 */
import { toEventText, KEEP_ALIVE } from "../exchange/event-text.js";
import type { EventChannel, EventStream } from "../exchange/exchange.js";

/** The size of an event in addition to its text, in bytes, so that many small events are bounded too. */
const EVENT_OVERHEAD_BYTES = 64;

const MAX_STREAMS = 1e12;

const EVENT_ID = /^(0|[1-9]\d{0,14})-(0|[1-9]\d{0,14})$/;

interface SentEvent {
  readonly stream: SessionStream;
  readonly sequence: number;
  readonly data: string;
}

/** The streams of one session and their latest events. */
export class ReplayLog {
  /** The stream for messages that belong to no request. */
  readonly standalone: SessionStream;
  readonly #limit: number;
  readonly #streams = new Map<number, SessionStream>();
  /** The events, in the order in which they were sent. */
  readonly #events = new Set<SentEvent>();
  #bytes = 0;
  /** The number of the first stream, different in each process that serves the session, so that IDs are unambiguous. */
  #nextNumber = 1 + Math.floor(Math.random() * MAX_STREAMS);

  /** @param limit maximum size of the stored events, in bytes */
  constructor(limit: number) {
    this.#limit = limit;
    this.standalone = new SessionStream(this, 0);
    this.#streams.set(0, this.standalone);
  }

  /** Whether a connection carries any of the streams. */
  get isConnected(): boolean {
    for (const stream of this.#streams.values()) if (stream.isConnected) return true;
    return false;
  }

  /** Opens a stream for the messages about one request. */
  open(): SessionStream {
    const stream = new SessionStream(this, this.#nextNumber++);
    this.#streams.set(stream.number, stream);
    return stream;
  }

  /** Finds the stream of an event, if all events after it are stored. */
  find(lastEventId: string): { stream: SessionStream; after: number } | undefined {
    const [, number, sequence] = EVENT_ID.exec(lastEventId) ?? [];
    const stream = number === undefined ? undefined : this.#streams.get(Number(number));
    const after = Number(sequence);
    if (stream === undefined) return undefined;
    const isKnown = after <= stream.sequence;
    // A client may continue the standalone stream after a gap, since its messages are not responses, and in a process
    // that has sent nothing on it yet.
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
    event.stream.storedEvents++;
    this.#bytes += event.data.length + EVENT_OVERHEAD_BYTES;
    for (const oldest of this.#events) {
      if (this.#bytes <= this.#limit) break;
      this.#events.delete(oldest);
      this.#bytes -= oldest.data.length + EVENT_OVERHEAD_BYTES;
      oldest.stream.storedEvents--;
      oldest.stream.lostThrough = oldest.sequence;
      this.forgetIfDone(oldest.stream);
    }
  }

  /** Removes a stream that has ended and has no stored events. */
  forgetIfDone(stream: SessionStream): void {
    if (stream.isDone && stream.storedEvents === 0) this.#streams.delete(stream.number);
  }

  *listAfter(stream: SessionStream, sequence: number): Iterable<SentEvent> {
    for (const event of this.#events) {
      if (event.stream === stream && event.sequence > sequence) yield event;
    }
  }
}

/** One stream of a session. It continues while no connection carries it. */
class SessionStream implements EventChannel {
  /** The number of the latest event. */
  sequence = 0;
  /** The number of the latest event that is no longer stored. */
  lostThrough = 0;
  /** The number of stored events. */
  storedEvents = 0;
  isDone = false;
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

  /** Sends the client an event ID to reconnect with, before there is anything to send. */
  prime(retryMs?: number): void {
    const retry = retryMs === undefined ? "" : `retry: ${retryMs}\n`;
    this.#connection?.write(toEventText("", this.#formatIdLine(this.sequence) + retry));
  }

  /** Attaches a connection, in place of the one that its client has lost. */
  attach(connection: EventStream, after: number): void {
    this.#connection?.end();
    this.#connection = connection;
    for (const { sequence, data } of this.#log.listAfter(this, after)) {
      if (!connection.write(toEventText(data, this.#formatIdLine(sequence)))) return;
    }
    if (this.isDone) this.detach()?.end();
  }

  /** Detaches the connection (or the given one, if it is attached). */
  detach(connection = this.#connection): EventStream | undefined {
    if (connection !== this.#connection) return undefined;
    this.#connection = undefined;
    return connection;
  }

  send(data: string): void {
    const sequence = ++this.sequence;
    this.#connection?.write(toEventText(data, this.#formatIdLine(sequence)));
    this.#log.record({ stream: this, sequence, data });
  }

  finish(data: string | undefined): void {
    if (data !== undefined) this.send(data);
    this.isDone = true;
    this.detach()?.end();
    this.#log.forgetIfDone(this);
  }

  /** Ends the connection and makes the client reconnect. */
  disconnect(retryMs: number): void {
    this.prime(retryMs);
    this.detach()?.end();
  }

  keepAlive(): void {
    this.#connection?.write(KEEP_ALIVE);
  }

  #formatIdLine(sequence: number): string {
    return `id: ${this.number}-${sequence}\n`;
  }
}
