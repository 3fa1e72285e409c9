import { Call } from "../../call/connection/call.js";
import type { Dispatcher } from "../../call/connection/dispatcher.js";
import { findRevision } from "../../protocol/revisions.js";
import type { Peer } from "../../transports/transport.js";
import { readStoredPrincipal, toStoredRequest, type StoredRequest } from "../records/stored-request.js";

/**
 * Returns the request of a call that has become a task, without the input of earlier rounds, which is in the task's
 * record.
 */
export function toTaskRequest(call: Call): StoredRequest {
  const { params, ...request } = toStoredRequest(call);
  const { requestState: _state, inputResponses: _responses, ...rest } = params;
  return { ...request, params: rest };
}

/**
 * Creates a call from a stored request, for the same principal. Messages about the call are dropped, and it has no
 * headers.
 *
 * @returns undefined if this process does not support its revision
 */
export function restoreCall(request: StoredRequest, dispatcher: Dispatcher): Call | undefined {
  const revision = findRevision(request.revision, "modern");
  if (revision === undefined) return undefined;
  const { id, method, params, client, address, hadHeaders } = request;
  const peer: Peer = {
    send: () => {},
    endsWithResponse: true,
    acceptsEvents: false,
    principal: readStoredPrincipal(request.principal),
    address,
    ...(hadHeaders && { header: () => undefined }),
  };
  const call = new Call(dispatcher, undefined, id, method, params, revision, client, peer);
  call.isRecovered = true;
  // The notes record whether the handler fails with an internal error.
  call.notes = {};
  return call;
}
