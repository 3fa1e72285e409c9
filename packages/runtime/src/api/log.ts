/** Severity of a log entry. The names are those of pino. */
export type LogLevel = "debug" | "info" | "warn" | "error" | "fatal";

/** An error in the log, with recognized secrets masked. */
export interface LoggedError {
  /** Class of the error, such as `"TypeError"`. */
  readonly type: string;
  /** Message of the error. */
  readonly message: string;
  /** Stack, including all causes. */
  readonly stack: string;
}

/** One problem or event. */
export interface LogEntry {
  /** Severity. */
  readonly level: LogLevel;
  /**
   * Kind of the entry, for programs: `listening` (or `listen-failed`), `access` (how callers authenticate), `serving`,
   * `stopping`, `stopped`, `warning`, `rejected` (a request), `internal-error` (with the `reference` that the client
   * received), `tool-error` (cause of a `ToolError`), `store-unreachable` (and `store-recovered`), `store-not-encrypted`,
   * `store-key-missing`, `store-may-lose-data` (settings of Redis), `lease-lost` (the store has lost data),
   * `call-taken-over` (its process has died), `metrics-not-served` (by this process), or `call` (a line of the audit log).
   */
  readonly event: string;
  /** Human-readable message. */
  readonly msg: string;
  /** Error that caused the entry. */
  readonly err?: LoggedError;
  /** Additional data, as JSON. */
  readonly [field: string]: unknown;
}

/**
 * Receives the entries of the log.
 *
 * @example
 * const logger = pino(pino.destination(2));
 * defineServer({ log: ({ level, msg, ...fields }) => logger[level](fields, msg) });
 */
export type LogSink = (entry: LogEntry) => void;
