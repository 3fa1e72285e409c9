import type { Call } from "../../connection/call.js";
import type { ClientDescription } from "../../connection/client-description.js";
import type { Params, RequestId } from "../../protocol/jsonrpc.js";
import type { Principal } from "../../api/caller.js";

/** A call that has become a task, as another process can serve it. */
export interface StoredCall {
  readonly id: RequestId;
  readonly params: Params;
  readonly revision: string;
  readonly client: ClientDescription;
  readonly principal?: Principal | undefined;
  readonly address?: string | undefined;
  /** It came over HTTP. */
  readonly hadHeaders: boolean;
}

/** Without what the rounds before the task brought along: that is in the task's record. */
export function storedCall({ id, params, revision, client, peer }: Call): StoredCall {
  const { requestState: _state, inputResponses: _responses, ...rest } = params;
  const { principal, address, header } = peer;
  return {
    id,
    params: rest,
    revision: revision.id,
    client,
    principal,
    address,
    hadHeaders: header !== undefined,
  };
}
