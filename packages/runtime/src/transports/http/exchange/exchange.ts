import type { Principal } from "../../../api/caller.js";
import { onExpiry } from "../../../access/principal.js";
import type { InternalErrorReporter } from "../../../data/results/internal-error.js";
import type { RejectionLog } from "../../rejection-log.js";
import type { HeaderReader } from "../../../protocol/headers.js";
import type { Revision } from "../../../protocol/revisions.js";
import type { EncodedResponse, Peer } from "../../transport.js";
import type { ProxyReader } from "./trusted-proxies.js";
import { toEventText, KEEP_ALIVE } from "./event-text.js";
import { toAddress } from "./network-address.js";

/** Function that serves a request. */
export type ExchangeHandler = (exchange: HttpExchange) => void;

/** HTTP endpoint that serves requests on any platform. */
export interface Endpoint {
  readonly handle: ExchangeHandler;
  close(): Promise<void>;
}

/** A response of server-sent events. */
export interface EventStream {
  /**
   * Sends the text of events. Returns false if the client has disconnected, or reads too slowly and was disconnected.
   */
  write(text: string): boolean;
  end(): void;
}

/** Channel for all messages about one request, including its response. */
export interface EventChannel {
  /** Identifies the channel to other processes that can continue it. Absent if none can. */
  readonly name?: string;
  send(data: string): void;
  keepAlive(): void;
  /** Sends the last message, if there is one, and ends the stream. If it returns a promise, the stream ends when the promise resolves. */
  finish(data: string | undefined): void | Promise<void>;
  /** Makes the client reconnect after this many milliseconds. Absent if it cannot. */
  disconnect?(retryMs: number): void;
  /**
   * Hands the channel over to another process: sends nothing more and makes the client reconnect. Absent if no other
   * process can continue it.
   */
  handOver?(): void;
}

/**
 * The members of `ServerResponse` from `node:http` that are needed to send a response. They are declared here, so that a project
 * does not need `node` in the `types` of its tsconfig.json.
 */
export interface NodeResponse {
  readonly headersSent: boolean;
  readonly destroyed: boolean;
  writeHead(status: number, headers: Record<string, string | string[]>): unknown;
  flushHeaders(): void;
  end(): unknown;
}

/** The bytes of a body. */
export interface BodyBytes extends Uint8Array {
  /** Decodes them as UTF-8. */
  toString(): string;
}

/** Sends a complete response. The promises resolve when it ends or the client disconnects. */
export interface ResponseSender {
  toNode(response: NodeResponse): Promise<void>;
  toWeb(resolve: (response: Response) => void): Promise<void>;
}

/** Stores channels for clients that lose their connection. */
export interface Resumption {
  /** Whether the client supports polling: it reconnects if the server closes a stream before the response. */
  readonly canPoll: boolean;
  /** Opens a channel for the messages of an exchange. Returns undefined if it cannot be stored. */
  open(exchange: HttpExchange): EventChannel | undefined;
}

/**
 * A request and its response on any platform. The response to a POST is JSON, unless a message must be sent
 * before it; then it is a stream of events that ends with the response.
 */
export abstract class HttpExchange implements Peer {
  abstract readonly method: string;
  /** The path and query, or the whole URL if the transport has it. */
  abstract readonly target: string;
  abstract readonly header: HeaderReader;
  /** The remote address of the connection, if it is known. */
  abstract readonly peerAddress: string | undefined;
  /** Headers of the response. They must be set before it begins. */
  readonly headers: Record<string, string> = {};
  /** The principal of the request, if it is known. */
  principal: Principal | undefined;
  /** Reads the headers of trusted proxies. */
  proxies: ProxyReader | undefined;
  /** Log that records the rejection of the request. */
  rejections: RejectionLog | undefined;
  /** Receives errors that are not meant for the client. */
  onInternalError: InternalErrorReporter | undefined;
  readonly endsWithResponse = true;
  readonly repeatsInHeaders = true;
  /** The revision of a legacy client without a session. */
  revision: Revision | undefined;
  acceptsJson = true;
  acceptsEvents = true;
  /** The parsed message, after it is read. */
  message: unknown;
  /** Set if a session stores events for the client. */
  resumption: Resumption | undefined;
  #channel: EventChannel | undefined;
  #isFinished = false;

  get canRespondWithStatus(): boolean {
    return !this.#isFinished && this.#channel === undefined;
  }

