import type { LogEntry } from "../api/log.js";
import { randomBytes } from "../encryption/node-crypto.js";
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

/** The error in its own words, for its author's eyes. */
export function debugMessage(error: unknown): string {
  return readable(() => (error instanceof Error ? `${error.name}: ${error.message}` : error));
}

export function logEntryOf({ reference, subject: named, error }: InternalErrorReport): LogEntry {
  // It may be a URI.
  const subject = maskSecrets(named);
  const isError = error instanceof Error;
  return {
    level: "error",
    event: "internal-error",
    msg: `The ${subject} failed.`,
    reference,
    subject,
    err: {
      type: readable(() => (isError ? error.name : typeof error)),
      message: maskSecrets(readable(() => (isError ? error.message : error))),
      stack: maskSecrets(describeError(error)),
    },
  };
}

/** Causes beyond these are left out: they may lead in a circle. */
const MOST_CAUSES = 10;

function describeError(error: unknown, causes = 0): string {
  return readable(() => {
    if (!(error instanceof Error)) return `Thrown: ${String(error)}`;
    const described = error.stack ?? `${error.name}: ${error.message}`;
    if (error.cause === undefined || causes === MOST_CAUSES) return described;
    return `${described}\nCaused by: ${describeError(error.cause, causes + 1)}`;
  });
}

/** Members of what is thrown may throw in turn. */
function readable(read: () => unknown): string {
  try {
    return String(read());
  } catch {
    return "What was thrown cannot be read.";
  }
}
