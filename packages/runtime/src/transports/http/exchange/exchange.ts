import type { ServerResponse } from "node:http";
import type { Principal } from "../../../api/caller.js";
import { onExpiry } from "../../../connection/principal.js";
import type { RefusalLog } from "../../../log/refusal-log.js";
import type { HeaderReader } from "../../../protocol/headers.js";
import type { Revision } from "../../../protocol/revisions.js";
import type { Answer, Peer } from "../../transport.js";
import type { ProxyReader } from "./trusted-proxies.js";
import { eventText, KEEP_ALIVE } from "./event-text.js";
import { toAddress } from "./network-address.js";

/** Takes a request, and sees to its response. */
export type ExchangeHandler = (exchange: HttpExchange) => void;

/** What answers requests, whatever carries them. */
export interface Endpoint {
  readonly handle: ExchangeHandler;
  close(): Promise<void>;
}

/** A response of server-sent events under way. */
export interface EventStream {
  /** Sends the text of events. False when the client has gone, or was too slow and was cut off. */
  write(text: string): boolean;
  end(): void;
}

/** Where the messages about one request go when there are several. */
export interface EventChannel {
  /** Names it to other processes that may go on with it. Absent where none can. */
  readonly name?: string;
  send(data: string): void;
  keepAlive(): void;
  /** Sends the last message, if there is one, and ends the stream: at once, or when what it returns is fulfilled. */
  finish(data: string | undefined): void | Promise<void>;
  /** Asks the client to come back after so many milliseconds. Absent where it cannot. */
  disconnect?(retryMs: number): void;
  /** Sends nothing more, since another process goes on, and asks the client to come back. Absent where none can. */
  handOver?(): void;
}

/** Sends a whole response on whatever carries it. Ends with it, or when the client goes away. */
export interface ResponseSender {
  toNode(response: ServerResponse): Promise<void>;
  toWeb(resolve: (response: Response) => void): Promise<void>;
}

/** Channels that are kept for a client which loses its connection. */
export interface Resumption {
  /** The client knows what to do with a stream that ends early. */
  readonly isPolled: boolean;
  /** A channel for what the exchange's message asks; undefined where it cannot be kept. */
  open(exchange: HttpExchange): EventChannel | undefined;
}

/**
 * A request and its response, whatever carries them. The answer to a POST is plain JSON, unless a message had to be
 * sent before the answer was there; then it is a stream of events that ends with it.
 */
export abstract class HttpExchange implements Peer {
  abstract readonly method: string;
  /** The path and what follows it; where the transport has the whole URL, all of it. */
  abstract readonly target: string;
  abstract readonly header: HeaderReader;
  /** The address at the far end of the connection, where that is known. */
  protected abstract readonly peerAddress: string | undefined;
  /** Headers of the response, to be set before it begins. */
  readonly headers: Record<string, string> = {};
  /** On whose behalf the request comes, where that is known. */
  principal: Principal | undefined;
  /** Reads what trusted proxies say of the request. */
  proxies: ProxyReader | undefined;
  /** Takes note of its refusal. */
  refusals: RefusalLog | undefined;
  readonly endsWithAnswer = true;
  readonly repeatsInHeaders = true;
  /** Set where sessions are not kept: all that is known of the client then. */
  revision: Revision | undefined;
  acceptsJson = true;
  acceptsEvents = true;
  /** What it brought, once that is read. */
  message: unknown;
  /** Set where a session keeps what is sent as events. */
  resumption: Resumption | undefined;
  #channel: EventChannel | undefined;
  #finished = false;

  get address(): string | undefined {
    return this.proxies === undefined
      ? toAddress(this.peerAddress)
      : this.proxies.address(this.peerAddress, this.header);
  }

  /** How the client reached the server, or the proxies before it. */
  get scheme(): "http" | "https" {
    return this.proxies?.scheme(this.peerAddress, this.header) ?? (this.isEncrypted ? "https" : "http");
  }

  /** The connection itself is. */
  protected abstract readonly isEncrypted: boolean;

  /** All headers, those that come twice as well. */
  abstract fields(): Iterable<[name: string, value: string]>;

  /**
   * Hands over the whole body, or nothing if it is longer than `limit` bytes: these are counted as they arrive,
   * whatever the headers claim. Never calls back when the client goes away before that.
   */
  abstract read(limit: number, done: (body: Buffer | undefined) => void): void;

  /** Sends a whole response. Its text is JSON unless the headers say otherwise. */
  abstract respond(status: number, text?: string): void;

  /** Has the response sent by somebody else. */
  abstract carry(sender: ResponseSender): Promise<void>;

  /** Calls back if the client goes away before the response is complete. */
  abstract onDisconnect(listener: () => void): void;

  /** Begins a response with the headers as they are. */
  protected abstract begin(): EventStream;

  /** Begins a response of server-sent events. */
  beginEvents(): EventStream {
    Object.assign(this.headers, {
      "content-type": "text/event-stream",
      "cache-control": "no-cache, no-transform",
      "x-accel-buffering": "no",
    });
    return this.begin();
  }

  /**
   * The same, for as long as it is known on whose behalf it is: for streams that no answer ends.
   *
   * @param onEnd called when it ends, whoever ends it
   */
  streamUntilExpiry(onEnd: () => void): EventStream {
    const stream = this.beginEvents();
    let isOver = false;
    const close = (): void => {
      if (isOver) return;
      isOver = true;
      stopWaiting();
      stream.end();
      onEnd();
    };
    const stopWaiting = onExpiry(this.principal, close);
    this.onDisconnect(close);
    return { write: (text) => stream.write(text), end: close };
  }

  send(text: string): void {
    this.#earlyChannel()?.send(text);
  }

  closeStream(retryMs: number): void {
    if (this.resumption?.isPolled === true) this.#earlyChannel()?.disconnect?.(retryMs);
  }

  /** The stream of the messages about this request, which begins with that, where other processes can go on with it. */
  get stream(): string | undefined {
    // The answers of a batch come as one.
    return Array.isArray(this.message) ? undefined : this.#earlyChannel()?.name;
  }

  handOver(): void {
    this.#channel?.handOver?.();
    this.#finished = true;
  }

  /** Shows the client, and whatever is between, that the answer is still being worked on. */
  keepAlive(): void {
    this.#earlyChannel()?.keepAlive();
  }

  /** Gives the answer; without one, ends the response empty. Returns what is fulfilled then, unless that is at once. */
  finish(answer: Answer | undefined): void | Promise<void> {
    if (this.#finished) return;
    this.#finished = true;
    if (this.#channel === undefined) Object.assign(this.headers, answer?.headers);
    const usesStream =
      this.#channel !== undefined ||
      (this.acceptsEvents && !this.acceptsJson && answer?.headers === undefined);
    if (answer === undefined || usesStream) return this.#open().finish(answer?.text);
    this.respond(answer.status, answer.text);
  }

  /** The client has gone. It may come back for a channel that is kept for it; else nothing more can reach it. */
  abandon(): void {
    if (this.#channel?.disconnect === undefined) this.#finished = true;
  }

  /** For messages before the answer, where the client takes any. */
  #earlyChannel(): EventChannel | undefined {
    return this.#finished || !this.acceptsEvents ? undefined : this.#open();
  }

  #open(): EventChannel {
    return (this.#channel ??= this.resumption?.open(this) ?? plainChannel(this.beginEvents()));
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
