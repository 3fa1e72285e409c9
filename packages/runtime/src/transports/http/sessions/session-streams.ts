import type { RequestId } from "../../../protocol/jsonrpc.js";
import type { ChangeFilter, TransportConnection } from "../../transport.js";
import { refuse } from "../exchange/refusal.js";
import type { EventChannel, HttpExchange, Resumption } from "../exchange/exchange.js";
import { accepts } from "../exchange/media-types.js";
import { ReplayLog } from "./stream-replay.js";

/** How many messages wait for a client that opens its stream late, or never. */
const MOST_EARLY_EVENTS = 100;

/** The event streams of a legacy session: a standalone one, and one for each request that needs it. */
export interface SessionStreams extends Resumption {
  /** True while a connection of this process carries any of the streams. */
  readonly isConnected: boolean;
  /** Sends a message that belongs to no request. */
  send(text: string): void;
  /** Set where streams bring changes by themselves; takes what says of them how the client is to be notified. */
  takeChanges?(filter: ChangeFilter): void;
  /** Answers a GET: opens the standalone stream, or takes up the one that the client lost. */
  resume(exchange: HttpExchange, onEnd: () => void): void;
  keepAlive(): void;
  /** Ends what this process has of them. */
  end(): void;
}

/** The session of streams; complete once its client has opened it. */
export interface StreamedSession {
  readonly connection: TransportConnection;
}

/** A call whose process has died. */
export interface OrphanedCall {
  /** As handlers know the session. */
  readonly session: string;
  /** The stream in which the client waits for the answer. */
  readonly stream: string;
  /** What is to be answered: several of a batch. */
  readonly requests: RequestId | readonly RequestId[];
}

/** True when somebody goes on with the call, in this process or another; else its client is told that it has failed. */
export type TakeOver = (call: OrphanedCall) => Promise<boolean>;

/** The streams of all legacy sessions, where several processes go on with them. */
export interface SharedStreams {
  /** Asked whenever a client waits for a call of a process that has died. */
  takeOver: TakeOver | undefined;
  of(session: StreamedSession): SessionStreams;
  /**
   * Where a process that takes over a call sends what belongs to its request: to wherever the client reads.
   *
   * @param session as handlers know it
   * @param stream as `Peer.stream` named it
   * @param run greater than that of all processes before: what these still send counts for nothing
   */
  goOn(session: string, stream: string, run: number): EventChannel;
  /** The messages that the client was sent on a stream, so far as they are kept. */
  sent(session: string, stream: string): Promise<readonly string[]>;
}

/** The streams of a session that one process serves. */
export class MemorySessionStreams implements SessionStreams {
  readonly #session: StreamedSession;
  readonly #log: ReplayLog;
  /** The client has, or has had, the standalone stream. */
  #wasOpened = false;

  /** @param bytes The most bytes of events to keep. */
  constructor(session: StreamedSession, bytes: number) {
    this.#session = session;
    this.#log = new ReplayLog(bytes);
  }

  get isPolled(): boolean {
    return this.#session.connection.revision?.polledStreams === true;
  }

  get isConnected(): boolean {
    return this.#log.isConnected;
  }

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
