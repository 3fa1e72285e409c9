import type { Agreement, SessionState } from "../../protocol/agreement.js";
import { ProtocolError, createBadRequestError } from "../../api/errors.js";
import * as ErrorCode from "../../protocol/error-codes.js";
import {
  toErrorText,
  isObject,
  isRequestId,
  type Message,
  type Params,
  type RequestId,
} from "../../protocol/jsonrpc.js";
import { LATEST_LEGACY, type Revision } from "../../protocol/revisions.js";
import type {
  EncodedResponse,
  Peer,
  PendingResponse,
  TransportConnection,
} from "../../transports/transport.js";
import { Call } from "./call.js";
import { isModern } from "../../protocol/is-modern.js";
import { type Dispatcher, toErrorResponse } from "./dispatcher.js";
import { MessageReceiver } from "./message-receiver.js";
import { getRepeatingHeaders, readModernCall } from "./modern-request.js";
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
export class Connection extends MessageReceiver<RequestId> implements TransportConnection {
  readonly session: Session;

  constructor(server: Dispatcher, { peer, isDevelopment, agreement, onClose }: ConnectionOptions) {
    super(server, (call) => call.id);
    this.session = new Session({
      server,
      peer,
      isDevelopment,
      agreement,
      createRequestId: server.createRequestId,
    });
    this.session.onClose(onClose);
  }

  get revision(): Revision | undefined {
    return this.session.revision;
  }

  protected override getRevision(): Revision | undefined {
    return this.session.revision;
  }

  get agreement(): Agreement | undefined {
    return this.session.agreement;
  }

  restore({ logLevel = "info", subscribed = [] }: SessionState): void {
    this.session.setLogLevel(logLevel);
    this.server.restoreSubscriptions(this.session, subscribed);
  }

  rejectText(problem: string): EncodedResponse {
    return { text: toErrorText(this.getUnreadableId(), ErrorCode.ParseError, problem), status: 400 };
  }

  reject(
    problem: string,
    status = 400,
    id: RequestId | null | undefined = this.getUnreadableId(),
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
    this.server.elicitations.forget(this.session.peer);
    this.session.close();
  }

  /** Accepts an answer to a question, unless its sender may no longer make the call that asked it. */
  protected override receiveReply(id: RequestId, message: Message, peer: Peer): PendingResponse {
    const { server } = this;
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

  protected override createCall(id: RequestId, method: string, params: Params, peer: Peer): Call {
    const { server, session, calls: inFlight } = this;
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

  protected override receiveNotification(method: string, params: unknown): undefined {
    if (method === "notifications/roots/list_changed") {
      for (const call of this.calls.values()) void this.#notifyRootsChanged(call);
    }
    if (method !== "notifications/cancelled" || !isObject(params)) return undefined;
    const { requestId, reason } = params;
    const call = this.calls.get(requestId as RequestId);
    if (call !== undefined)
      call.cancel(typeof reason === "string" ? reason : "The client cancelled the request.");
    else if (isRequestId(requestId)) this.server.calls?.cancel(this.session, requestId);
    return undefined;
  }

  async #notifyRootsChanged(call: Call): Promise<void> {
    try {
      await call.notifyRootsChanged();
    } catch (error) {
      this.server.reportError(error, "listener for changes to roots", call);
    }
  }
}
