import type { Agreement, SessionState } from "../../protocol/agreement.js";
import { ProtocolError, createBadRequestError } from "../../api/errors.js";
import * as ErrorCode from "../../protocol/error-codes.js";
import {
  toErrorText,
  isObject,
  isRequestId,
  type Message,
  findMessageProblem,
  NO_PARAMS,
  type Params,
  type RequestId,
} from "../../protocol/jsonrpc.js";
import { LATEST, LATEST_LEGACY, type Revision } from "../../protocol/revisions.js";
import type {
  EncodedResponse,
  Peer,
  PendingResponse,
  TransportConnection,
} from "../../transports/transport.js";
import { findBatchProblem, findMemberProblem, joinResponses } from "./batch.js";
import { Call } from "./call.js";
import { isModern } from "../../protocol/is-modern.js";
import {
  checkBounds,
  type Dispatcher,
  toErrorResponse,
  rejectInvalidMessage,
  toRejection,
  respondToCall,
} from "./serve-call.js";
import { getRepeatingHeaders, readModernCall } from "./modern-request.js";
import { PendingCalls } from "./pending-calls.js";
import { Session } from "./session.js";

export interface ConnectionOptions {
  readonly peer: Peer;
  readonly isDevelopment: boolean;
  /** The agreement, if another process opened the session. */
  readonly agreement?: Agreement | undefined;
  /** Called when the connection is closed. */
  onClose(): void;
}

/** A connection to a legacy client, or over stdio: its session, and the requests in progress. */
export class Connection extends PendingCalls<RequestId> implements TransportConnection {
  readonly #server: Dispatcher;
  readonly session: Session;

  constructor(server: Dispatcher, { peer, isDevelopment, agreement, onClose }: ConnectionOptions) {
    super((call) => call.id);
    this.#server = server;
    this.session = new Session({ server, peer, isDevelopment, agreement, requestId: server.requestId });
    this.session.onClose(onClose);
  }

  get revision(): Revision | undefined {
    return this.session.revision;
  }

  get agreement(): Agreement | undefined {
    return this.session.agreement;
  }

  restore({ logLevel = "info", subscribed = [] }: SessionState): void {
    this.session.setLogLevel(logLevel);
    this.#server.restoreSubscriptions(this.session, subscribed);
  }

