import { isNotFoundError, isToolError } from "../api/errors.js";
import type { LogSink } from "../api/log.js";
import { errorMessage, isError } from "../log/error-text.js";
import type { Call } from "./call.js";
import {
  createReport,
  debugMessage,
  explainedEntryOf,
  type InternalErrorReporter,
  publicMessage,
  timeoutMessage,
} from "./internal-errors.js";

/**
 * Reports errors of the author's code, and gives the words for them that the peer may read.
 *
 * @param exposeErrors whether every peer gets to read errors, not only in development
 */
export function createErrorReporting(
  exposeErrors: boolean,
  onInternalError: InternalErrorReporter,
): (error: unknown, subject: string, call?: Call) => string {
  return (error, subject, call) => {
    // An expected abort is not reported.
    if (call?.stopped === true && isAbort(error, call.signal)) return `The ${subject} was stopped.`;
    const report = createReport(subject, error);
    if (call?.notes !== undefined) call.notes.reference = report.reference;
    onInternalError(report);
    const isAuthor = exposeErrors || call?.session.isDevelopment === true;
    if (isAuthor) return debugMessage(error);
    return isTimeout(error) ? timeoutMessage(report) : publicMessage(report);
  };
}

/**
 * Gives the words for what a handler has thrown: those of a `ToolError` as they are, while what caused it goes to the log,
 * where alone it can be read. That nothing was found is nobody's fault, whatever the cause.
 */
export function createFailureText(
  reportError: (error: unknown, subject: string, call: Call) => string,
  log: LogSink,
): (error: unknown, subject: string, call: Call) => string {
  return (error, subject, call) => {
    if (!isToolError(error)) return reportError(error, subject, call);
    const isExplained = error.cause !== undefined && !isNotFoundError(error) && !call.stopped;
    if (isExplained) log(explainedEntryOf(subject, error));
    return error.message;
  };
}

/** Names and codes of what clients of HTTP throw when a signal has ended their request. */
const ABORTS = /^(?:AbortError|CanceledError|ABORT_ERR|ERR_ABORTED|ERR_CANCELED|UND_ERR_ABORTED)$/;

/** Likewise when somebody took too long: `AbortSignal.timeout()`, undici's own limits, sockets. */
const TIMEOUTS = /TimeoutError$|^ETIMEDOUT$|_TIMEOUT$/;

/** Clients of MCP throw an error of their own, with the reason in its message. */
function isAbort(error: unknown, { reason }: AbortSignal): boolean {
  return isNamed(error, ABORTS) || isTimeout(error) || errorMessage(error).includes(String(reason));
}

function isTimeout(error: unknown): boolean {
  return isNamed(error, TIMEOUTS);
}

/** An error, or one that it is caused by: an author's own are often made of those of a library. */
function isNamed(error: unknown, names: RegExp): boolean {
  try {
    for (let each = error, depth = 0; isError(each) && depth < 10; each = each.cause, depth++) {
      const { name, code, message } = each as Error & { code?: unknown };
      if (names.test(name) || (typeof code === "string" && names.test(code))) return true;
      // What axios says of its `timeout`; a peer that hangs up has the same code.
      if (names === TIMEOUTS && code === "ECONNABORTED" && message.startsWith("timeout")) return true;
    }
  } catch {
    // What cannot be looked at has no name that is known.
  }
  return false;
}
