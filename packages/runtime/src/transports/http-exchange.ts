import type { Outlet } from "../call.js";
import type { Answer } from "../connection.js";
import type { HeaderReader } from "../headers.js";
import { eventText, KEEP_ALIVE } from "./event-text.js";
import type { Accepted } from "./media-types.js";
import type { ReplayLog, SessionStream } from "./replay.js";

export type Headers = Record<string, string>;

/** A request, as far as the endpoint looks at it. */
export interface HttpIncoming {
  readonly method: string;
  /** The path and what follows it; where the transport has the whole URL, all of it. */
  readonly target: string;
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
  /** Sends the text of events. False when the client has gone, or was too slow and was cut off. */
  write(text: string): boolean;
  end(): void;
}

/** Where the messages about one request go when there are several. */
export interface EventChannel {
  send(data: string): void;
  keepAlive(): void;
  /** Sends the last message, if there is one, and ends the stream. */
  finish(data: string | undefined): void;
}

export const EVENT_STREAM_HEADERS: Headers = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
};

/** How the streams of a legacy session are kept for its client. */
export interface Resumption {
  readonly log: ReplayLog;
  /** The client knows what to do with a stream that ends early. */
  readonly polled: boolean;
}

/**
 * The answer to one POST: plain JSON, unless something had to be said before the answer was there; then a
 * stream of events that ends with it.
 */
export class HttpExchange implements Outlet {
  readonly #outgoing: HttpOutgoing;
  readonly #accepted: Accepted;
  readonly #headers: Headers;
  #resumption: Resumption | undefined;
  #channel: EventChannel | undefined;
  /** The channel again, where its client may come back for it. */
  #resumable: SessionStream | undefined;
  #finished = false;

  constructor(outgoing: HttpOutgoing, accepted: Accepted, headers: Headers) {
    this.#outgoing = outgoing;
    this.#accepted = accepted;
    this.#headers = headers;
  }

  get acceptsEvents(): boolean {
    return this.#accepted.events;
  }

  /** Has a session keep what is sent as events. */
  resumeBy(resumption: Resumption): void {
    this.#resumption = resumption;
  }

  notify(text: string): void {
    if (this.#finished || !this.#accepted.events) return;
    this.#open().send(text);
  }

  disconnect(retryMs: number): void {
    if (this.#finished || !this.#accepted.events || this.#resumption?.polled !== true) return;
    this.#open();
    this.#resumable?.disconnect(retryMs);
  }

  /** Shows the client, and whatever is between, that the answer is still being worked on. */
  keepAlive(): void {
    if (this.#finished || !this.#accepted.events) return;
    const channel = this.#open();
    // Streams that a session keeps are seen to by the session, whichever connection carries them.
    if (this.#resumable === undefined) channel.keepAlive();
  }

  /** Gives the answer; without one, ends the response empty. */
  finish(answer: Answer | undefined, more: Headers = {}): void {
    if (this.#finished) return;
    this.#finished = true;
    const usesStream = this.#channel !== undefined || (this.#accepted.events && !this.#accepted.json);
    if (answer !== undefined && !usesStream) {
      const headers = { ...this.#headers, ...more, "content-type": "application/json" };
      this.#outgoing.respond(answer.status, headers, answer.text);
      return;
    }
    this.#open(more).finish(answer?.text);
  }

  /** Says that a message was taken in which asks for no answer. */
  acknowledge(): void {
    this.#finished = true;
    this.#outgoing.respond(202, this.#headers);
  }

  /** The client has gone. It may come back for a stream that a session keeps; else nothing more can reach it. */
  forget(): void {
    if (this.#resumable === undefined) this.#finished = true;
  }

  #open(more: Headers = {}): EventChannel {
    if (this.#channel !== undefined) return this.#channel;
    const stream = this.#outgoing.stream({ ...this.#headers, ...more, ...EVENT_STREAM_HEADERS });
    if (this.#resumption === undefined) {
      this.#channel = plainChannel(stream);
      return this.#channel;
    }
    const { log, polled } = this.#resumption;
    const resumable = log.open();
    resumable.attach(stream, 0);
    if (polled) resumable.prime();
    this.#outgoing.onDisconnect(() => resumable.detach(stream));
    this.#resumable = resumable;
    this.#channel = resumable;
    return resumable;
  }
}

function plainChannel(stream: EventStream): EventChannel {
  return {
    send: (data) => {
      stream.write(eventText(data));
    },
    keepAlive: () => {
      stream.write(KEEP_ALIVE);
    },
    finish: (data) => {
      if (data !== undefined) stream.write(eventText(data));
      stream.end();
    },
  };
}