  receive(value: unknown, peer: Peer = this.session.peer): PendingResponse {
    if (Array.isArray(value)) return this.#receiveBatch(value, peer);
    const problem = findMessageProblem(value);
    if (problem !== undefined) {
      return rejectInvalidMessage(this.#server, problem, readId(value) ?? this.#unreadableId, peer);
    }
    const { id, method, params = NO_PARAMS } = value as Message;
    if (method === undefined)
      return isRequestId(id) ? this.#receiveReply(id, value as Message, peer) : undefined;
    if (id === undefined) return this.#receiveNotification(method, params);
    let call: Call;
    try {
      call = this.#readCall(id, method, params, peer);
    } catch (error) {
      return toRejection(this.#server, id, method, error, peer);
    }
    try {
      return respondToCall(this.#server, call, this.#server.dispatch(call), this);
    } catch (error) {
      return toErrorResponse(this.#server, id, method, error, peer);
    }
  }

  rejectText(problem: string): EncodedResponse {
    return { text: toErrorText(this.#unreadableId, ErrorCode.ParseError, problem), status: 400 };
  }

  reject(
    problem: string,
    status = 400,
    id: RequestId | null | undefined = this.#unreadableId,
  ): EncodedResponse {
    return { text: toErrorText(id, ErrorCode.InvalidRequest, problem), status };
  }

  override finish(): void {
    super.finish();
    this.session.finish();
  }

  override close(reason = "The connection was closed."): void {
    // First, so that waiting handlers do not send cancellations to a client that has disconnected.
    this.session.requests.end(reason);
    super.close(reason);
    this.#server.elicitations.forget(this.session.peer);
    this.session.close();
  }

  get #unreadableId(): null | undefined {
    return (this.revision ?? LATEST).unreadableId;
  }

  /** Accepts an answer to a question, unless its sender may no longer make the call that asked it. */
  #receiveReply(id: RequestId, message: Message, peer: Peer): PendingResponse {
    const server = this.#server;
    const { requests, client } = this.session;
    const sender = { peer, client, method: "response", revision: this.revision ?? LATEST_LEGACY };
    const checkScopes = (scopes: readonly string[]): void => server.checkScopes(sender, scopes);
    const toResponse = (error: unknown): EncodedResponse =>
      toErrorResponse(server, undefined, "response", error, peer);
    try {
      const accepted = server.calls?.acceptReply(this.session, id, message, checkScopes);
      if (accepted !== undefined) return accepted.then(() => undefined, toResponse);
      checkScopes(requests.getScopes(id));
      requests.settle(id, message);
    } catch (error) {
      return toResponse(error);
    }
    return undefined;
  }

  /** Creates the call of a request. @throws ProtocolError for a request that must not be served */
  #readCall(id: RequestId, method: string, params: Params, peer: Peer): Call {
    const server = this.#server;
    const { session } = this;
    const inFlight = this.calls;
    checkBounds(params, server.limits);
    // If two requests had the same ID, responses and cancellations would be ambiguous.
    if (inFlight.has(id)) {
      throw createBadRequestError("A request with this ID is still in progress. Use another ID.");
    }
    const header = getRepeatingHeaders(peer);
    // Before the handshake there is no agreement: use the newest revision that the client could request.
    const call = isModern(method, params, header)
      ? readModernCall(server, session, id, method, params, peer)
      : new Call(server, session, id, method, params, this.revision ?? LATEST_LEGACY, session.client, peer);
    call.isRecovered = peer.isRecovered === true;
    // A ping costs nothing, and shows the client that a busy connection is alive.
    const { maxConcurrentRequests: max } = server.limits;
    if (inFlight.size >= max && inFlight.size - this.openStreams >= max && method !== "ping") {
      const message = "Too many requests are in progress on this connection.";
      throw new ProtocolError(ErrorCode.InternalError, message, undefined, 503);
    }
    return call;
  }

  #receiveNotification(method: string, params: unknown): undefined {
    if (method === "notifications/roots/list_changed") {
      for (const call of this.calls.values()) void this.#rootsChanged(call);
    }
    if (method !== "notifications/cancelled" || !isObject(params)) return undefined;
    const { requestId, reason } = params;
    const call = this.calls.get(requestId as RequestId);
    if (call !== undefined)
      call.cancel(typeof reason === "string" ? reason : "The client cancelled the request.");
    else if (isRequestId(requestId)) this.#server.calls?.cancel(this.session, requestId);
    return undefined;
  }

  async #rootsChanged(call: Call): Promise<void> {
    try {
      await call.rootsChanged();
    } catch (error) {
      this.#server.reportError(error, "listener for changes to roots", call);
    }
  }

  #receiveBatch(messages: readonly unknown[], peer: Peer): PendingResponse {
    const batchProblem = findBatchProblem(messages, this.revision, this.#server.limits);
    if (batchProblem !== undefined) {
      return rejectInvalidMessage(this.#server, batchProblem, this.#unreadableId, peer);
    }
    const responses = messages.map((message) => {
      const id = readId(message);
      const problem = id === undefined ? findMessageProblem(message) : findMemberProblem(message as Message);
      return problem === undefined
        ? this.receive(message, peer)
        : rejectInvalidMessage(this.#server, problem, id ?? this.#unreadableId, peer);
    });
    return joinResponses(responses);
  }
}

/** Returns the ID for the response to a message, well formed or not. */
function readId(message: unknown): RequestId | undefined {
  return isObject(message) && isRequestId(message.id) ? message.id : undefined;
}
