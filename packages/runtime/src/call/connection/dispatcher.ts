import { isProtocolError, createBadRequestError } from "../../api/errors.js";
import type { Limits } from "../../api/limits.js";
import * as ErrorCode from "../../protocol/error-codes.js";
import { toErrorText, findExceededBound, type Params, type RequestId } from "../../protocol/jsonrpc.js";
import type { EncodedResponse, Peer } from "../../transports/transport.js";
import type { RejectionLog } from "../../transports/rejection-log.js";
import type { Call, ScopedCall } from "./call.js";
import type { CallServer } from "./call-server.js";
import type { Session } from "./session.js";
import type { SharedReplies } from "./shared-replies.js";

/** The parts of a server that serve calls, from every transport. */
export interface Dispatcher extends CallServer {
  readonly limits: Limits;
  dispatch(call: Call): string | Promise<string>;
  reportError(error: unknown, subject: string, call?: Call): string;
  /**
   * Checks that the sender of a message has scopes.
   *
   * @throws ProtocolError, with a challenge over HTTP
   */
  checkScopes(sender: ScopedCall, scopes: readonly string[]): void;
  /** Subscribes a legacy client to exactly these resources. */
  restoreSubscriptions(session: Session, uris: readonly string[]): void;
  /** Creates IDs for requests to clients, if several processes serve their sessions. */
  readonly createRequestId: (() => string) | undefined;
  /** The calls that other processes can continue, if there are any. */
  readonly calls: SharedReplies | undefined;
  /** Records rejected requests. */
  readonly rejections: RejectionLog;
}

/**
 * Checks the depth and the number of values.
 *
 * @throws ProtocolError for parameters that exceed the limits
 */
export function checkBounds(params: Params, limits: Limits): void {
  const exceeded = findExceededBound(params, limits);
  if (exceeded === undefined) return;
  const problem = exceeded === "maxDepth" ? "is nested too deeply" : "contains too many values";
  throw createBadRequestError(`The message ${problem} (limit ${limits[exceeded]}).`);
}

/** Returns the response to a request that is rejected before it becomes a call. */
export function toRejection(
  server: Dispatcher,
  id: RequestId,
  method: string,
  error: unknown,
  peer: Peer,
): EncodedResponse {
  // Clients find out which revisions a server has by requesting one.
  if (isProtocolError(error) && error.code !== ErrorCode.UnsupportedProtocolVersion) {
    reportRejection(server, error.status, error.message, peer);
  }
  return toErrorResponse(server, id, method, error, peer);
}

/** Returns the response to a message that is not a valid request. */
export function rejectInvalidMessage(
  server: Dispatcher,
  problem: string,
  id: RequestId | null | undefined,
  peer: Peer,
): EncodedResponse {
  reportRejection(server, 400, problem, peer);
  return { text: toErrorText(id, ErrorCode.InvalidRequest, problem), status: 400 };
}

/** Reports a rejection, except over stdio: there it concerns only the client, which receives the response. */
function reportRejection({ rejections }: Dispatcher, status: number, reason: string, peer: Peer): void {
  const { header, address, principal } = peer;
  if (header !== undefined) rejections.requestRejected({ status, reason, address, principal });
}

/** Returns the response to a request that fails. */
export function toErrorResponse(
  server: Dispatcher,
  id: RequestId | undefined,
  method: string,
  error: unknown,
  { address, principal }: Peer,
): EncodedResponse {
  if (isProtocolError(error)) {
    const { code, message, data, status, headers } = error;
    if (status === 403 || status === 429) {
      server.rejections.callRejected({ status, reason: message, address, principal });
    }
    return { text: toErrorText(id, code, server.sanitize(message), data), status, headers };
  }
  const message = server.reportError(error, `request "${method.slice(0, 128)}"`);
  return { text: toErrorText(id, ErrorCode.InternalError, message), status: 200 };
}
