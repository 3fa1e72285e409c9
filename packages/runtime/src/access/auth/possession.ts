import { isObject } from "../../protocol/jsonrpc.js";
import type { Credentials } from "../../api/auth.js";
import { InvalidTokenError } from "./tokens/invalid-token-error.js";
import type { Scheme } from "./authorization-header.js";
import type { CheckProof } from "./dpop/proof.js";

/** The token of a request. */
export interface SentToken {
  readonly scheme: Scheme;
  /** The SHA-256 of the token, as base64url. */
  readonly hash: string;
  /** The `cnf` claim: the key to which the token is bound. */
  readonly cnf: unknown;
}

/** Throws unless the sender of a request may use its token. Called for every request, even if its token is known. */
export type CheckPossession = (token: SentToken, credentials: Credentials) => Promise<void>;

/**
 * Creates a check that distinguishes bearer tokens from tokens that are bound to a key, and accepts neither in place of
 * the other.
 *
 * @param resource the URL at which clients connect
 * @param isRequired whether only bound tokens are accepted
 * @throws InvalidTokenError, InvalidProofError from the returned function
 * @see https://www.rfc-editor.org/rfc/rfc9449#section-7
 * @see https://www.rfc-editor.org/rfc/rfc7800#section-3.1
 */
export function createPossessionCheck(
  resource: string,
  isRequired: boolean,
  checkProof: CheckProof,
): CheckPossession {
  return async ({ scheme, hash, cnf }, { method, path, header, usedProofs }) => {
    if (scheme === "Bearer") {
      if (cnf !== undefined) throw new InvalidTokenError(isBoundToKey(cnf) ? BOUND : BOUND_OTHERWISE);
      if (isRequired) throw new InvalidTokenError("Only tokens that are bound to a key are accepted.");
      return;
    }
    if (!isBoundToKey(cnf))
      throw new InvalidTokenError(cnf === undefined ? "The token is not bound to a key." : BOUND_OTHERWISE);
    // Concatenated, because `new URL` would read a path that begins with `//` as a host.
    const url = path === undefined ? resource : new URL(resource).origin + path;
    await checkProof(header("dpop"), { method, url, tokenHash: hash, thumbprint: cnf.jkt, usedProofs });
  };
}

const BOUND = "The token is bound to a key. Send it with a DPoP proof of that key.";
const BOUND_OTHERWISE =
  "The token is bound to something other than a DPoP key, such as a certificate (mTLS), which this server cannot check. Request one that is bound to a DPoP key, or a bearer token.";

function isBoundToKey(cnf: unknown): cnf is { jkt: string } {
  return isObject(cnf) && typeof cnf.jkt === "string";
}
