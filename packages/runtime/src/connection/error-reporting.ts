import { isNotFoundError, isToolError } from "../api/errors.js";
import type { LogSink } from "../api/log.js";
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
    if (call?.stopped === true && isAbort(error)) return `The ${subject} was stopped.`;
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

function isAbort(error: unknown): boolean {
  return error instanceof Error && (error.name === "AbortError" || isTimeout(error));
}

/** True for what `AbortSignal.timeout()` makes of a request of the author's, also where it is the cause of another. */
function isTimeout(error: unknown): boolean {
  return error instanceof Error && (error.name === "TimeoutError" || isTimeoutError(error.cause));
}

function isTimeoutError(error: unknown): boolean {
  return error instanceof Error && error.name === "TimeoutError";
}
