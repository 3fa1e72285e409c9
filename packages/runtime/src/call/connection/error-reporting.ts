import { isNotFoundError, isToolError } from "../../api/errors.js";
import type { LogSink } from "../../api/log.js";
import { formatErrorLine, errorMessage, isError, type Mask } from "../../observe/log/error-text.js";
import { createToolErrorEntry } from "../../observe/log/internal-error-entry.js";
import type { Call } from "./call.js";
import {
  createReport,
  type InternalErrorReporter,
  formatPublicMessage,
  formatTimeoutMessage,
} from "../../data/results/internal-error.js";

/**
 * Creates a function that reports an error in the author's code, and returns the message that the peer may read.
 *
 * @param exposeErrors whether every peer may read errors, and not only in development
 */
export function createErrorReporting(
  exposeErrors: boolean,
  onInternalError: InternalErrorReporter,
): (error: unknown, subject: string, call?: Call) => string {
  return (error, subject, call) => {
    // An expected abort is not reported.
    if (call?.isStopped === true && isAbort(error, call.signal))
      return `The ${subject} was stopped. ${errorMessage(call.signal.reason)}`;
    const report = createReport(subject, error, call?.listSecrets());
    if (call?.notes !== undefined) call.notes.reference = report.reference;
    onInternalError(report);
    const isExposed = exposeErrors || call?.isDevelopment === true;
    if (isExposed) return formatErrorLine(error);
    return isTimeout(error) ? formatTimeoutMessage(report) : formatPublicMessage(report);
  };
}

/**
 * Creates a function that returns the message for a value that a handler threw. The message of a `ToolError` stays as it is.
 * Its cause is logged, unless it is a `NotFoundError`, which is not a fault.
 *
 * @param createMask creates a function that masks the secrets of a call in the log
 */
export function createFailureFormatter(
  reportError: (error: unknown, subject: string, call: Call) => string,
  log: LogSink,
  createMask: (secrets: readonly string[]) => Mask,
): (error: unknown, subject: string, call: Call) => string {
  return (error, subject, call) => {
    if (!isToolError(error)) return reportError(error, subject, call);
    const hasCause = error.cause !== undefined && !isNotFoundError(error) && !call.isStopped;
    if (hasCause) log(createToolErrorEntry(subject, error, createMask(call.listSecrets())));
    return error.message;
  };
}

/** Names and codes of the errors that HTTP clients throw when a signal aborts their request. */
const ABORTS = /^(?:AbortError|CanceledError|ABORT_ERR|ERR_ABORTED|ERR_CANCELED|UND_ERR_ABORTED)$/;

/** Names and codes of timeouts: of `AbortSignal.timeout()`, undici, and sockets. */
const TIMEOUTS = /TimeoutError$|^ETIMEDOUT$|_TIMEOUT$/;

/** Returns whether an error is due to the signal. MCP clients throw their own error, with the reason in its message. */
function isAbort(error: unknown, { reason }: AbortSignal): boolean {
  return isNamed(error, ABORTS) || isTimeout(error) || errorMessage(error).includes(String(reason));
}

function isTimeout(error: unknown): boolean {
  return isNamed(error, TIMEOUTS);
}

/** Returns whether the name or the code of an error, or of one of its causes, matches a pattern. */
function isNamed(error: unknown, names: RegExp): boolean {
  try {
    for (let each = error, depth = 0; isError(each) && depth < 10; each = each.cause, depth++) {
      const { name, code, message } = each as Error & { code?: unknown };
      if (names.test(name) || (typeof code === "string" && names.test(code))) return true;
      // Axios reports its `timeout` with the code of a closed connection.
      if (names === TIMEOUTS && code === "ECONNABORTED" && message.startsWith("timeout")) return true;
    }
  } catch {
    // Reading a property of the error threw.
  }
  return false;
}
