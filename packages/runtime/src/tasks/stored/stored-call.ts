import type { Principal } from "../../api/caller.js";
import { Call } from "../../connection/call.js";
import type { ClientDescription } from "../../protocol/client-description.js";
import type { Dispatcher } from "../../connection/connection.js";
import { toPrincipal } from "../../connection/principal.js";
import { Session } from "../../connection/session.js";
import type { Params, RequestId } from "../../protocol/jsonrpc.js";
import { findRevision } from "../../protocol/revisions.js";
import type { Peer } from "../../transports/transport.js";

/** A call that has become a task, as another process can serve it. */
export interface StoredCall {
  readonly id: RequestId;
  readonly params: Params;
  readonly revision: string;
  readonly client: ClientDescription;
  /** JSON has its date as text. */
  readonly principal?: Principal | undefined;
  readonly address?: string | undefined;
  /** It came over HTTP. */
  readonly hadHeaders: boolean;
}

/** Without what the rounds before the task brought along: that is in the task's record. */
export function storedCall({ id, params, revision, client, peer }: Call): StoredCall {
  const { requestState: _state, inputResponses: _responses, ...rest } = params;
  const { principal, address, header } = peer;
  const hadHeaders = header !== undefined;
  return { id, params: rest, revision: revision.id, client, principal, address, hadHeaders };
}

/**
 * The call, to be served anew. It is made on behalf of the same principal, with the scopes and claims that it had; nobody
 * hears what is sent about it, and its headers are not known any more.
 *
 * @returns undefined for one of a revision that this process does not know
 */
export function restoredCall(stored: StoredCall, dispatcher: Dispatcher): Call | undefined {
  const revision = findRevision(stored.revision, "modern");
  if (revision === undefined) return undefined;
  const { principal, address, hadHeaders, client } = stored;
  const expiresAt = principal?.expiresAt && new Date(principal.expiresAt);
  const peer: Peer = {
    send: () => {},
    endsWithAnswer: true,
    acceptsEvents: false,
    principal: principal && toPrincipal({ ...principal, expiresAt }),
    address,
    ...(hadHeaders && { header: () => undefined }),
  };
  const { notify, elicitations, sanitize, log } = dispatcher;
  const session = new Session({ peer, notify, elicitations, sanitize, log, isDevelopment: false });
  const call = new Call(session, stored.id, "tools/call", stored.params, revision, client, peer);
  call.isAgain = true;
  // Tells whether the handler has failed by an internal error.
  call.notes = {};
  return call;
}
