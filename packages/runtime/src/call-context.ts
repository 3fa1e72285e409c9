import type { Call } from "./call.js";
import type { Context } from "./context.js";
import { notificationText, type RequestId } from "./jsonrpc.js";
import type { ClientCapabilities, Implementation, LoggingLevel } from "./protocol.js";

/** From least to most severe. */
export const LOGGING_LEVELS: readonly LoggingLevel[] = [
  "debug",
  "info",
  "notice",
  "warning",
  "error",
  "critical",
  "alert",
  "emergency",
];

/** The `Context` of one call; made only for handlers that declare one. */
export class CallContext implements Context {
  readonly #call: Call;
  readonly #token: RequestId | undefined;
  #progress = -Infinity;

  constructor(call: Call) {
    this.#call = call;
    this.#token = call.progressToken;
  }

  get signal(): AbortSignal {
    return this.#call.signal;
  }

  get client(): { readonly info?: Implementation; readonly capabilities: ClientCapabilities } {
    return this.#call.caller;
  }

  get revision(): string {
    return this.#call.revision.id;
  }

  progress(progress: number, total?: number, message?: string): void {
    // The specification wants progress to grow, so a report that does not is left out rather than sent.
    if (this.#token === undefined || this.#call.done || !(progress > this.#progress)) return;
    this.#progress = progress;
    const params: Record<string, unknown> = { progressToken: this.#token, progress };
    if (total !== undefined) params.total = total;
    if (message !== undefined && this.#call.revision.progressMessage) params.message = message;
    this.#call.outlet.notify(notificationText("notifications/progress", params));
  }

  log(level: LoggingLevel, data: unknown, logger?: string): void {
    const wanted = this.#call.caller.logLevel;
    if (wanted === undefined || this.#call.done) return;
    if (LOGGING_LEVELS.indexOf(level) < LOGGING_LEVELS.indexOf(wanted)) return;
    const params: Record<string, unknown> = { level, data: loggable(data) };
    if (logger !== undefined) params.logger = logger;
    this.#call.outlet.notify(notificationText("notifications/message", params));
  }
}

/** Logging must never fail the call it reports on, so what JSON cannot carry is sent as text. */
function loggable(data: unknown): unknown {
  if (data instanceof Error) return `${data.name}: ${data.message}`;
  try {
    if (JSON.stringify(data) !== undefined) return data;
    return String(data);
  } catch {
    return Object.prototype.toString.call(data);
  }
}