  get address(): string | undefined {
    return this.proxies === undefined
      ? toAddress(this.peerAddress)
      : this.proxies.readAddress(this.peerAddress, this.header);
  }

  /** The scheme that the client used to reach the server, or the proxies in front of it. */
  get scheme(): "http" | "https" {
    return this.proxies?.readScheme(this.peerAddress, this.header) ?? (this.isEncrypted ? "https" : "http");
  }

  /** Whether the connection itself is encrypted. */
  protected abstract readonly isEncrypted: boolean;

  /** Returns all request headers, including repeated ones. */
  abstract listFields(): Iterable<[name: string, value: string]>;

  /**
   * Calls `done` with the whole body, or with undefined if it exceeds `limit` bytes, which are counted as they arrive.
   * Does not call it if the client disconnects first.
   */
  abstract read(limit: number, done: (body: BodyBytes | undefined) => void): void;

  /** Sends a whole response. The text is JSON unless the headers specify another type. */
  abstract respond(status: number, text?: string): void;

  /** Sends the response through a sender. */
  abstract sendWith(sender: ResponseSender): Promise<void>;

  /** Calls the listener if the client disconnects before the response is complete. */
  abstract onDisconnect(listener: () => void): void;

  /** Begins a response with the current headers. */
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
   * Begins an event stream that belongs to no request, so no response ends it. It ends when the caller's token expires.
   *
   * @param onEnd called when the stream ends for any reason
   */
  streamUntilExpiry(onEnd: () => void): EventStream {
    const stream = this.beginEvents();
    let isDone = false;
    const close = (): void => {
      if (isDone) return;
      isDone = true;
      stopWaiting();
      stream.end();
      onEnd();
    };
    const stopWaiting = onExpiry(this.principal, close);
    this.onDisconnect(close);
    return { write: (text) => stream.write(text), end: close };
  }

  send(text: string): void {
    this.#getEarlyChannel()?.send(text);
  }

  closeStream(retryMs: number): void {
    if (this.resumption?.canPoll === true) this.#getEarlyChannel()?.disconnect?.(retryMs);
  }

  /** The ID of this request's stream; undefined if no other process can continue the stream. Reading it opens the stream. */
  get stream(): string | undefined {
    // The messages of a batch share one stream, so no other process can continue one of them.
    return Array.isArray(this.message) ? undefined : this.#getEarlyChannel()?.name;
  }

  handOver(): void {
    this.#channel?.handOver?.();
    this.#isFinished = true;
  }

  /** Whether the messages need no response, such as a client's answers. */
  get needsNoResponse(): boolean {
    const messages = [this.message as { id?: unknown; method?: unknown } | null | undefined].flat();
    return messages.every(
      (each) => each !== undefined && (each?.id === undefined || each.method === undefined),
    );
  }

  /** Shows the client, and any proxies in between, that the response is still being prepared. */
  keepAlive(): void {
    // An answer that is rejected later needs its status, which a stream would set to 200.
    if (!this.needsNoResponse) this.#getEarlyChannel()?.keepAlive();
  }

  /** Sends the response, or an empty one if it is undefined. Returns a promise if the stream ends later. */
  finish(response: EncodedResponse | undefined): void | Promise<void> {
    if (this.#isFinished) return;
    this.#isFinished = true;
    if (this.#channel === undefined) Object.assign(this.headers, response?.headers);
    const usesStream =
      this.#channel !== undefined ||
      (this.acceptsEvents && !this.acceptsJson && response?.headers === undefined);
    if (response === undefined || usesStream) return this.#open().finish(response?.text);
    this.respond(response.status, response.text);
  }

  /** Handles a client's disconnection. The client may reconnect to a stored channel; otherwise the exchange sends nothing more. */
  abandon(): void {
    if (this.#channel?.disconnect === undefined) this.#isFinished = true;
  }

  /** Returns the channel for messages before the response, if the client accepts any. */
  #getEarlyChannel(): EventChannel | undefined {
    return this.#isFinished || !this.acceptsEvents ? undefined : this.#open();
  }

  #open(): EventChannel {
    return (this.#channel ??= this.resumption?.open(this) ?? createPlainChannel(this.beginEvents()));
  }
}

function createPlainChannel(stream: EventStream): EventChannel {
  return {
    send: (data) => {
      stream.write(toEventText(data));
    },
    keepAlive: () => {
      stream.write(KEEP_ALIVE);
    },
    finish: (data) => {
      if (data !== undefined) stream.write(toEventText(data));
      stream.end();
    },
  };
}
