/** How much something matters; the names are those of pino's methods. */
export type LogLevel = "debug" | "info" | "warn" | "error" | "fatal";

/** An error as it is logged: without the secrets that its texts hold, so far as they can be told. */
export interface LoggedError {
  /** Such as `"TypeError"`. */
  readonly type: string;
  readonly message: string;
  /** With what caused it. */
  readonly stack: string;
}

/** One problem or event. */
export interface LogEntry {
  readonly level: LogLevel;
  /**
   * What it is, for programs: `listening` (or `not-listening`), `serving`, `stopping`, `stopped`, `warning`, `refused` (a
   * request), `internal-error` (what a client knows by its `reference`), `tool-error` (what caused one that it has read), `store-missed` (and `store-reached`),
   * `call-taken-over` (its process has died), or `call` (a line of the audit).
   */
  readonly event: string;
  /** What it is, for people. */
  readonly msg: string;
  readonly err?: LoggedError;
  /** What else is known, as JSON. */
  readonly [field: string]: unknown;
}

/**
 * Takes the entries of the log.
 *
 * @example
 * const logger = pino(pino.destination(2));
 * defineServer({ log: ({ level, msg, ...fields }) => logger[level](fields, msg) });
 */
export type LogSink = (entry: LogEntry) => void;
