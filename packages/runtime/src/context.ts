import type { ClientCapabilities, Implementation, LoggingLevel } from "./protocol.js";

/**
 * What a handler may ask for besides its arguments. Declare a parameter of this type anywhere in a
 * handler's signature; it is recognised by type and never becomes an argument.
 *
 * @example
 * @Tool()
 * async crawl(url: string, ctx: Context) {
 *   await ctx.progress(1, 10, "Fetching");
 * }
 */
export interface Context {
  /** Aborted when the client cancels, its connection ends, or the server shuts down. */
  readonly signal: AbortSignal;
  /** Who is calling, as far as the client says. */
  readonly client: { readonly info?: Implementation; readonly capabilities: ClientCapabilities };
  /** The protocol revision of this call, such as `"2026-07-28"`. */
  readonly revision: string;
  /**
   * Reports progress, if the client asked for it; otherwise does nothing. `progress` must grow from call to
   * call; `total` is in the same unit, when known.
   */
  progress(progress: number, total?: number, message?: string): void;
  /** Sends a log message, if the client wants messages of this level; otherwise does nothing. */
  log(level: LoggingLevel, data: unknown, logger?: string): void;
}
