import type { Limits } from "../../api/limits.js";
import type { LogSink } from "../../api/log.js";
import type { Agreement } from "../../protocol/agreement.js";
import type { Peer, TransportConnection } from "../../transports/transport.js";
import type { InputRequester } from "../questions/question.js";
import type { Forms } from "../questions/served-form.js";
import type { Call } from "../connection/call.js";
import type { SharedReplies } from "../connection/shared-replies.js";

/** The parts of a server that durable calls need. */
export interface CallSource {
  readonly limits: Limits;
  readonly forms: Forms;
  readonly log: LogSink;
  /** Opens a connection for a call that began in another process. */
  connect(peer: Peer, options: { readonly agreement: Agreement }): TransportConnection;
}

/** The calls of legacy sessions that any process can continue. */
export interface SharedCalls extends SharedReplies {
  /**
   * Creates an input requester whose questions survive this process.
   *
   * @returns undefined for a call that no other process could continue
   */
  createRequester(call: Call): InputRequester | undefined;
  /** Resolves when other processes can continue what this one has handed over. */
  close(): Promise<void>;
}
