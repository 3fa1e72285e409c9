import type { Revision } from "../protocol/revisions.js";
import type { LoggingLevel } from "../protocol/specification.js";
import type { ClientDescription } from "./client-description.js";

/** What a legacy client and the server agreed on when a session was opened. */
export interface Agreement {
  /** As handlers know the session; not the id by which its client names it. */
  readonly id: string;
  readonly revision: Revision;
  readonly client: ClientDescription;
  /** In milliseconds since 1970. */
  readonly openedAt: number;
}

/** What a client changes in its session after that. */
export type SessionChange =
  { readonly logLevel: LoggingLevel } | { readonly subscribed: string } | { readonly unsubscribed: string };
