import type { LogEntry, LoggedError } from "../../api/log.js";
import type { InternalErrorReport } from "../../data/results/internal-error.js";
import { errorMessage, getErrorName, errorText } from "./error-text.js";
import { maskSecrets } from "./mask-secrets.js";

/** Returns the log entry of an internal error. */
export function createInternalErrorEntry({
  reference,
  subject: subjectText,
  error,
}: InternalErrorReport): LogEntry {
  // The subject may contain a URI.
  const subject = maskSecrets(subjectText);
  const msg = `The ${subject} failed.`;
  return { level: "error", event: "internal-error", msg, reference, subject, err: toLoggedError(error) };
}

/** Returns the log entry of an error whose message the client has received. Only the log has the cause. */
export function createToolErrorEntry(subjectText: string, error: Error): LogEntry {
  const subject = maskSecrets(subjectText);
  const msg = `The ${subject} failed: ${maskSecrets(errorMessage(error))}`;
  return { level: "warn", event: "tool-error", msg, subject, err: toLoggedError(error.cause) };
}

/** Masks secrets in an error and bounds its length. */
function toLoggedError(error: unknown): LoggedError {
  return {
    type: getErrorName(error),
    message: maskSecrets(errorMessage(error)),
    stack: maskSecrets(errorText(error)),
  };
}
