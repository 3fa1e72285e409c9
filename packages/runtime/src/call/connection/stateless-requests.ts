import {
  isObject,
  isRequestId,
  type Message,
  findMessageProblem,
  NO_PARAMS,
} from "../../protocol/jsonrpc.js";
import { LATEST } from "../../protocol/revisions.js";
import type { Peer, PendingResponse, StatelessConnection } from "../../transports/transport.js";
import type { Call } from "./call.js";
import { readModernCall } from "./modern-request.js";
import { PendingCalls } from "./pending-calls.js";
import {
  checkBounds,
  type Dispatcher,
  toErrorResponse,
  rejectInvalidMessage,
  toRejection,
  respondToCall,
} from "./serve-call.js";

/** Serves stateless requests: each carries everything that is known about its client, and nothing outlives it. */
export class StatelessRequests extends PendingCalls<Peer> implements StatelessConnection {
  readonly #server: Dispatcher;
  readonly #busy: Set<StatelessRequests>;
  readonly #isDevelopment: boolean;

  /**
   * @param busy contains this object while a request is pending, so that the server keeps no reference to idle transports
   * @param isDevelopment whether clients may read what handlers throw
   */
  constructor(server: Dispatcher, busy: Set<StatelessRequests>, isDevelopment: boolean) {
    super((call) => call.peer);
    this.#server = server;
    this.#busy = busy;
    this.#isDevelopment = isDevelopment;
  }

  override add(call: Call): void {
    super.add(call);
    this.#busy.add(this);
  }

  override delete(call: Call): void {
    super.delete(call);
    if (this.calls.size === 0) this.#busy.delete(this);
  }

  receive(value: unknown, peer: Peer): PendingResponse {
    const server = this.#server;
    const problem = findMessageProblem(value);
    if (problem !== undefined) {
      const id = isObject(value) && isRequestId(value.id) ? value.id : LATEST.unreadableId;
      return rejectInvalidMessage(server, problem, id, peer);
    }
    const { id, method, params = NO_PARAMS } = value as Message;
    // Notifications and responses refer to other requests, which are unknown here.
    if (method === undefined || id === undefined) return undefined;
    let call: Call;
    try {
      checkBounds(params, server.limits);
      call = readModernCall(server, undefined, id, method, params, peer);
      call.isDevelopment = this.#isDevelopment;
    } catch (error) {
      return toRejection(server, id, method, error, peer);
    }
    try {
      return respondToCall(server, call, server.dispatch(call), this);
    } catch (error) {
      return toErrorResponse(server, id, method, error, peer);
    }
  }

  disconnect(peer: Peer): void {
    this.calls.get(peer)?.cancel("The client has disconnected.");
  }
}
