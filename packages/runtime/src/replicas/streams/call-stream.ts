import { eventText, KEEP_ALIVE } from "../../transports/http/exchange/event-text.js";
import type { EventChannel, EventStream } from "../../transports/http/exchange/exchange.js";
import type { Replica } from "../replica.js";
import { callEventId } from "./event-ids.js";
import { EventWriter } from "./event-writer.js";
import type { SessionLog } from "./session-log.js";

/** How the client is asked to come back to whoever goes on with the call, in milliseconds. */
const COME_BACK_MS = 100;

export interface CallStreamOptions {
  readonly replica: Replica;
  readonly log: SessionLog;
  readonly name: string;
  /** Which run of the handler writes: 1 for the first. */
  readonly run: number;
  /** The most bytes that wait for a store which cannot be asked. */
  readonly mostBytes: number;
  /** The client's revision has events without data. */
  readonly isPolled: boolean;
  /** Called when nothing more is written. */
  onEnd?(): void;
}

/**
 * The stream of a request, as the process writes it that runs the handler: each event is kept before it is sent. Once
 * another process has taken the stream over, nothing is written here.
 */
export class CallStream implements EventChannel {
  readonly name: string;
  readonly #options: CallStreamOptions;
  readonly #writer: EventWriter;
  #connection: EventStream | undefined;
  /** Begins the response. */
  #begin: (() => EventStream) | undefined;
  /** Which of this process's terms as a replica the stream was last known to be its own in. */
  #term: number;

  constructor(options: CallStreamOptions) {
    const { replica, log, name, run, mostBytes } = options;
    this.#options = options;
    this.name = name;
    this.#term = replica.term;
    this.#writer = new EventWriter({
      log,
      stream: name,
      run,
      mostBytes,
      mayWrite: () => this.#mayWrite(),
      isConnected: () => this.isConnected,
    });
    if (run > 1) this.#writer.add({ kind: "taken", data: replica.id });
  }

  get isConnected(): boolean {
    return (this.#connection ?? this.#begin) !== undefined;
  }

  /**
   * Has a connection carry the stream from its beginning on.
   *
   * @param begin begins the response: not before there is an event, since a client that has a response without one does
   * not come back when its connection breaks, and is not told either that the call has failed
   */
  attach(begin: () => EventStream): void {
    this.#begin = begin;
    if (this.#options.isPolled) this.#writer.add({ kind: "mark", data: "" }, (id) => this.#prime(id));
  }

  /** The client has gone; it may come back. */
  detach(): void {
    this.#connection = undefined;
    this.#begin = undefined;
  }

  /** Lets go of the client, who may come back. */
  end(): void {
    this.#carry("");
    this.#connection?.end();
    this.detach();
  }

  send(data: string, isLast = false): void {
    const write = (id: string | undefined): void => {
      this.#carry(eventText(data, this.#field(id)));
    };
    this.#writer.add({ kind: "message", data }, write, isLast);
  }

  /** Fulfilled when the last message is kept, or sent. */
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
      this.#prime(id, retryMs);
      this.end();
    };
    this.#writer.add(undefined, end, true);
  }

  /** Another process goes on: nothing more comes from this one, and the client is asked to come back. */
  handOver(): void {
    this.#writer.close();
    if (this.#options.isPolled) this.#prime(this.#writer.lastId, COME_BACK_MS);
    this.end();
    this.#options.onEnd?.();
  }

  keepAlive(): void {
    this.#writer.add(undefined, () => this.#carry(KEEP_ALIVE));
    const { replica, log } = this.#options;
    // Written to from time to time so that it is not forgotten, and so as to see that it is another's.
    if (this.#writer.quietMs > log.ttlMs / 3 || replica.term !== this.#term) {
      this.#writer.add({ kind: "mark", data: "" });
    }
  }

  /** A process that was stopped for a while may have been taken for dead. */
  async #mayWrite(): Promise<boolean> {
    const { replica, log, name, run } = this.#options;
    const { term } = replica;
    if (replica.isHeld && term === this.#term) return true;
    const later = (await log.ofStream(name)).some((event) => event.run > run);
    if (later) this.handOver();
    else if (replica.isHeld) this.#term = term;
    return !later;
  }

  #prime(id: string | undefined, retryMs?: number): void {
    const retry = retryMs === undefined ? "" : `retry: ${retryMs}\n`;
    if (id !== undefined) this.#carry(eventText("", this.#field(id) + retry));
  }

  /** Sends it to the client that is there; what it answers a request with begins here at the latest. */
  #carry(text: string): void {
    this.#connection ??= this.#begin?.();
    this.#begin = undefined;
    if (text !== "") this.#connection?.write(text);
  }

  #field(id: string | undefined): string {
    return id === undefined ? "" : `id: ${callEventId(this.name, this.#options.run, id)}\n`;
  }
}
