import type { LogEntry, LoggedError } from "../../api/log.js";
import type { InternalErrorReport } from "../../data/results/internal-error.js";
import { errorMessage, getErrorName, formatErrorText, type Mask } from "./error-text.js";
import { maskSecrets } from "./mask-secrets.js";

/**
 * Returns the log entry of an internal error.
 *
 * @param mask masks the secrets of the call. Default: those that `maskSecrets` recognizes
 */
export function createInternalErrorEntry(
  { reference, subject: subjectText, error }: InternalErrorReport,
  mask: Mask = maskSecrets,
): LogEntry {
  // The subject may contain a URI.
  const subject = maskSecrets(subjectText);
  const msg = `The ${subject} failed.`;
  return {
    level: "error",
    event: "internal-error",
    msg,
    reference,
    subject,
    err: toLoggedError(error, mask),
  };
}

/**
 * Returns the log entry of an error whose message the client has received. Only the log has the cause.
 *
 * @param mask masks the secrets of the call
 */
export function createToolErrorEntry(subjectText: string, error: Error, mask: Mask): LogEntry {
  const subject = maskSecrets(subjectText);
  const msg = `The ${subject} failed: ${errorMessage(error, mask)}`;
  return { level: "warn", event: "tool-error", msg, subject, err: toLoggedError(error.cause, mask) };
}

/** Masks secrets in an error and limits its length. */
function toLoggedError(error: unknown, mask: Mask): LoggedError {
  return {
    type: mask(getErrorName(error)),
    message: errorMessage(error, mask),
    // Masked again, since names of members and numbers may also be secret.
    stack: mask(formatErrorText(error, mask)),
  };
}
