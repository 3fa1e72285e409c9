import type { TransportConnection } from "../transport.js";
import { refuse } from "./refusal.js";
import type { EventChannel, HttpExchange, Resumption } from "./exchange.js";
import { accepts } from "./media-types.js";
import { ReplayLog } from "./stream-replay.js";

/** How many messages wait for a client that opens its stream late, or never. */
const MOST_EARLY_EVENTS = 100;

/** The event streams of a legacy session: a standalone one, and one for each request that needs it. */
export class SessionStreams implements Resumption {
  readonly #connection: TransportConnection;
  readonly #log: ReplayLog;
  /** The client has, or has had, the standalone stream. */
  #wasOpened = false;

  /** @param bytes The most bytes of events to keep. */
  constructor(connection: TransportConnection, bytes: number) {
    this.#connection = connection;
    this.#log = new ReplayLog(bytes);
  }

  get isPolled(): boolean {
    return this.#connection.revision?.polledStreams === true;
  }

  /** True while a connection carries any of the streams. */
  get isConnected(): boolean {
    return this.#log.isConnected;
  }

  /** Sends a message that belongs to no request. */
  send(text: string): void {
    const { standalone } = this.#log;
    if (this.#wasOpened || standalone.sequence < MOST_EARLY_EVENTS) standalone.send(text);
  }

  open(exchange: HttpExchange): EventChannel {
    const channel = this.#log.open();
    const stream = exchange.beginEvents();
    channel.attach(stream, 0);
    if (this.isPolled) channel.prime();
    exchange.onDisconnect(() => channel.detach(stream));
    return channel;
  }

  /** Answers a GET: opens the standalone stream, or takes up the one that the client lost. */
  resume(exchange: HttpExchange, onEnd: () => void): void {
    if (!accepts(exchange.header("accept"), "text/event-stream")) {
      return refuse(exchange, 406, "Accept must allow text/event-stream.");
    }
    const lastEventId = exchange.header("last-event-id");
    const place = lastEventId === undefined ? this.#openStandalone() : this.#log.find(lastEventId);
    if (place === undefined) return refuse(exchange, 400, "What followed that Last-Event-ID is not kept.");
    const { stream, after } = place;
    // As event streams end: a client that opened this one empty would come back for ever.
    if (stream.isOver && after === stream.sequence) return exchange.respond(204);
    const events = exchange.streamUntilExpiry(() => {
      stream.detach(events);
      onEnd();
    });
    stream.attach(events, after);
    const isUpToDate = after === stream.sequence;
    if (isUpToDate && this.isPolled) stream.prime();
  }

  keepAlive(): void {
    this.#log.standalone.keepAlive();
  }

  end(): void {
    this.#log.end();
  }

  /** The standalone stream from here on; the first time, from what was sent before its client opened it. */
  #openStandalone(): ReturnType<ReplayLog["find"]> {
    const { standalone } = this.#log;
    const after = this.#wasOpened ? standalone.sequence : 0;
    this.#wasOpened = true;
    return { stream: standalone, after };
  }
}
