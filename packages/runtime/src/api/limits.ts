/**
 * Limits on what one client can make the server store or do. The reference page on limits lists the error of each.
 */
export interface Limits {
  /** Maximum size of an HTTP body. */
  maxBodyBytes: number;
  /** Maximum length of a line on stdio. A longer response becomes an error, since most clients would disconnect. */
  maxLineBytes: number;
  /** Maximum number of messages in a JSON-RPC batch. */
  maxBatchMessages: number;
  /** Maximum nesting depth of a message. */
  maxDepth: number;
  /** Maximum number of values in a message: objects, arrays, and everything in them. */
  maxValues: number;
  /**
   * Maximum number of open sessions (legacy Streamable HTTP). An authenticated caller may have at most half of them,
   * which leaves the rest for others.
   */
  maxSessions: number;
  /** Time without traffic after which a session ends, in milliseconds. */
  sessionIdleTimeoutMs: number;
  /**
   * Lifetime of a session with an encrypted ID (`TENON_STATE_KEYS`), in milliseconds. It can't depend on traffic,
   * because no process sees the traffic of the others.
   */
  sessionLifetimeMs: number;
  /**
   * Maximum number of bytes that wait for a client that reads too slowly. Beyond it, the event stream is closed; over
   * stdio, the client receives only responses until it reads.
   */
  maxStreamBufferBytes: number;
  /**
   * Maximum size of the sent events that a legacy session stores for a client that reconnects. The oldest are removed
   * first; 0 stores none.
   */
  maxReplayBytes: number;
  /** Maximum number of open `subscriptions/listen` requests. An authenticated caller may have at most half of them. */
  maxSubscriptions: number;
  /** Maximum number of resources to which one client, or one `subscriptions/listen` request, may subscribe. */
  maxSubscribedResources: number;
  /** Maximum number of requests in progress on one connection or in one session. */
  maxConcurrentRequests: number;
  /**
   * Maximum number of calls that one caller may have in progress, including tasks, across all connections and sessions.
   * Callers are identified as for `rateLimit`. Behind a proxy that `http.trustedProxies` does not name, all users are
   * one caller.
   */
  maxConcurrentCallsPerCaller: number;
  /**
   * Maximum number of characters in the text of a tool's result, which includes its data as JSON. A longer one becomes
   * an error that tells the model how to request less. The `maxResultChars` option of `@Tool` overrides it. Default: 0,
   * which means no limit.
   */
  maxResultChars: number;
  /**
   * Maximum size of a file that the result of a tool or a prompt contains. A larger one becomes an error or, over
   * HTTP with `files.links`, a link.
   */
  maxEmbeddedFileBytes: number;
  /** Maximum total size of the files that the server downloads for one call from URLs that the client sent. */
  maxDownloadBytes: number;
  /** Timeout of the download of a file from a client's URL, in milliseconds. */
  downloadTimeoutMs: number;
  /** Timeout of a call in milliseconds. It includes time spent waiting for the user. 0 means no timeout. */
  callTimeoutMs: number;
  /**
   * Maximum duration of a shutdown (SIGTERM or SIGINT), in milliseconds. After three fifths of it, the `signal` of
   * running handlers is aborted. After another fifth, their calls end with an error. The rest is for disposing of
   * instances. Tasks have the same time, unless a `store` lets other processes continue them; their clients can query
   * them meanwhile. Default: 7000, because containers are killed after 10 seconds.
   */
  drainTimeoutMs: number;
  /**
   * Maximum duration of a shutdown over stdio after the client has closed stdin, in milliseconds. Default: 1600,
   * because clients kill the server after 2 seconds. Increase it for programs that write requests into a pipe and call
   * slow tools.
   */
  stdinDrainTimeoutMs: number;
  /**
   * Maximum number of stored tasks, including finished ones. With a `store`, only tasks that run in this process count.
   * An authenticated caller may have at most half of them.
   */
  maxTasks: number;
  /**
   * Maximum size of a task's call in a `store`, and separately of its result, questions, answers, and step results
   * together.
   */
  maxTaskBytes: number;
  /** Time after which a task is stopped and deleted, in milliseconds. */
  taskLifetimeMs: number;
  /**
   * Maximum number of callers that each `rateLimit` distinguishes, separately for principals and addresses. Beyond it,
   * new callers share the limit of one caller with their network (/24, IPv6: /48), and then with all others.
   */
  maxTrackedCallers: number;
  /** Time in milliseconds for a client to answer a question (elicitation, sampling, roots). */
  inputTimeoutMs: number;
}
