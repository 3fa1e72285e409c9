import type { Revision } from "./revisions.js";
import type { LoggingLevel } from "./specification.js";
import type { ClientDescription } from "./client-description.js";

/** Terms on which a legacy client and the server agreed when a session was opened. */
export interface Agreement {
  /** Session ID that handlers see. It differs from the ID that the client sends. */
  readonly id: string;
  readonly revision: Revision;
  readonly client: ClientDescription;
  /** Time at which the session was opened, in milliseconds since 1970. */
  readonly openedAt: number;
  /** Expiry of the session ID, in milliseconds since 1970, if the ID contains the agreement. Absent otherwise. */
  readonly idExpires?: number;
}

/** Changes that a client has made to its session since it was opened. */
export interface SessionState {
  readonly logLevel?: LoggingLevel;
  /** Resources to which the client is subscribed. */
  readonly subscribed?: readonly string[];
}

/** Change of a session by its client. */
export type SessionChange =
  { readonly logLevel: LoggingLevel } | { readonly subscribed: string } | { readonly unsubscribed: string };
