import type { TransportConnection } from "../transport.js";
import { refuse } from "./refusal.js";
import type { EventChannel, HttpExchange, Resumption } from "./exchange.js";
import { accepts } from "./media-types.js";
import { ReplayLog } from "./stream-replay.js";

/** How many messages wait for a client that opens its stream late, or never. */
const MOST_EARLY_EVENTS = 100;

/** What a legacy session says besides its answers: one standing stream, and one for each request that needs it. */
export class SessionStreams implements Resumption {
  readonly #connection: TransportConnection;
  readonly #log: ReplayLog;
  /** The client has, or has had, a stream for messages of no request. */
  #listens = false;

  /** @param bytes The most bytes of events to keep. */
  constructor(connection: TransportConnection, bytes: number) {
    this.#connection = connection;
    this.#log = new ReplayLog(bytes);
  }

  get isPolled(): boolean {
    return this.#connection.revision?.polledStreams === true;
  }

  /** True while a client listens to any of the streams. */
  get isHeard(): boolean {
    return this.#log.isHeard;
  }

  /** Says what belongs to no request. */
  say(text: string): void {
    const { standing } = this.#log;
    if (this.#listens || standing.sequence < MOST_EARLY_EVENTS) standing.send(text);
  }

  open(exchange: HttpExchange): EventChannel {
    const channel = this.#log.open();
    const stream = exchange.stream();
    channel.attach(stream, 0);
    if (this.isPolled) channel.prime();
    exchange.onDisconnect(() => channel.detach(stream));
    return channel;
  }

  /** Answers a GET: opens the standing stream, or takes up the one that the client lost. */
  resume(exchange: HttpExchange, onLeave: () => void): void {
    if (!accepts(exchange.header("accept"), "text/event-stream")) {
      return refuse(exchange, 406, "Accept must allow text/event-stream.");
    }
    const lastEventId = exchange.header("last-event-id");
    const place = lastEventId === undefined ? this.#listen() : this.#log.find(lastEventId);
    if (place === undefined) return refuse(exchange, 400, "What followed that Last-Event-ID is not kept.");
    const { stream, after } = place;
    const events = exchange.stream();
    exchange.onDisconnect(() => {
      stream.detach(events);
      onLeave();
    });
    stream.attach(events, after);
    const hasNothingToSay = after === stream.sequence;
    if (hasNothingToSay && this.isPolled) stream.prime();
  }

  keepAlive(): void {
    this.#log.standing.keepAlive();
  }

  end(): void {
    this.#log.end();
  }

  /** The standing stream from here on; the first time, from what was said before its client could listen. */
  #listen(): ReturnType<ReplayLog["find"]> {
    const { standing } = this.#log;
    const after = this.#listens ? standing.sequence : 0;
    this.#listens = true;
    return { stream: standing, after };
  }
}
