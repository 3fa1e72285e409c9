import type { Limits } from "../../api/limits.js";
import type { ChangeFilter } from "../../transports/transport.js";
import type { EventChannel, HttpExchange } from "../../transports/http/exchange/exchange.js";
import { accepts } from "../../transports/http/exchange/media-types.js";
import { reject, rejectFor } from "../../transports/http/exchange/rejection.js";
import type {
  SessionStreams,
  SharedStreams,
  StreamedSession,
  TakeOver,
} from "../../transports/http/sessions/session-streams.js";
import type { Replica } from "../replicas/replica.js";
import type { StoreChanges } from "../changes/store-changes.js";
import { CallStream, type CallStreamOptions } from "./call-stream.js";
import { parseCallEventId, createCallStreamName, parseStandaloneEventId } from "./event-ids.js";
import { EventWriter } from "./event-writer.js";
import { ResumedStream } from "./resumed-stream.js";
import { SessionLog, STANDALONE } from "./session-log.js";
import { StandaloneStream } from "./standalone-stream.js";

export interface StoreStreamsOptions {
  readonly replica: Replica;
  readonly changes: StoreChanges;
  readonly limits: Pick<Limits, "maxReplayBytes" | "sessionIdleTimeoutMs">;
}

/** The kind of message that asks the process that writes a stream to mark it. */
const MARK = "mark-stream";

/** The event streams of legacy sessions in the store, so that any process can continue them. */
export class StoreStreams implements SharedStreams {
  takeOver: TakeOver | undefined;
  readonly #options: StoreStreamsOptions;
  /** The streams that this process writes, by name. */
  readonly #written = new Map<string, CallStream>();
  #nextNumber = 1;

