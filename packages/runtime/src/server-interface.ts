import type { Application as Assembly } from "./assembly/application.js";
import type { Auth } from "./auth/authenticator.js";
import type { UsedProofs } from "./auth/dpop/used-proofs.js";
import type { Agreement } from "./protocol/agreement.js";
import type { InternalErrorReporter } from "./connection/internal-errors.js";
import type { RefusalLog } from "./log/refusal-log.js";
import type { Part } from "./methods/part.js";
import type { Implementation } from "./protocol/specification.js";
import type { Shared } from "./replicas/sharing.js";
import type { SessionIdCipher } from "./transports/http/sessions/session-id-cipher.js";
import type { EndingTasks } from "./transports/drain.js";
import type { SharedStreams } from "./transports/http/sessions/session-streams.js";
import type { Peer, TransportConnection } from "./transports/transport.js";
import type { Principal } from "./api/caller.js";
import type { HttpConfig } from "./api/define-server.js";
import type { Limits } from "./api/limits.js";
import type { LogSink } from "./api/log.js";
import type { Notify } from "./api/notifier.js";
import type { Observer } from "./api/observer.js";
import type { Sharing } from "./api/store.js";

export interface Application extends Assembly {
  /** What serves the manifest besides its tools; `allParts` of `@tenon/runtime/parts` serves whatever it holds. */
  parts?: readonly Part[];
}

/** A server without a transport: it talks to any number of peers at once, in any served revision. */
export interface Server {
  readonly info: Implementation;
  readonly limits: Limits;
  readonly http: HttpConfig;
  /** How callers over HTTP show who they are. */
  readonly auth: Auth | undefined;
  /** The scopes that anything served needs. */
  readonly scopes: readonly string[];
  /** On whose behalf whoever starts the server calls it. */
  readonly localPrincipal: Principal | undefined;
  /** False for a server that sends nothing but answers. */
  readonly sendsMessages: boolean;
  /**
   * Notifies clients that a list or a resource changed. Clients can subscribe to resources only of a server that has a
   * `notifier`, or whose sources use `resourceUpdated`: only that is announced as a capability.
   */
  readonly notify: Notify;
  /** Makes session ids of what was agreed, where other processes have the keys to open them. */
  readonly sessionIdCipher: SessionIdCipher | undefined;
  /** Where an HTTP endpoint has its legacy sessions, if not for itself. */
  readonly httpSessions: Shared["httpSessions"] | undefined;
  /** Tells this process from the others that may serve its sessions; absent where there are none. */
  readonly processId: string | undefined;
  /** The streams of legacy sessions, where other processes go on with them. */
  readonly sharedStreams: SharedStreams | undefined;
  /** Takes the errors that clients do not get to read. */
  readonly onInternalError: InternalErrorReporter;
  /** Takes what happens to the server. */
  readonly log: LogSink;
  /** Has errors that clients do not get to read logged by another sink than `log`. */
  logErrorsBy(sink: LogSink): void;
  /** Takes note of requests that are refused before they become calls. */
  readonly refusals: RefusalLog;
  readonly observers: readonly Observer[];
  /** Rejects when what the server shares with others can never be reached, so that it must not start. */
  readonly opened?: Promise<void> | undefined;
  /** The DPoP proofs that were used at any process of this server; absent where there is one alone. */
  readonly usedProofs?: UsedProofs | undefined;
  /** Other processes can know what outlives a request here. */
  readonly isShared: boolean;
  /** Tasks are worked on by way of a queue, and so can be by a process that serves no client. */
  readonly hasTaskQueue: boolean;
  /** How tasks end that live in this process alone; absent where there are none. */
  readonly endingTasks?: EndingTasks | undefined;
  /** Opens the conversation with one peer. */
  connect(peer: Peer, options?: ConnectionOptions): TransportConnection;
  /**
   * Ends subscriptions, closes every connection, with it the calls in progress, and disposes of the handlers' instances
   * that have `Symbol.asyncDispose` or `Symbol.dispose`.
   *
   * @param withinMs the time that is left for it; default `limits.drainMs`
   */
  close(withinMs?: number): Promise<void>;
}

export interface ServerOptions {
  /** Lets every peer read what handlers throw. For development only: the text may hold paths and secrets. */
  exposeErrors?: boolean;
  /** Receives the errors that clients do not get to read. Default: the log. */
  onInternalError?: InternalErrorReporter;
  /**
   * The keys that protect what clients carry: between the rounds of a call (modern), and from one process to the other
   * in the ids of their sessions (legacy). Comma-separated: the first encrypts, all decrypt. Instances that serve the same
   * clients need the same. Default: `TENON_STATE_KEYS` of the environment, else a key of this process.
   */
  stateKeys?: string;
  /** How this process shares what outlives a request with others, where the configuration names no `store`. */
  store?: Sharing | undefined;
  /** What rate limits go by: milliseconds that never go back, as a test wants them. Default: `performance.now`. */
  now?: () => number;
  /**
   * The shortest time between two notifications of the same change, in milliseconds; 0 where timers end with the request
   * that began them, as Cloudflare's do. Default 250.
   */
  changeIntervalMs?: number | undefined;
}

export interface ConnectionOptions {
  /** The peer is the server's author, who gets to read what handlers throw. Default false. */
  isDevelopment?: boolean;
  /** What was agreed where the session was opened in another process. */
  agreement?: Agreement | undefined;
}
