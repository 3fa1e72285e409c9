import type { RequestId } from "../../../protocol/jsonrpc.js";
import type { ChangeFilter, TransportConnection } from "../../transport.js";
import { reject } from "../exchange/rejection.js";
import type { EventChannel, HttpExchange, Resumption } from "../exchange/exchange.js";
import { accepts } from "../exchange/media-types.js";
import { ReplayLog } from "./stream-replay.js";

/** Maximum number of messages that wait for a client that opens its stream late. */
const MAX_EARLY_EVENTS = 100;

/** The event streams of a legacy session: a standalone one, and one for each request that needs it. */
export interface SessionStreams extends Resumption {
  /** Whether a connection of this process carries any of the streams. */
  readonly isConnected: boolean;
  /** Sends a message that belongs to no request. */
  send(text: string): void;
  /** Set if the streams read changes themselves. Receives the filter for the client's notifications. */
  setChangeFilter?(filter: ChangeFilter): void;
  /** Responds to a GET: opens the standalone stream, or resumes the one that the client lost. */
  resume(exchange: HttpExchange, onEnd: () => void): void;
  keepAlive(): void;
  /** Ends the streams in this process. */
  end(): void;
}

/** The session of streams. Complete after its client has opened it. */
export interface StreamedSession {
  readonly connection: TransportConnection;
}

/** A call whose process has died. */
export interface OrphanedCall {
  /** The session ID that handlers see. */
  readonly session: string;
  /** The stream on which the client waits for the response. */
  readonly stream: string;
  /** The ID of the request, or the IDs of a batch. */
  readonly requests: RequestId | readonly RequestId[];
}

/** Resolves to true if a process continues the call; otherwise its client receives an error. */
export type TakeOver = (call: OrphanedCall) => Promise<boolean>;

/** The streams of all legacy sessions, if several processes can continue them. */
export interface SharedStreams {
  /** Called whenever a client waits for a call of a process that has died. */
  takeOver: TakeOver | undefined;
  /** Returns the streams of a session. */
  getStreams(session: StreamedSession): SessionStreams;
  /**
   * Returns the writer for a process that takes over a call. It reaches the client at any process.
   *
   * @param session the session ID that handlers see
   * @param stream the stream, as in `Peer.stream`
   * @param run the number of the run, greater than those of all earlier runs, whose later messages are ignored
   */
  createWriter(session: string, stream: string, run: number): EventChannel;
  /** Returns the stored messages that the client was sent on a stream. */
  getSentMessages(session: string, stream: string): Promise<readonly string[]>;
}

/** The streams of a session in a single process. */
export class MemorySessionStreams implements SessionStreams {
  readonly #session: StreamedSession;
  readonly #log: ReplayLog;
  /** True after the client has opened the standalone stream. */
  #wasOpened = false;

  /** @param bytes maximum size of the stored events */
  constructor(session: StreamedSession, bytes: number) {
    this.#session = session;
    this.#log = new ReplayLog(bytes);
  }

  get canPoll(): boolean {
    return this.#session.connection.revision?.hasPolledStreams === true;
  }

  get isConnected(): boolean {
    return this.#log.isConnected;
  }

  send(text: string): void {
    const { standalone } = this.#log;
    if (this.#wasOpened || standalone.sequence < MAX_EARLY_EVENTS) standalone.send(text);
  }

  open(exchange: HttpExchange): EventChannel {
    const channel = this.#log.open();
    const stream = exchange.beginEvents();
    channel.attach(stream, 0);
    if (this.canPoll) channel.prime();
    exchange.onDisconnect(() => channel.detach(stream));
    return channel;
  }

  resume(exchange: HttpExchange, onEnd: () => void): void {
    if (!accepts(exchange.header("accept"), "text/event-stream")) {
      return reject(exchange, 406, "Accept must allow text/event-stream.");
    }
    const lastEventId = exchange.header("last-event-id");
    const position = lastEventId === undefined ? this.#openStandalone() : this.#log.find(lastEventId);
    if (position === undefined)
      return reject(exchange, 400, "The events after this Last-Event-ID are no longer stored.");
    const { stream, after } = position;
    // As specified for event streams: without 204, a client would reconnect to the empty stream forever.
    if (stream.isDone && after === stream.sequence) return exchange.respond(204);
    const events = exchange.streamUntilExpiry(() => {
      stream.detach(events);
      onEnd();
    });
    stream.attach(events, after);
    const isUpToDate = after === stream.sequence;
    if (isUpToDate && this.canPoll) stream.prime();
  }

  keepAlive(): void {
    this.#log.standalone.keepAlive();
  }

  end(): void {
    this.#log.end();
  }

  /** Opens the standalone stream for messages from now on and, the first time, for those sent before. */
  #openStandalone(): ReturnType<ReplayLog["find"]> {
    const { standalone } = this.#log;
    const after = this.#wasOpened ? standalone.sequence : 0;
    this.#wasOpened = true;
    return { stream: standalone, after };
  }
}
