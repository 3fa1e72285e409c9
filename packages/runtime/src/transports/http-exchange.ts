import type { Outlet } from "../call.js";
import type { Answer } from "../connection.js";
import type { HeaderReader } from "../headers.js";
import type { Accepted } from "./media-types.js";

export type Headers = Record<string, string>;

/** A request, as far as the endpoint looks at it. */
export interface HttpIncoming {
  readonly method: string;
  readonly header: HeaderReader;
  /**
   * Hands over the whole body, or says why there is none. Counts bytes as they arrive, whatever the headers
   * claim, and holds no more than `limit` of them.
   */
  read(limit: number, done: (body: Uint8Array | "too-large" | "aborted") => void): void;
}

/** A response. Either `respond` or `stream` is called, once. */
export interface HttpOutgoing {
  respond(status: number, headers: Headers, body?: string): void;
  stream(headers: Headers): EventStream;
  /** Calls back if the client goes away before the response is complete. */
  onDisconnect(listener: () => void): void;
}

/** A response of server-sent events under way. */
export interface EventStream {
  /** Sends one event's text, which must not hold newlines. False when the client is too slow and was cut off. */
  send(data: string): boolean;
  /** Sends what clients ignore, so that the connection is seen to be alive. */
  keepAlive(): void;
  end(): void;
}

export const EVENT_STREAM_HEADERS: Headers = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
};

/**
 * The answer to one POST: plain JSON, unless something had to be said before the answer was there; then a
 * stream of events that ends with it.
 */
export class HttpExchange implements Outlet {
  readonly #outgoing: HttpOutgoing;
  readonly #accepted: Accepted;
  readonly #headers: Headers;
  #stream: EventStream | undefined;
  #finished = false;

  constructor(outgoing: HttpOutgoing, accepted: Accepted, headers: Headers) {
    this.#outgoing = outgoing;
    this.#accepted = accepted;
    this.#headers = headers;
  }

  notify(text: string): void {
    if (this.#finished || !this.#accepted.events) return;
    this.#open().send(text);
  }

  /** Shows the client, and whatever is between, that the answer is still being worked on. */
  keepAlive(): void {
    if (this.#finished || !this.#accepted.events) return;
    this.#open().keepAlive();
  }

  /** Gives the answer; without one, ends the response empty. */
  finish(answer: Answer | undefined, more: Headers = {}): void {
    if (this.#finished) return;
    this.#finished = true;
    const usesStream = this.#stream !== undefined || (this.#accepted.events && !this.#accepted.json);
    if (answer !== undefined && !usesStream) {
      const headers = { ...this.#headers, ...more, "content-type": "application/json" };
      this.#outgoing.respond(answer.status, headers, answer.text);
      return;
    }
    const stream = this.#open(more);
    if (answer !== undefined) stream.send(answer.text);
    stream.end();
  }

  /** Says that a message was taken in which asks for no answer. */
  acknowledge(): void {
    this.#finished = true;
    this.#outgoing.respond(202, this.#headers);
  }

  /** The client has gone; nothing more can reach it. */
  forget(): void {
    this.#finished = true;
  }

  #open(more: Headers = {}): EventStream {
    this.#stream ??= this.#outgoing.stream({ ...this.#headers, ...more, ...EVENT_STREAM_HEADERS });
    return this.#stream;
  }
}
