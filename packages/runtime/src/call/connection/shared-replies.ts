import type { Message, RequestId } from "../../protocol/jsonrpc.js";
import type { Session } from "./session.js";

/** Handles messages about calls that another process may be serving. */
export interface SharedReplies {
  /**
   * Accepts the reply to a question of any process.
   *
   * @param checkScopes throws if the sender lacks any of the scopes that the call needs
   * @returns a promise that resolves when the reply is stored, or `undefined` if the ID belongs to no such question
   * @throws Error, from the promise, if the store does not respond, or the error of `checkScopes`
   */
  acceptReply(
    session: Session,
    id: RequestId,
    message: Message,
    checkScopes: (scopes: readonly string[]) => void,
  ): Promise<void> | undefined;
  /** Cancels a request that this process does not know. */
  cancel(session: Session, id: RequestId): void;
}
