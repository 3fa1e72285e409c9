/**
 * What a transport and the server give each other. A transport carries JSON-RPC messages, and knows nothing of them.
 *
 * To add one, do the following for each client; `../testing/memory-transport.ts` shows it at its shortest,
 * `stdio/stdio.ts` with all that a client in another process makes necessary.
 *
 * 1. Open a connection with `server.connect(peer)`. The `peer` takes the messages that belong to no request.
 * 2. Give each message, parsed, to `connection.receive`, and send the client what that answers, when it does. Where
 *    the messages about one request go another way than the peer's (over HTTP, on the request's own response), give a
 *    `MessageSink` along; where requests have headers, give those as well.
 * 3. `connection.finish()` when the client has sent its last message: what would last for ever ends, and all that is
 *    owed is still answered; `drain` waits for that. `connection.close()` when nothing can be sent to the client any
 *    more.
 *
 * How much one client may make the server hold is the transport's to watch, by `server.limits`; so is who may connect.
 * @module
 */
import type { Principal } from "../api/caller.js";
import type { Change } from "../api/notifier.js";
import type { Agreement, SessionChange, SessionState } from "../protocol/agreement.js";
import type { HeaderReader } from "../protocol/headers.js";
import type { RequestId } from "../protocol/jsonrpc.js";
import type { Revision } from "../protocol/revisions.js";

/** Takes messages for a client, besides answers. */
export interface MessageSink {
  /** Sends one message, given as JSON text without a newline. Never throws; what cannot be sent is dropped. */
  send(text: string): void;
  /** False where the client takes nothing but the answer. */
  readonly acceptsEvents?: boolean;
  /**
   * Ends the stream that carries the messages about one request, but not the request: the client comes back after
   * `retryMs` for what it has not seen. Absent where clients do not come back.
   */
  closeStream?(retryMs: number): void;
  /** Another process answers: nothing more is sent here, and the client comes back for the rest. */
  handOver?(): void;
}

/**
 * The notifications that a client is to get of changes: as it has subscribed to them.
 *
 * @param changes undefined where any may have happened
 */
export type ChangeFilter = (changes: readonly Change[] | undefined) => string[];

/** The client at the far end of a connection. */
export interface Peer extends MessageSink {
  /** The conversation is over when its messages are answered, so nothing can be sent to the peer later. */
  readonly endsWithAnswer?: boolean;
  /** The stream of the messages about this request, where other processes can go on with it. */
  readonly stream?: string | undefined;
  /** The message was served before, by a process that has died. */
  readonly isAgain?: boolean;
  /**
   * Set where a client of several processes hears of changes from whichever it listens to, and not by `send`: takes what
   * says of changes how it is to be notified.
   */
  takeChanges?(filter: ChangeFilter): void;
  /** On whose behalf the peer speaks, where that has been verified. */
  readonly principal?: Principal | undefined;
  /** The IP address that it speaks from, where the transport has any. */
  readonly address?: string | undefined;
  /** The headers that come with its messages, where the transport has any. */
  readonly header?: HeaderReader;
  /** Those headers repeat parts of modern messages, and have to agree with them. */
  readonly repeatsInHeaders?: boolean;
  /** The legacy revision that the peer speaks, where it will not say so itself by `initialize`. */
  readonly revision?: Revision | undefined;
  /**
   * Where other processes serve the session too: takes what the client changes in it. The client is answered when what
   * this returns is fulfilled.
   */
  remember?(change: SessionChange): Promise<void> | undefined;
}

/** The answer to one message (or batch). */
export interface Answer {
  /** JSON text, without a newline. */
  readonly text: string;
  /** The status with which Streamable HTTP carries it. */
  readonly status: number;
  /** And the headers, besides those of every answer. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** An answer, at once where possible; `undefined` when none is owed. */
export type Reply = Answer | undefined | Promise<Answer | undefined>;

/** The server's end of the conversation with one peer. */
export interface TransportConnection {
  /** What a legacy client and the server agreed on, once they have. */
  readonly revision: Revision | undefined;
  /** The same, as other processes take the session up by it. */
  readonly agreement: Agreement | undefined;
  /** Takes over what the client has changed in the session by way of other processes. */
  restore(state: SessionState): void;
  /**
   * Takes one parsed message, or a batch. Never throws and never rejects: whatever is wrong becomes an answer.
   *
   * @param peer as it is for this message, where each comes with headers and a channel of its own
   */
  receive(message: unknown, peer?: Peer): Reply;
  /** The answer to text that is not JSON at all. */
  refuseText(problem: string): Answer;
  /** The answer to a message refused as a whole, such as one that is too long. `id` is its own, where it is known. */
  refuse(problem: string, status?: number, id?: RequestId | null): Answer;
  /** The peer sends no more messages: ends what only the peer could end, so that every answer can be given. */
  finish(): void;
  /** Tells the handlers still at work to stop, through their signals. What they answer is to be sent all the same. */
  stop(reason: string): void;
  /** Gives up the handlers still at work: their calls are answered with an error. */
  abandon(reason: string): void;
  /** The peer can be sent nothing any more: stops the handlers still at work and gives up their answers. */
  close(reason?: string): void;
}
