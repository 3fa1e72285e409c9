import type { Application as Assembly } from "./call/application/application.js";
import type { Auth, UsedProofs } from "./api/auth.js";
import type { Agreement } from "./protocol/agreement.js";
import type { InternalErrorReporter } from "./data/results/internal-error.js";
import type { RejectionLog } from "./transports/rejection-log.js";
import type { Feature } from "./call/methods/feature.js";
import type { Implementation, Tool } from "./protocol/specification.js";
import type { SessionDirectory } from "./transports/http/sessions/session-directory.js";
import type { DrainableTasks } from "./transports/drain.js";
import type { SharedStreams } from "./transports/http/sessions/session-streams.js";
import type { Peer, StatelessConnection, TransportConnection } from "./transports/transport.js";
import type { Principal } from "./api/caller.js";
import type { FilesConfig } from "./api/define-server.js";
import type { HttpConfig } from "./api/http-config.js";
import type { Limits } from "./api/limits.js";
import type { Exchange } from "./api/exchange.js";
import type { LogSink } from "./api/log.js";
import type { Notify } from "./api/notifier.js";
import type { Observer } from "./api/observer.js";
import type { SharedStore } from "./api/store.js";

export interface Application extends Assembly {
  /**
   * Features that the manifest needs in addition to plain tools. `allFeatures` of `@tenon/runtime/features` supports any
   * manifest.
   */
  features?: readonly Feature[];
}

/** A server without a transport. It serves any number of peers concurrently, in any supported revision. */
export interface Server {
  readonly info: Implementation;
  readonly limits: Limits;
  readonly http: HttpConfig;
  readonly files: FilesConfig;
  /** The authentication of callers over HTTP. */
  readonly auth: Auth | undefined;
  /** Whether src/server.ts sets `auth`, possibly only in some environments. */
  readonly declaresAuth: boolean;
  /** All scopes that tools, prompts, and resources need. */
  readonly scopes: readonly string[];
  /** Returns the tools that any caller over HTTP may see. With `auth`, there are none. */
  listPublicTools(): Tool[];
  /** The principal of local callers, for example over stdio. */
  readonly localPrincipal: Principal | undefined;
  /** Whether the server sends messages other than responses. */
  readonly sendsMessages: boolean;
  /**
   * Notifies clients that a list or a resource changed. The server announces the capability to subscribe to resources
   * only if it has a `notifier`, or its sources use `resourceUpdated`.
   */
  readonly notify: Notify;
  /** The keys that encrypt state that clients carry, if configured; see `ServerOptions`. */
  readonly stateKeys: string | undefined;
  /** The legacy sessions of all processes. Absent with a single process, or if the processes only share session IDs. */
  readonly sessionDirectory: SessionDirectory | undefined;
  /** Identifies this process among those that may serve its sessions. Absent with a single process. */
  readonly processId: string | undefined;
  /** The streams of legacy sessions that other processes can continue. */
  readonly sharedStreams: SharedStreams | undefined;
  /** Receives the errors that clients do not see. */
  readonly onInternalError: InternalErrorReporter;
  /** Receives the log entries of the server. */
  readonly log: LogSink;
  /** Sets the sink for errors that clients do not see. Default: `log`. */
  logErrorsTo(sink: LogSink): void;
  /** Records requests that are rejected before they become calls. */
  readonly rejections: RejectionLog;
  readonly observers: readonly Observer[];
  /** Rejects if the shared store can never be reached, so that the server must not start. */
  readonly opened?: Promise<void> | undefined;
  /** The DPoP proofs that were used in any process of this server. Absent with a single process. */
  readonly usedProofs?: UsedProofs | undefined;
  /** Whether other processes can access state that outlives a request. */
  readonly isShared: boolean;
  /** Whether tasks run through a queue, so that a process without clients can run them. */
  readonly hasTaskQueue: boolean;
  /** Drains the tasks of this process. Absent if there are none. */
  readonly drainableTasks?: DrainableTasks | undefined;
  /** Opens a connection with one peer. */
  connect(peer: Peer, options?: ConnectionOptions): TransportConnection;
  /** Opens a connection for requests that are independent of each other. */
  acceptStateless(options?: Pick<ConnectionOptions, "isDevelopment">): StatelessConnection;
  /**
   * Ends subscriptions, closes every connection with its calls in progress, and disposes of the handlers' instances
   * that have `Symbol.asyncDispose` or `Symbol.dispose`.
   *
   * @param withinMs the time limit; default `limits.drainTimeoutMs`
   */
  close(withinMs?: number): Promise<void>;
}

export interface ServerOptions {
  /** Whether to send the errors that handlers throw to every peer. For development only: they may contain paths and secrets. */
  exposeErrors?: boolean;
  /** Receives the errors that clients do not see. Default: the log. */
  onInternalError?: InternalErrorReporter;
  /**
   * The keys that encrypt state that clients carry: between the rounds of a call (modern), and in session IDs (legacy).
   * Comma-separated; the first encrypts, and all of them decrypt. Instances that serve the same clients need the same
   * keys. Default: the environment variable `TENON_STATE_KEYS`, otherwise a random key of this process.
   */
  stateKeys?: string;
  /** Shares state that outlives a request with other processes, if the configuration has no `store`. */
  store?: SharedStore | undefined;
  /** Replaces the exchange of tokens, for tests. Default: that of `auth`. */
  exchange?: Exchange | undefined;
  /** The monotonic clock of rate limits, in milliseconds, for tests. Default: `performance.now`. */
  now?: () => number;
  /**
   * The minimum time between two notifications of the same change, in milliseconds. Use 0 if timers end with the
   * request that started them, as on Cloudflare. Default: 250.
   */
  changeIntervalMs?: number | undefined;
}

export interface ConnectionOptions {
  /** Whether the peer is the author of the server, who sees the errors that handlers throw. Default: false. */
  isDevelopment?: boolean;
  /** The agreement of a session that another process opened. */
  agreement?: Agreement | undefined;
}
