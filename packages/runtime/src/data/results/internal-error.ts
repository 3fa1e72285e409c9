/** An exception in the author's code, whose details the client must not see. */
export interface InternalErrorReport {
  /** Appears in the response and in the log, so that the two can be matched. */
  reference: string;
  /** The declaration that failed, such as `tool "current"`. */
  subject: string;
  error: unknown;
  /** Secrets of the call, which the log must not contain. */
  secrets?: readonly string[] | undefined;
}

/** Receives reports; by default they are logged. */
export type InternalErrorReporter = (report: InternalErrorReport) => void;

/** Creates a report with a new reference. */
export function createReport(
  subject: string,
  error: unknown,
  secrets?: readonly string[],
): InternalErrorReport {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(4));
  const reference = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return { reference, subject, error, secrets };
}

/** Returns the sentence that a client receives in place of the error. */
export function formatPublicMessage({ reference, subject }: InternalErrorReport): string {
  return `The ${subject} failed because of an internal error (reference ${reference}).`;
}

/** Returns the sentence that a client receives for a timeout in the author's code, where a retry may help. */
export function formatTimeoutMessage({ reference, subject }: InternalErrorReport): string {
  return `The ${subject} timed out while it waited for something that it needs (reference ${reference}). Try again later.`;
}
