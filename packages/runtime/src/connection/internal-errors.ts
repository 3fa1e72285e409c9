import { randomBytes } from "../ask/node-crypto.js";
import { writeStderr } from "./stderr-write.js";

/** An error of the author's code that a client must not read. */
export interface InternalErrorReport {
  /** Told to the client and written beside the error, so that the two can be brought together. */
  reference: string;
  /** What failed, such as `tool "current"`. */
  subject: string;
  error: unknown;
}

/** Receives reports; by default they are written to stderr. */
export type InternalErrorReporter = (report: InternalErrorReport) => void;

export function createReport(subject: string, error: unknown): InternalErrorReport {
  return { reference: randomBytes(4).toString("hex"), subject, error };
}

/** The sentence that stands for an error on the wire. */
export function publicMessage({ reference, subject }: InternalErrorReport): string {
  return `The ${subject} failed because of an internal error (reference ${reference}).`;
}

/** The error in its own words, for its author's eyes. */
export function debugMessage(error: unknown): string {
  try {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  } catch {
    return UNREADABLE;
  }
}

export function writeReport({ reference, subject, error }: InternalErrorReport): void {
  writeStderr(`[${reference}] The ${subject} failed.\n${describeError(error)}\n`);
}

/** Causes beyond these are left out: they may lead in a circle. */
const MOST_CAUSES = 10;

/** Said of a thrown value whose members throw in turn. */
const UNREADABLE = "What was thrown cannot be read.";

function describeError(error: unknown, causes = 0): string {
  try {
    if (!(error instanceof Error)) return `Thrown: ${String(error)}`;
    const described = error.stack ?? `${error.name}: ${error.message}`;
    if (error.cause === undefined || causes === MOST_CAUSES) return described;
    return `${described}\nCaused by: ${describeError(error.cause, causes + 1)}`;
  } catch {
    return UNREADABLE;
  }
}
