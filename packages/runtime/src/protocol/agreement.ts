import type { Revision } from "./revisions.js";
import type { LoggingLevel } from "./specification.js";
import type { ClientDescription } from "./client-description.js";

/** What a legacy client and the server agreed on when a session was opened. */
export interface Agreement {
  /** As handlers know the session; not the id by which its client names it. */
  readonly id: string;
  readonly revision: Revision;
  readonly client: ClientDescription;
  /** In milliseconds since 1970. */
  readonly openedAt: number;
  /** Until when its id, which carries all of this, is valid; absent where the id carries nothing. */
  readonly idExpires?: number;
}

/** What a client has changed in its session after that, as far as it has. */
export interface SessionState {
  readonly logLevel?: LoggingLevel;
  /** The resources that it has subscribed to. */
  readonly subscribed?: readonly string[];
}

/** One change of a session by its client. */
export type SessionChange =
  { readonly logLevel: LoggingLevel } | { readonly subscribed: string } | { readonly unsubscribed: string };
