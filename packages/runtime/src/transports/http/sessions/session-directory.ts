import type { Principal } from "../../../api/caller.js";
import type { Agreement, SessionChange, SessionState } from "../../../protocol/agreement.js";

/** A session that other processes know. */
export interface FoundSession {
  readonly agreement: Agreement;
  readonly state: SessionState;
  /** Whether the store is unreachable, so that the session may have changed. */
  readonly isStale: boolean;
}

/** The part of a session in one process. */
export interface SessionCopy {
  readonly agreement: Agreement;
  /** Applies what the client has changed in other processes. */
  restore(state: SessionState): void;
  /** Marks the session as possibly changed by other processes, so that it is looked up before its next use. */
  markStale(): void;
  /** Ends the session, which has ended in another process. */
  end(): void;
  /** Receives the principal of the newest token, which the client has sent to another process. */
  setPrincipal(principal: Principal | undefined): void;
  /** Receives a message that the client has sent to another process, with the principal of its sender. */
  receive(message: unknown, principal: Principal | undefined): void;
}

/** The legacy sessions of all processes of a server. */
export interface SessionDirectory {
  /**
   * Stores a session so that other processes find it, if its ID does not contain the agreement.
   *
   * @returns its ID. Rejects if the store is unreachable
   */
  open(agreement: Agreement, principal: Principal | undefined): Promise<string>;
  /**
   * Finds a session by its ID; undefined if the principal has no such session, or it has ended. While the store is
   * unreachable, finds only sessions with an encrypted ID, and rejects for others.
   *
   * @param decrypted the content of an encrypted ID
   */
  find(
    id: string,
    principal: Principal | undefined,
    decrypted: Agreement | undefined,
  ): Promise<FoundSession | undefined>;
  /** Notifies a copy of changes to its session in other processes. Returns a function that stops it. */
  attach(copy: SessionCopy): () => void;
  /** Extends the lifetime of a session, since it was used. */
  extend(agreement: Agreement): void;
  /** Stores a client's change, and notifies the other processes. Rejects if it is not stored. */
  remember(agreement: Agreement, change: SessionChange): Promise<void>;
  /** Notifies the other processes of the principal of a session's newest token. */
  announcePrincipal(agreement: Agreement, principal: Principal): void;
  /** Ends a session in all processes. Rejects if that is not stored. */
  end(agreement: Agreement): Promise<void>;
  /**
   * Forwards a message for which another process waits: an answer to its question, or a message about one of its calls.
   * Returns undefined if there is nothing to wait for. Rejects if an answer cannot be forwarded.
   */
  relay(agreement: Agreement, message: unknown, principal: Principal | undefined): Promise<void> | undefined;
}
