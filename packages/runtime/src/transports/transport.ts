/**
 * The contract between a transport and the server. A transport carries JSON-RPC messages, and does not interpret them.
 *
 * To add a transport, do the following for each client. `../testing/memory-transport.ts` is the shortest example;
 * `stdio/stdio.ts` shows everything that a client in another process needs.
 *
 * 1. Open a connection with `server.connect(peer)`. The `peer` receives the messages that belong to no request.
 * 2. Pass each parsed message to `connection.receive`, and send the client the response, if there is one. Pass the same
 *    `peer`, unless the messages about a request take a different path than the other messages (over HTTP, the response
 *    to that request): then pass another `Peer` for the message, with its headers if requests have any.
 * 3. Call `connection.finish()` after the client's last message: subscriptions end, and pending responses are still
 *    sent; `drain` waits for them. Call `connection.close()` when nothing more can be sent to the client.
 *
 * The transport must enforce the memory limits in `server.limits` for each client, and decide which clients may
 * connect.
 * @module
 */
import type { Principal } from "../api/caller.js";
import type { Change } from "../api/notifier.js";
import type { Agreement, SessionChange, SessionState } from "../protocol/agreement.js";
import type { HeaderReader } from "../protocol/headers.js";
import type { RequestId } from "../protocol/jsonrpc.js";
import type { Revision } from "../protocol/revisions.js";

/** Sends messages other than responses to a client. */
export interface MessageSink {
  /** Sends one message: JSON text without a newline. Never throws. A message that cannot be sent is dropped. */
  send(text: string): void;
  /** Whether the client accepts messages other than the response. */
  readonly acceptsEvents?: boolean;
  /**
   * Ends the stream that carries the messages about one request, but not the request: the client reconnects after
   * `retryMs` for the rest. Absent if clients do not reconnect.
   */
  closeStream?(retryMs: number): void;
  /** Sends nothing more, since another process responds. The client reconnects for the rest. */
  handOver?(): void;
}

/**
 * Returns the notifications of changes for a client, according to its subscriptions.
 *
 * @param changes undefined if unlisted changes may have happened
 */
export type ChangeFilter = (changes: readonly Change[] | undefined) => string[];

/** The client of a connection. */
export interface Peer extends MessageSink {
  /** Whether the connection ends with its response, so that nothing can be sent to the peer later. */
  readonly endsWithResponse?: boolean;
  /** The stream of the messages about this request, if other processes can continue it. */
  readonly stream?: string | undefined;
  /** Whether the response to this request can still have a status other than 200. Absent without a status. */
  readonly canRespondWithStatus?: boolean;
  /** Whether a process that has died served the message before. */
  readonly isRecovered?: boolean;
  /**
   * Set if the client's stream reads the changes of several processes itself, instead of receiving them through `send`.
   * Receives the filter for its notifications.
   */
  setChangeFilter?(filter: ChangeFilter): void;
  /** The authenticated principal of the peer. */
  readonly principal?: Principal | undefined;
  /** The IP address of the peer, if the transport has addresses. */
  readonly address?: string | undefined;
  /** The headers of its messages, if the transport has headers. */
  readonly header?: HeaderReader;
  /** Whether the headers repeat parts of modern messages, and must agree with them. */
  readonly repeatsInHeaders?: boolean;
  /** The revision of a legacy client without a session. */
  readonly revision?: Revision | undefined;
  /**
   * Stores a client's change to its session, if other processes serve the session too. The client receives the response
   * after the promise resolves.
   */
  remember?(change: SessionChange): Promise<void> | undefined;
}

/** The response to one message (or batch), encoded. */
export interface EncodedResponse {
  /** JSON text, without a newline. */
  readonly text: string;
  /** The HTTP status for Streamable HTTP. */
  readonly status: number;
  /** HTTP headers, in addition to those of every response. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** A response, immediately if possible; `undefined` for a message without one. */
export type PendingResponse = EncodedResponse | undefined | Promise<EncodedResponse | undefined>;

/** Ends the calls in progress when a server stops. */
export interface Drainable {
  /** Ends what only the peer could end, such as subscriptions, since the peer sends no more messages. */
  finish(): void;
  /** Aborts the signals of handlers that are still running. Their responses are still sent. */
  stop(reason: string): void;
  /** Abandons the handlers that are still running. Their calls receive an error. */
  abandon(reason: string): void;
}

/** The server's end for stateless requests, each with its own peer. */
export interface StatelessConnection extends Drainable {
  /**
   * Receives one parsed message, or a batch. Never throws and never rejects: errors become responses.
   *
   * @param peer the client of this request; its `revision` is set if it is a legacy client
   */
  receive(message: unknown, peer: Peer): PendingResponse;
  /** Aborts the handler of a peer that has disconnected, and abandons its response. */
  disconnect(peer: Peer): void;
}

/** The server's end of the connection to one peer. */
export interface TransportConnection extends Drainable {
  /** The revision on which a legacy client and the server agreed, after the handshake. */
  readonly revision: Revision | undefined;
  /** The agreement, with which other processes can continue the session. */
  readonly agreement: Agreement | undefined;
  /** Applies what the client has changed in the session through other processes. */
  restore(state: SessionState): void;
  /**
   * Receives one parsed message, or a batch. Never throws and never rejects: errors become responses.
   *
   * @param peer the peer for this message: that of the connection, unless each message has its own headers and channel
   */
  receive(message: unknown, peer: Peer): PendingResponse;
  /** Returns the response to text that is not JSON. */
  rejectText(problem: string): EncodedResponse;
  /**
   * Returns the response to a message that is rejected, such as one that is too long. `id` is its ID, if it is known.
   */
  reject(problem: string, status?: number, id?: RequestId | null): EncodedResponse;
  /** Aborts the handlers of a peer that has disconnected, and abandons their responses. */
  close(reason?: string): void;
}
