import { ClientRequests } from "./client-requests.js";
import type { Elicitations } from "./elicitations.js";
import type { LogSink } from "../api/log.js";
import type { Notify } from "../api/notifier.js";
import type { Revision } from "../protocol/revisions.js";
import type { LoggingLevel } from "../protocol/specification.js";
import type { SanitizeText } from "../results/sanitize.js";
import type { Peer } from "../transports/transport.js";
import type { Agreement } from "../protocol/agreement.js";
import { type ClientDescription, UNKNOWN_CLIENT } from "../protocol/client-description.js";

export interface SessionOptions {
  readonly peer: Peer;
  /** How handlers say that something changed. */
  readonly notify: Notify;
  readonly elicitations: Elicitations;
  /** Makes text fit to be shown. */
  readonly sanitize: SanitizeText;
  readonly log: LogSink;
  /** The peer is the server's author, who may read what went wrong inside handlers. */
  readonly isDevelopment: boolean;
  /** What was agreed where the session was opened in another process. */
  readonly agreement?: Agreement | undefined;
  /** Makes ids for what a client is asked; see `ClientRequests`. */
  readonly requestId?: (() => string) | undefined;
}

/**
 * What lasts on a connection from one request to the next: what a legacy client said when it opened, and what it has
 * been asked. Modern requests bring all of that along, so both eras may be spoken on one connection.
 */
export class Session {
  readonly peer: Peer;
  readonly notify: Notify;
  /** Where its user has been sent. */
  readonly elicitations: Elicitations;
  readonly sanitize: SanitizeText;
  readonly log: LogSink;
  readonly isDevelopment: boolean;
  /** Ends one by one the requests that last until somebody ends them, such as subscriptions. */
  readonly openStreams = new Set<() => void>();
  readonly #onClose: (() => void)[] = [];
  readonly #requests: ClientRequests;
  #revision: Revision | undefined;
  #client = UNKNOWN_CLIENT;
  #id: string | undefined;
  #logLevel: LoggingLevel | undefined;
  #openedAt = 0;

  constructor({
    peer,
    notify,
    elicitations,
    sanitize,
    log,
    isDevelopment,
    agreement,
    requestId,
  }: SessionOptions) {
    this.peer = peer;
    this.notify = notify;
    this.elicitations = elicitations;
    this.sanitize = sanitize;
    this.log = log;
    this.isDevelopment = isDevelopment;
    this.#requests = new ClientRequests(requestId);
    if (peer.revision !== undefined) this.open(peer.revision, UNKNOWN_CLIENT);
    if (agreement === undefined) return;
    this.#id = agreement.id;
    this.open(agreement.revision, agreement.client, agreement.openedAt);
  }

  /** What a legacy client and this server agreed on, once they have. */
  get revision(): Revision | undefined {
    return this.#revision;
  }

  /** The same, as other processes take the session up by it. */
  get agreement(): Agreement | undefined {
    if (this.#revision === undefined) return undefined;
    return { id: this.id, revision: this.#revision, client: this.#client, openedAt: this.#openedAt };
  }

  /** For what handlers keep between calls. Not the id by which a client names its session: that is a secret. */
  get id(): string {
    this.#id ??= globalThis.crypto.randomUUID();
    return this.#id;
  }

  /** What a legacy client said of itself. */
  get client(): ClientDescription {
    return this.#client;
  }

  /** The least severe log messages that a legacy client wants; none before it has opened the session. */
  get logLevel(): LoggingLevel | undefined {
    return this.#logLevel;
  }

  /** What a legacy client is being asked. */
  get requests(): ClientRequests {
    return this.#requests;
  }

  /** Takes what a legacy client says of itself in `initialize`. */
  open(revision: Revision, client: ClientDescription, openedAt = Date.now()): void {
    this.#revision = revision;
    this.#openedAt = openedAt;
    this.#client = client;
    this.#logLevel = "info";
  }

  setLogLevel(level: LoggingLevel): void {
    this.#logLevel = level;
  }

  /** Calls back when the session is closed. */
  onClose(listener: () => void): void {
    this.#onClose.push(listener);
  }

  /** The client sends nothing more: what only it could end or answer is over. */
  finish(): void {
    this.#requests.end("The client can answer no more.");
    for (const end of [...this.openStreams]) end();
  }

  /** Nothing can be sent to the client any more. */
  close(): void {
    this.elicitations.forget(this.peer);
    for (const listener of this.#onClose.splice(0)) listener();
  }
}
