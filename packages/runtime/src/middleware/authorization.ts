import { ProtocolError, ToolError } from "../api/errors.js";
import type { Auth } from "../auth/authenticator.js";
import { allowedScopes } from "../auth/scopes.js";
import type { Call } from "../connection/call.js";
import type { Entry } from "../manifest.js";
import * as ErrorCode from "../protocol/error-codes.js";

/** Lets a call pass to the handler of an entry, or throws what the caller is told. */
export type Authorize = (call: Call, entry: Pick<Entry<unknown>, "scopes">) => void;

/**
 * Holds callers to the scopes that a handler needs. Over HTTP a caller who lacks some is challenged, and may come back
 * with a token that has them; elsewhere the answer names them in words.
 *
 * @throws ProtocolError with a challenge, or ToolError, from the returned function
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization#scope-challenge-handling
 * @see https://www.rfc-editor.org/rfc/rfc6750#section-3.1
 */
export function createAuthorization(auth: Auth | undefined): Authorize {
  return ({ peer, revision }, { scopes = [] }) => {
    if (scopes.length === 0) return;
    const granted = peer.principal?.scopes ?? [];
    const allowed = allowedScopes(granted, auth?.scopes ?? {});
    const missing = scopes.filter((scope) => !allowed.has(scope));
    if (missing.length === 0) return;
    const names = missing.map((scope) => `\`${scope}\``).join(", ");
    const reason = `This needs the ${missing.length === 1 ? "scope" : "scopes"} ${names}, which the caller was not granted.`;
    // Without an exchange of its own, a request has no status to be answered with.
    if (auth === undefined || peer.endsWithAnswer !== true) throw new ToolError(reason);
    const wanted = revision.challengedScopes === "operation" ? scopes : [...new Set([...granted, ...scopes])];
    const headers = { "www-authenticate": auth.challenge(wanted, reason, peer.header) };
    throw new ProtocolError(ErrorCode.InvalidRequest, reason, { scopes }, 403, headers);
  };
}
