/** Bounds on what one peer can make the server hold or do. `LIMITS.md` of this package lists what clients are told. */
export interface Limits {
  /** Largest HTTP body, in bytes. */
  bodyBytes: number;
  /** Longest line on stdio, in bytes. */
  lineBytes: number;
  /** Most messages in one JSON-RPC batch. */
  batchMessages: number;
  /** Deepest nesting of a message. */
  depth: number;
  /** Most values in a message: objects, arrays and what is in them, counted one by one. */
  values: number;
  /** Most sessions open at once (legacy Streamable HTTP). */
  sessions: number;
  /** A session without traffic ends after this many milliseconds. */
  sessionIdleMs: number;
  /**
   * A session whose id carries what was agreed (`TENON_STATE_KEYS`) ends so many milliseconds after it was opened. No
   * process can tell when the others have last seen it.
   */
  sessionMs: number;
  /**
   * Most bytes waiting for a client that reads too slowly; then its event stream is cut, and over stdio it is told
   * nothing but answers until it reads.
   */
  streamBytes: number;
  /**
   * Most bytes of sent events that a legacy session keeps, for a client that lost its connection and asks for
   * what it missed; the oldest go first. 0 keeps none.
   */
  replayBytes: number;
  /** Most `subscriptions/listen` requests open at once. */
  subscriptions: number;
  /** Most resources that one client (or one `subscriptions/listen`) may subscribe to. */
  subscribedResources: number;
  /** Most requests in progress on one connection (or in one session); further ones are refused. */
  calls: number;
  /**
   * Most calls of one caller in progress, tasks included, over all connections, sessions and requests; further ones are
   * refused. Callers are those of `rateLimit`, so behind a proxy that `http.trustedProxies` does not name, all are one.
   */
  callsPerCaller: number;
  /**
   * A call that takes longer is stopped and answered with an error, in milliseconds. What it waits for the client's
   * user counts too. 0 sets no limit.
   */
  callMs: number;
  /**
   * How long a server takes to stop at most that is told to (by SIGTERM or SIGINT), in milliseconds. After three fifths
   * of it, handlers that are still at work are told through their `signal`; after another fifth, their calls are answered
   * with an error. Tasks have the same time, where no `store` lets other processes go on with them, and meanwhile their
   * clients can still ask for them. What is left is for the disposal of instances. Default 7000: containers kill after
   * 10 seconds.
   */
  drainMs: number;
  /**
   * The same for a server over stdio whose client has closed stdin. Default 1600: clients kill after 2 seconds. A
   * program that writes requests into a pipe and reads the answers of slow tools needs more.
   */
  stdinDrainMs: number;
  /** Most tasks kept at once, those that are over included. Where there is a `store`: most that this process works on. */
  tasks: number;
  /** Most bytes of what a `store` keeps of a task: its call, and apart from that its questions and answers, or its result. */
  taskBytes: number;
  /** A task is stopped and forgotten after this many milliseconds. */
  taskMs: number;
  /**
   * Most callers of one kind (principals, addresses) that `rateLimit` tells apart at once, counted anew for each limit.
   * When there are more, newcomers share what one caller has: first with their network (/24, of IPv6 /48), then with all.
   */
  countedCallers: number;
  /** How long a client may take to answer a question (elicitation, sampling, roots), in milliseconds. */
  answerMs: number;
}
