import type { Asker } from "../ask/questions/question.js";
import type { Message, RequestId } from "../protocol/jsonrpc.js";
import type { Call } from "./call.js";
import type { Session } from "./session.js";

/** The calls of legacy sessions with which any process can go on. */
export interface SharedCalls {
  /** How a handler asks in a way that survives its process; `undefined` for a call that would not. */
  asker(call: Call): Asker | undefined;
  /**
   * Takes an answer to a question of any process: what is fulfilled is kept. `undefined` when the id is of no such
   * question. Rejects when the store cannot be asked.
   */
  answer(session: Session, id: RequestId, message: Message): Promise<void> | undefined;
  /** The client cancels a request that this process does not know. */
  cancel(session: Session, id: RequestId): void;
  /** Resolves when other processes can go on with what this one has handed over. */
  close(): Promise<void>;
}
