import * as ErrorCode from "../../protocol/error-codes.js";
import { toErrorText } from "../../protocol/jsonrpc.js";
import { toEventText, KEEP_ALIVE } from "../../transports/http/exchange/event-text.js";
import type { EventStream, HttpExchange } from "../../transports/http/exchange/exchange.js";
import type { OrphanedCall, TakeOver } from "../../transports/http/sessions/session-streams.js";
import { followStream, type StreamEntries } from "../replicas/follow-stream.js";
import type { Replica } from "../replicas/replica.js";
import { createCallEventId, type CallStreamCursor } from "./event-ids.js";
import type { LoggedEvent, SessionLog } from "./session-log.js";

/** The silence after which a stream checks whether its writer is alive, in milliseconds. It grows with each check. */
const MIN_SILENCE_MS = 2000;
const MAX_SILENCE_MS = 8000;

/** The time after a gap within which the writer marks its stream, in milliseconds. */
const MARK_TIMEOUT_MS = 5000;

const LOST = "The server has lost the messages about this call. Call again if the call is safe to repeat.";
const STOPPED = "The process that worked on this call has stopped. Call again if the call is safe to repeat.";

export interface ResumedStreamOptions {
  readonly replica: Replica;
  readonly log: SessionLog;
  readonly session: string;
  readonly cursor: CallStreamCursor;
  /** Whether the client's revision has events without data. */
  readonly canPoll: boolean;
  readonly takeOver: TakeOver | undefined;
  /** Asks the writer of the stream, if there is one, to mark it. */
  requestMark(): Promise<void>;
}

/**
 * The stream of a request, for a client that lost it and reconnects at any process: the stored events, then new ones,
 * until it ends. If its writer has crashed, or the store has lost events and no process marks the stream, and no process
 * continues the call, the stream ends with an error.
 */
export class ResumedStream {
  readonly #options: ResumedStreamOptions;
  readonly #stopping = new AbortController();
  #connection: EventStream | undefined;
  /** The last entry of the session's log that was read. */
  #after: string;
  /** The latest run of the handler. Entries of earlier runs are ignored. */
  #run: number;
  /** The number of the latest event in its run. */
  #number = 0;
  #writer: string | undefined;
  /** The time since which events are missing, until another event shows that the stream continues. */
  #gapSince: number | undefined;

  constructor(options: ResumedStreamOptions) {
    const { after, run, writer } = options.cursor;
    this.#options = options;
    this.#after = after;
    this.#run = run;
    this.#writer = run === 1 ? writer : undefined;
  }

  /** Responds to the GET. Resolves when the stream has ended, or its client has disconnected. */
  async serve(exchange: HttpExchange): Promise<void> {
    const first = await this.#options.log.read(this.#after).catch(() => undefined);
    if (this.#stopping.signal.aborted) return;
    const events = first === undefined ? [] : this.#selectEvents(first);
    // The client has all events. After an empty stream, some clients would reconnect again and again.
    if (first?.missed === false && events[0]?.kind === "end") return exchange.respond(204);
    // The stream begins even while the store is unreachable, since clients do not retry often.
    this.#connection = exchange.streamUntilExpiry(() => this.#stopping.abort());
    // A client that receives no event ID would lose its cursor when the connection breaks.
    if (this.#options.canPoll) this.#write("", this.#options.cursor.after);
    if (!this.#send(events)) await this.#follow();
    this.end();
  }

  keepAlive(): void {
    if (this.#connection?.write(KEEP_ALIVE) === false) this.end();
  }

  /** Disconnects the client, which may reconnect. */
  end(): void {
    this.#stopping.abort();
    this.#connection?.end();
  }

  async #follow(): Promise<void> {
    const { log } = this.#options;
    await followStream({
      read: (after, options) => log.read(after, options),
      after: this.#after,
      signal: this.#stopping.signal,
      getWaitMs: (silentReads) =>
        this.#gapSince === undefined
          ? Math.min(MIN_SILENCE_MS * 2 ** silentReads, MAX_SILENCE_MS)
          : MIN_SILENCE_MS,
      onEntries: (part) => this.#send(this.#selectEvents(part)),
      onSilence: () => this.#checkWriter(),
    });
  }

  /** Returns the events of this stream from its latest run. */
  #selectEvents({ entries, missed }: StreamEntries<LoggedEvent>): LoggedEvent[] {
    this.#after = entries.at(-1)?.id ?? (missed ? "" : this.#after);
    if (missed) {
      this.#gapSince ??= performance.now();
      // If the store fails, the mark is requested again with the next check.
      this.#options.requestMark().catch(() => {});
    }
    return entries.filter(({ stream, run, number, kind, data }) => {
      if (stream !== this.#options.cursor.stream || run < this.#run) return false;
      if (run === this.#run && number > 0 && number <= this.#number) return false;
      this.#number = number;
      this.#run = run;
      if (kind === "taken") this.#writer = data;
      return true;
    });
  }

  /** Sends events. Returns true at the end of the stream. */
  #send(events: readonly LoggedEvent[]): boolean {
    if (events.length > 0) this.#gapSince = undefined;
    for (const { kind, data, id } of events) {
      if (kind === "end") return true;
      if (kind === "message") this.#write(data, id);
    }
    return false;
  }

  async #checkWriter(): Promise<void> {
    const { replica, log, session, takeOver, cursor, requestMark } = this.#options;
    const { stream, requests } = cursor;
    const hasGap = this.#gapSince !== undefined;
    if (this.#gapSince !== undefined && performance.now() - this.#gapSince < MARK_TIMEOUT_MS)
      return requestMark();
    this.#writer ??= await this.#findLastWriter();
    if (!hasGap && this.#writer !== undefined && (await replica.isAlive(this.#writer))) return;
    // The writer may have ended the stream before it crashed.
    const isDone = (await log.readStream(stream, this.#after)).length > 0;
    const call: OrphanedCall = { session, stream, requests };
    if (isDone || (await takeOver?.(call)) === true) return;
    await this.#endWithError(hasGap ? LOST : STOPPED);
  }

  /** Stores an error as the last message of the stream. */
  async #endWithError(message: string): Promise<void> {
    const { log, cursor } = this.#options;
    const toErrorResponses = (id: CallStreamCursor["requests"]): string =>
      Array.isArray(id)
        ? `[${id.map(toErrorResponses).join()}]`
        : toErrorText(id as string, ErrorCode.InternalError, message);
    await log.append(cursor.stream, this.#run + 1, [
      { kind: "message", data: toErrorResponses(cursor.requests) },
      { kind: "end", data: "" },
    ]);
  }

  /** Returns the process that took the stream over before the client's cursor. */
  async #findLastWriter(): Promise<string | undefined> {
    const events = await this.#options.log.readStream(this.#options.cursor.stream);
    return events.findLast(({ kind, run }) => kind === "taken" && run >= this.#run)?.data;
  }

  #write(data: string, id: string): void {
    const { stream } = this.#options.cursor;
    const text = toEventText(data, `id: ${createCallEventId(stream, this.#run, id)}\n`);
    if (this.#connection?.write(text) === false) this.end();
  }
}
