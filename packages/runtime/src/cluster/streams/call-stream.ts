import { toEventText, KEEP_ALIVE } from "../../transports/http/exchange/event-text.js";
import type { EventChannel, EventStream } from "../../transports/http/exchange/exchange.js";
import type { Replica } from "../replicas/replica.js";
import { createCallEventId } from "./event-ids.js";
import { EventWriter } from "./event-writer.js";
import type { SessionLog } from "./session-log.js";

/** The delay before the client reconnects to the process that continues the call, in milliseconds. */
const RECONNECT_DELAY_MS = 100;

/** The options of a stream. */
export interface CallStreamOptions {
  readonly replica: Replica;
  readonly log: SessionLog;
  readonly name: string;
  /** The number of the handler's run that writes: 1 for the first. */
  readonly run: number;
  /** Maximum number of bytes that wait for an unreachable store. */
  readonly maxBytes: number;
  /** Whether the client's revision has events without data. */
  readonly canPoll: boolean;
  /** Called after the last write. */
  onEnd?(): void;
}

/**
 * The stream of a request, in the process that runs the handler: each event is stored before it is sent. After another
 * process has taken the stream over, this one writes nothing.
 */
export class CallStream implements EventChannel {
  readonly name: string;
  readonly #options: CallStreamOptions;
  readonly #writer: EventWriter;
  #connection: EventStream | undefined;
  /** Starts the response. */
  #begin: (() => EventStream) | undefined;
  /** The latest lease of this process under which it is known to own the stream. */
  #term: number;

  constructor(options: CallStreamOptions) {
    const { replica, log, name, run, maxBytes } = options;
    this.#options = options;
    this.name = name;
    this.#term = replica.term;
    this.#writer = new EventWriter({
      log,
      stream: name,
      run,
      maxBytes,
      mayWrite: () => this.#mayWrite(),
      isConnected: () => this.isConnected,
    });
    if (run > 1) this.#writer.add({ kind: "taken", data: replica.id });
  }

  get isConnected(): boolean {
    return (this.#connection ?? this.#begin) !== undefined;
  }

  /**
   * Sends the stream over a connection, from its beginning.
   *
   * @param begin starts the response; called for the first event, since a client with an empty response neither
   *   reconnects when its connection breaks, nor sees that the call has failed
   */
  attach(begin: () => EventStream): void {
    this.#begin = begin;
    if (this.#options.canPoll) this.#writer.add({ kind: "mark", data: "" }, (id) => this.#sendCursor(id));
  }

  /** Forgets the connection of a client that has disconnected. The client may reconnect. */
  detach(): void {
    this.#connection = undefined;
    this.#begin = undefined;
  }

  /** Closes the connection of the client, which may reconnect. */
  end(): void {
    this.#write("");
    this.#connection?.end();
    this.detach();
  }

  send(data: string, isLast = false): void {
    const write = (id: string | undefined): void => {
      this.#write(toEventText(data, this.#formatId(id)));
    };
    this.#writer.add({ kind: "message", data }, write, isLast);
  }

  /** Resolves when the last message is stored, or sent. */
  finish(data: string | undefined): Promise<void> {
    if (data !== undefined) this.send(data, true);
    const end = (): void => {
      this.end();
      this.#options.onEnd?.();
    };
    this.#writer.add({ kind: "end", data: "" }, end, true);
    return this.#writer.done;
  }

  disconnect(retryMs: number): void {
    const end = (id: string | undefined): void => {
      this.#sendCursor(id, retryMs);
      this.end();
    };
    this.#writer.add(undefined, end, true);
  }

  /** Stops writing because another process continues, and lets the client reconnect. */
  handOver(): void {
    this.#writer.close();
    if (this.#options.canPoll) this.#sendCursor(this.#writer.lastId, RECONNECT_DELAY_MS);
    this.end();
    this.#options.onEnd?.();
  }

  keepAlive(): void {
    this.#writer.add(undefined, () => this.#write(KEEP_ALIVE));
    const { replica, log } = this.#options;
    // Regular writes keep the stream from expiring, and show whether another process has taken it over.
    if (this.#writer.quietMs > log.ttlMs / 3 || replica.term !== this.#term) this.mark();
  }

  /** Stores an event that clients do not receive, which shows that the stream continues. */
  mark(): void {
    this.#writer.add({ kind: "mark", data: "" });
  }

  /** Returns whether this process still owns the stream. If it was paused, others may have considered it dead. */
  async #mayWrite(): Promise<boolean> {
    const { replica, log, name, run } = this.#options;
    const { term } = replica;
    if (replica.isHeld && term === this.#term) return true;
    const isTakenOver = (await log.readStream(name)).some((event) => event.run > run);
    if (isTakenOver) this.handOver();
    else if (replica.isHeld) this.#term = term;
    return !isTakenOver;
  }

  #sendCursor(id: string | undefined, retryMs?: number): void {
    const retry = retryMs === undefined ? "" : `retry: ${retryMs}\n`;
    if (id !== undefined) this.#write(toEventText("", this.#formatId(id) + retry));
  }

  /** Sends a string to the connected client. Starts the response if it has not begun. */
  #write(text: string): void {
    this.#connection ??= this.#begin?.();
    this.#begin = undefined;
    if (text !== "") this.#connection?.write(text);
  }

  #formatId(id: string | undefined): string {
    return id === undefined ? "" : `id: ${createCallEventId(this.name, this.#options.run, id)}\n`;
  }
}
