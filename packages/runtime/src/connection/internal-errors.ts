import type { LogEntry, LoggedError } from "../api/log.js";
import { randomBytes } from "../encryption/node-crypto.js";
import { errorLine, errorMessage, errorName, errorText } from "../log/error-text.js";
import { maskSecrets } from "../log/mask-secrets.js";

/** An error of the author's code that a client must not read. */
export interface InternalErrorReport {
  /** Told to the client and written beside the error, so that the two can be brought together. */
  reference: string;
  /** What failed, such as `tool "current"`. */
  subject: string;
  error: unknown;
}

/** Receives reports; by default they are logged. */
export type InternalErrorReporter = (report: InternalErrorReport) => void;

export function createReport(subject: string, error: unknown): InternalErrorReport {
  return { reference: randomBytes(4).toString("hex"), subject, error };
}

/** The sentence that stands for an error on the wire. */
export function publicMessage({ reference, subject }: InternalErrorReport): string {
  return `The ${subject} failed because of an internal error (reference ${reference}).`;
}

/** The sentence that stands for a timeout in the author's code: the model may try again, and need not look for a fault. */
export function timeoutMessage({ reference, subject }: InternalErrorReport): string {
  return `The ${subject} waited too long for something it needs, and gave up (reference ${reference}). It may work later.`;
}

/** The error in its own words, for its author's eyes, with what caused it. */
export function debugMessage(error: unknown): string {
  return errorLine(error);
}

export function logEntryOf({ reference, subject: named, error }: InternalErrorReport): LogEntry {
  // It may be a URI.
  const subject = maskSecrets(named);
  const msg = `The ${subject} failed.`;
  return { level: "error", event: "internal-error", msg, reference, subject, err: loggedError(error) };
}

/** An error that the client has read in the author's words: what caused it, for the author alone. */
export function explainedEntryOf(named: string, error: Error): LogEntry {
  const subject = maskSecrets(named);
  const msg = `The ${subject} failed: ${maskSecrets(errorMessage(error))}`;
  return { level: "warn", event: "tool-error", msg, subject, err: loggedError(error.cause) };
}

/** An error as it is logged: without the secrets that its texts hold, and no longer than anybody reads. */
function loggedError(error: unknown): LoggedError {
  return {
    type: errorName(error),
    message: maskSecrets(errorMessage(error)),
    stack: maskSecrets(errorText(error)),
  };
}