  constructor(options: StoreStreamsOptions) {
    this.#options = options;
    options.replica.on(MARK, (name) => this.#written.get(name as string)?.mark());
  }

  getStreams(session: StreamedSession): SessionStreams {
    return new StoreSessionStreams(this, this.#options, session);
  }

  createWriter(session: string, stream: string, run: number): EventChannel {
    return this.createStream(session, { name: stream, run, canPoll: false });
  }

  /** Creates a stream that this process writes. */
  createStream(
    session: string,
    options: Pick<CallStreamOptions, "name" | "run" | "canPoll" | "onEnd">,
  ): CallStream {
    const { replica, limits } = this.#options;
    const { name } = options;
    const stream: CallStream = new CallStream({
      ...options,
      replica,
      log: this.getLog(session, "calls"),
      maxBytes: limits.maxReplayBytes,
      onEnd: () => {
        if (this.#written.get(name) === stream) this.#written.delete(name);
        options.onEnd?.();
      },
    });
    this.#written.set(name, stream);
    return stream;
  }

  /** Asks the process that writes a stream, if there is one, to mark it. */
  async requestMark(name: string): Promise<void> {
    this.#written.get(name)?.mark();
    await this.#options.replica.broadcast(MARK, name);
  }

  async getSentMessages(session: string, stream: string): Promise<string[]> {
    const events = await this.getLog(session, "calls").readStream(stream);
    return events.flatMap(({ kind, data }) => (kind === "message" ? data : []));
  }

  getLog(session: string, scope: "calls" | "standalone"): SessionLog {
    const { replica, limits } = this.#options;
    const { maxReplayBytes: maxBytes, sessionIdleTimeoutMs: ttlMs } = limits;
    return new SessionLog({ replica, session, scope, maxBytes, ttlMs });
  }

  /** Returns a name that is unique among the streams of all processes. */
  createStreamName(session: string, message: unknown): string | undefined {
    return createCallStreamName(this.#options.replica.id, this.#nextNumber++, session, message);
  }
}

/** A stream that this process serves or writes. */
interface OpenStream {
  keepAlive(): void;
  end(): void;
}

class StoreSessionStreams implements SessionStreams {
  readonly #streams: StoreStreams;
  readonly #options: StoreStreamsOptions;
  readonly #session: StreamedSession;
  readonly #calls = new Set<CallStream>();
  readonly #served = new Set<OpenStream>();
  #standaloneWriter: EventWriter | undefined;
  #filter: ChangeFilter | undefined;

  constructor(streams: StoreStreams, options: StoreStreamsOptions, session: StreamedSession) {
    this.#streams = streams;
    this.#options = options;
    this.#session = session;
  }

  get canPoll(): boolean {
    return this.#session.connection.revision?.hasPolledStreams === true;
  }

  get isConnected(): boolean {
    if (this.#served.size > 0) return true;
    for (const call of this.#calls) if (call.isConnected) return true;
    return false;
  }

  setChangeFilter(filter: ChangeFilter): void {
    this.#filter = filter;
  }

  send(text: string): void {
    this.#standaloneWriter ??= new EventWriter({
      log: this.#getLog("standalone"),
      stream: STANDALONE,
      run: 0,
      mayWrite: () => true,
      isConnected: () => false,
      maxBytes: this.#options.limits.maxReplayBytes,
    });
    this.#standaloneWriter.add({ kind: "message", data: text });
  }

  open(exchange: HttpExchange): EventChannel | undefined {
    const name = this.#streams.createStreamName(this.#id, exchange.message);
    if (name === undefined) return undefined;
    const channel: CallStream = this.#streams.createStream(this.#id, {
      name,
      run: 1,
      canPoll: this.canPoll,
      onEnd: () => this.#calls.delete(channel),
    });
    this.#calls.add(channel);
    channel.attach(() => exchange.beginEvents());
    exchange.onDisconnect(() => channel.detach());
    return channel;
  }

  resume(exchange: HttpExchange, onEnd: () => void): void {
    if (!accepts(exchange.header("accept"), "text/event-stream")) {
      return reject(exchange, 406, "Accept must allow text/event-stream.");
    }
    const lastEventId = exchange.header("last-event-id");
    const cursor = parseCallEventId(lastEventId ?? "", this.#id);
    const standalone = parseStandaloneEventId(lastEventId ?? "");
    if (lastEventId !== undefined && (cursor ?? standalone) === undefined) {
      return reject(exchange, 400, "The events after this Last-Event-ID are no longer stored.");
    }
    const { replica, changes } = this.#options;
    const { canPoll } = this;
    const session = this.#id;
    if (cursor !== undefined) {
      const { takeOver } = this.#streams;
      const log = this.#getLog("calls");
      const requestMark = (): Promise<void> => this.#streams.requestMark(cursor.stream);
      const stream = new ResumedStream({ replica, log, session, cursor, canPoll, takeOver, requestMark });
      return this.#serve(exchange, stream, stream.serve(exchange), onEnd);
    }
    const { openedAt = 0 } = this.#session.connection.agreement ?? {};
    const filter = this.#filter;
    const log = this.#getLog("standalone");
    const stream = new StandaloneStream({ replica, log, changes, session, openedAt, filter, canPoll });
    this.#serve(exchange, stream, stream.serve(exchange, standalone), onEnd);
  }

  keepAlive(): void {
    for (const stream of this.#served) stream.keepAlive();
  }

  end(): void {
    for (const stream of this.#served) stream.end();
    for (const call of this.#calls) call.end();
  }

  #serve(exchange: HttpExchange, stream: OpenStream, served: Promise<void>, onEnd: () => void): void {
    this.#served.add(stream);
    const finish = (): void => {
      this.#served.delete(stream);
      onEnd();
    };
    exchange.onDisconnect(() => stream.end());
    void served.catch((error: unknown) => rejectFor(exchange, error)).finally(finish);
  }

  get #id(): string {
    return this.#session.connection.agreement?.id ?? "";
  }

  #getLog(scope: "calls" | "standalone"): SessionLog {
    return this.#streams.getLog(this.#id, scope);
  }
}
