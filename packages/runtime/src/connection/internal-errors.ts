import { randomBytes } from "../ask/node-crypto.js";

/** An error of the author's code that a client must not read. */
export interface Incident {
  /** Told to the client and written beside the error, so that the two can be brought together. */
  reference: string;
  /** What failed, such as `tool "current"`. */
  subject: string;
  error: unknown;
}

/** Receives incidents; by default they are written to stderr. */
export type IncidentReporter = (incident: Incident) => void;

export function createIncident(subject: string, error: unknown): Incident {
  return { reference: randomBytes(4).toString("hex"), subject, error };
}

/** The sentence that stands for an error on the wire. */
export function neutralSentence({ reference, subject }: Incident): string {
  return `The ${subject} failed because of an internal error (reference ${reference}).`;
}

/** The error in its own words, for its author's eyes. */
export function revealingSentence(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

export function writeIncident({ reference, subject, error }: Incident): void {
  process.stderr.write(`[${reference}] The ${subject} failed.\n${describeError(error)}\n`);
}

function describeError(error: unknown): string {
  if (!(error instanceof Error)) return `Thrown: ${safeString(error)}`;
  const cause = error.cause === undefined ? "" : `\nCaused by: ${describeError(error.cause)}`;
  return `${error.stack ?? `${error.name}: ${error.message}`}${cause}`;
}

function safeString(value: unknown): string {
  try {
    return String(value);
  } catch {
    return Object.prototype.toString.call(value);
  }
}
