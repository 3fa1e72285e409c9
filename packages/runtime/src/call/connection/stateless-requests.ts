import type { Params, RequestId } from "../../protocol/jsonrpc.js";
import { UNKNOWN_CLIENT } from "../../protocol/client-description.js";
import type { Revision } from "../../protocol/revisions.js";
import type { Peer, StatelessConnection } from "../../transports/transport.js";
import { Call } from "./call.js";
import type { Dispatcher } from "./dispatcher.js";
import { MessageReceiver } from "./message-receiver.js";
import { readModernCall } from "./modern-request.js";

/**
 * Serves requests without sessions, each with its own peer. Modern requests carry everything that is known about their
 * client; of legacy ones, only the revision is known.
 */
export class StatelessRequests extends MessageReceiver<Peer | Call> implements StatelessConnection {
  readonly #busy: Set<StatelessRequests>;
  readonly #isDevelopment: boolean;

  /**
   * @param busy contains this object while a request is pending, so that the server keeps no reference to idle transports
   * @param isDevelopment whether clients may read what handlers throw
   */
  constructor(server: Dispatcher, busy: Set<StatelessRequests>, isDevelopment: boolean) {
    // A legacy batch consists of several calls of one peer.
    super(server, (call) => (call.peer.revision === undefined ? call.peer : call));
    this.#busy = busy;
    this.#isDevelopment = isDevelopment;
  }

  disconnect(peer: Peer): void {
    this.calls.get(peer)?.cancel("The client has disconnected.");
  }

  protected override add(call: Call): void {
    super.add(call);
    this.#busy.add(this);
  }

  protected override delete(call: Call): void {
    super.delete(call);
    if (this.calls.size === 0) this.#busy.delete(this);
  }

  protected override getRevision(peer?: Peer): Revision | undefined {
    return peer?.revision;
  }

  protected override createCall(id: RequestId, method: string, params: Params, peer: Peer): Call {
    const { server } = this;
    const { revision } = peer;
    const call =
      revision === undefined
        ? readModernCall(server, undefined, id, method, params, peer)
        : new Call(server, undefined, id, method, params, revision, UNKNOWN_CLIENT, peer);
    call.isDevelopment = this.#isDevelopment;
    return call;
  }

  /** Ignores a response: the request that it answers is unknown here. */
  protected override receiveReply(): undefined {}

  /** Ignores a notification: the request that it is about is unknown here. */
  protected override receiveNotification(): undefined {}
}
