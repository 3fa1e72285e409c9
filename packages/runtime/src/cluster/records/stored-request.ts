import { toPrincipal } from "../../access/principal.js";
import type { Principal } from "../../api/caller.js";
import type { Call } from "../../call/connection/call.js";
import type { ClientDescription } from "../../protocol/client-description.js";
import type { Params, RequestId } from "../../protocol/jsonrpc.js";

/** The request of a call, in a form that another process can serve. */
export interface StoredRequest {
  readonly id: RequestId;
  readonly method: string;
  readonly params: Params;
  readonly revision: string;
  readonly client: ClientDescription;
  readonly principal?: StoredPrincipal | undefined;
  readonly address?: string | undefined;
  /** Whether the request came over HTTP. */
  readonly hadHeaders: boolean;
}

/** A principal as JSON. */
export type StoredPrincipal = Omit<Principal, "expiresAt"> & { readonly expiresAt?: string | undefined };

/** Converts a call to JSON, so that another process can continue it. */
export function toStoredRequest({ id, method, params, revision, client, peer }: Call): StoredRequest {
  const { principal, address, header } = peer;
  return {
    id,
    method,
    params,
    revision: revision.id,
    client,
    principal: toStoredPrincipal(principal),
    address,
    hadHeaders: header !== undefined,
  };
}

/** Converts a principal to JSON. */
export function toStoredPrincipal(principal: Principal | undefined): StoredPrincipal | undefined {
  return principal && { ...principal, expiresAt: principal.expiresAt?.toISOString() };
}

/** Returns a stored principal, with the scopes and claims that it had. */
export function readStoredPrincipal(principal: StoredPrincipal | undefined): Principal | undefined {
  if (principal === undefined) return undefined;
  const { expiresAt, ...rest } = principal;
  return toPrincipal({ ...rest, expiresAt: expiresAt === undefined ? undefined : new Date(expiresAt) });
}
