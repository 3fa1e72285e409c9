import type { CallServer } from "./call-server.js";
import { ClientRequests } from "./client-requests.js";
import type { Revision } from "../../protocol/revisions.js";
import type { LoggingLevel } from "../../protocol/specification.js";
import type { Peer } from "../../transports/transport.js";
import type { Agreement } from "../../protocol/agreement.js";
import { type ClientDescription, UNKNOWN_CLIENT } from "../../protocol/client-description.js";

export interface SessionOptions {
  /** The server of its calls. */
  readonly server: CallServer;
  readonly peer: Peer;
  /** Whether the peer is the server's author, who may read what handlers throw. */
  readonly isDevelopment: boolean;
  /** The agreement, if another process opened the session. */
  readonly agreement?: Agreement | undefined;
  /** Creates IDs for requests to the client; see `ClientRequests`. */
  readonly createRequestId?: (() => string) | undefined;
}

/**
 * The state of a connection between requests: what a legacy client declared when it opened the session, and the requests
 * that the server has sent to it. Modern requests carry all of that, so one connection can serve both eras.
 */
export class Session {
  readonly server: CallServer;
  readonly peer: Peer;
  readonly isDevelopment: boolean;
  readonly #onClose: (() => void)[] = [];
  readonly #requests: ClientRequests;
  #revision: Revision | undefined;
  #client = UNKNOWN_CLIENT;
  #id: string | undefined;
  #logLevel: LoggingLevel | undefined;
  #openedAt = 0;

  constructor({ server, peer, isDevelopment, agreement, createRequestId }: SessionOptions) {
    this.server = server;
    this.peer = peer;
    this.isDevelopment = isDevelopment;
    this.#requests = new ClientRequests(createRequestId);
    if (agreement === undefined) return;
    this.#id = agreement.id;
    this.open(agreement.revision, agreement.client, agreement.openedAt);
  }

  /** The revision on which a legacy client and this server agreed, after the handshake. */
  get revision(): Revision | undefined {
    return this.#revision;
  }

  /** The agreement, with which other processes can continue the session. */
  get agreement(): Agreement | undefined {
    if (this.#revision === undefined) return undefined;
    return { id: this.id, revision: this.#revision, client: this.#client, openedAt: this.#openedAt };
  }

  /** The ID that handlers see. It is not the ID that the client sends, which is a secret. */
  get id(): string {
    this.#id ??= globalThis.crypto.randomUUID();
    return this.#id;
  }

  /** A legacy client's description of itself. */
  get client(): ClientDescription {
    return this.#client;
  }

  /** The lowest level of log messages that a legacy client wants; undefined before it has opened the session. */
  get logLevel(): LoggingLevel | undefined {
    return this.#logLevel;
  }

  /** The pending requests to a legacy client. */
  get requests(): ClientRequests {
    return this.#requests;
  }

  /** Opens the session with what a legacy client sends in `initialize`. */
  open(revision: Revision, client: ClientDescription, openedAt = Date.now()): void {
    this.#revision = revision;
    this.#openedAt = openedAt;
    this.#client = client;
    this.#logLevel = "info";
  }

  setLogLevel(level: LoggingLevel): void {
    this.#logLevel = level;
  }

  /** Calls the listener when the session is closed. */
  onClose(listener: () => void): void {
    this.#onClose.push(listener);
  }

  /** Ends the requests to the client, which sends no more messages. */
  finish(): void {
    this.#requests.end("The client can no longer respond.");
  }

  /** Closes the session. After that, nothing can be sent to the client. */
  close(): void {
    for (const listener of this.#onClose.splice(0)) listener();
  }
}
