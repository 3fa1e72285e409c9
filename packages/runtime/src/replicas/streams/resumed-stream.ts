import * as ErrorCode from "../../protocol/error-codes.js";
import { errorText } from "../../protocol/jsonrpc.js";
import { eventText, KEEP_ALIVE } from "../../transports/http/exchange/event-text.js";
import type { EventStream, HttpExchange } from "../../transports/http/exchange/exchange.js";
import { refuse } from "../../transports/http/exchange/refusal.js";
import type { OrphanedCall, TakeOver } from "../../transports/http/sessions/session-streams.js";
import type { Replica } from "../replica.js";
import { callEventId, type StreamPlace } from "./event-ids.js";
import type { LoggedEvent, LogPart, SessionLog } from "./session-log.js";

/** How long a stream is silent before it is asked whether its writer is alive: longer each time, in milliseconds. */
const FIRST_SILENCE_MS = 2000;
const LONGEST_SILENCE_MS = 8000;

const RETRY_MS = 1000;

const STOPPED = "The process that worked on this call has stopped. The call may be made again.";

export interface ResumedStreamOptions {
  readonly replica: Replica;
  readonly log: SessionLog;
  readonly session: string;
  readonly place: StreamPlace;
  /** The client's revision has events without data. */
  readonly isPolled: boolean;
  readonly takeOver: TakeOver | undefined;
}

/**
 * The stream of a request as any process serves it to the client that has lost it: what was kept since, and then what
 * comes, until it ends. Where its writer has died and nobody goes on with the call, it ends with an error.
 */
export class ResumedStream {
  readonly #options: ResumedStreamOptions;
  readonly #stopping = new AbortController();
  #connection: EventStream | undefined;
  /** How far the session's log was read. */
  #after: string;
  /** What earlier runs of the handler write no longer counts. */
  #run: number;
  #writer: string | undefined;

  constructor(options: ResumedStreamOptions) {
    const { after, run, writer } = options.place;
    this.#options = options;
    this.#after = after;
    this.#run = run;
    this.#writer = run === 1 ? writer : undefined;
  }

  /** Answers the GET. Fulfilled when the stream has ended, or its client has gone. */
  async serve(exchange: HttpExchange): Promise<void> {
    const first = await this.#options.log.read(this.#after).catch(() => undefined);
    if (this.#stopping.signal.aborted) return;
    if (first?.gap === true) return refuse(exchange, 400, "What followed that Last-Event-ID is not kept.");
    const events = first === undefined ? [] : this.#own(first);
    // The client has seen all there is; a stream that brings nothing would have some come back again and again.
    if (events[0]?.kind === "end") return exchange.respond(204);
    // Also while the store cannot be asked: clients do not ask often.
    this.#connection = exchange.streamUntilExpiry(() => this.#stopping.abort());
    // One that brought nothing would have its client forget the place when it breaks.
    if (this.#options.isPolled) this.#write("", this.#options.place.after);
    if (!this.#send(events)) await this.#follow();
    this.end();
  }

  keepAlive(): void {
    if (this.#connection?.write(KEEP_ALIVE) === false) this.end();
  }

  /** Lets go of the client, who may come back. */
  end(): void {
    this.#stopping.abort();
    this.#connection?.end();
  }

  async #follow(): Promise<void> {
    const { signal } = this.#stopping;
    const { log } = this.#options;
    let waitMs = FIRST_SILENCE_MS;
    while (!signal.aborted) {
      try {
        const part = await log.read(this.#after, { waitMs, signal });
        if (part.gap || this.#send(this.#own(part))) return;
        if (part.events.length > 0 || signal.aborted) continue;
        waitMs = Math.min(waitMs * 2, LONGEST_SILENCE_MS);
        await this.#seeToWriter();
      } catch {
        // The log has it.
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS).unref());
      }
    }
  }

  /** The events of this stream that count. */
  #own({ events }: LogPart): LoggedEvent[] {
    this.#after = events.at(-1)?.id ?? this.#after;
    return events.filter(({ stream, run, kind, data }) => {
      if (stream !== this.#options.place.stream || run < this.#run) return false;
      this.#run = run;
      if (kind === "taken") this.#writer = data;
      return true;
    });
  }

  /** True when that was the end. */
  #send(events: readonly LoggedEvent[]): boolean {
    for (const { kind, data, id } of events) {
      if (kind === "end") return true;
      if (kind === "message") this.#write(data, id);
    }
    return false;
  }

  async #seeToWriter(): Promise<void> {
    const { replica, log, session, takeOver, place } = this.#options;
    const { stream, requests } = place;
    this.#writer ??= await this.#lastTaker();
    if (this.#writer !== undefined && (await replica.isAlive(this.#writer))) return;
    // It may have ended with the last thing it did.
    const isOver = (await log.ofStream(stream, this.#after)).length > 0;
    const call: OrphanedCall = { session, stream, requests };
    if (isOver || (await takeOver?.(call)) === true) return;
    const error = (id: StreamPlace["requests"]): string =>
      Array.isArray(id)
        ? `[${id.map(error).join()}]`
        : errorText(id as string, ErrorCode.InternalError, STOPPED);
    await log.append(stream, this.#run + 1, [
      { kind: "message", data: error(requests) },
      { kind: "end", data: "" },
    ]);
  }

  /** Whoever took the stream over before the place where the client has left it. */
  async #lastTaker(): Promise<string | undefined> {
    const events = await this.#options.log.ofStream(this.#options.place.stream);
    return events.findLast(({ kind, run }) => kind === "taken" && run >= this.#run)?.data;
  }

  #write(data: string, id: string): void {
    const { stream } = this.#options.place;
    const text = eventText(data, `id: ${callEventId(stream, this.#run, id)}\n`);
    if (this.#connection?.write(text) === false) this.end();
  }
}
