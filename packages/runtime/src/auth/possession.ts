import { isObject } from "../protocol/jsonrpc.js";
import type { Credentials } from "./authenticator.js";
import { InvalidToken } from "./tokens/invalid-token.js";
import type { Scheme } from "./scheme.js";
import type { CheckProof } from "./dpop/proof.js";

/** A token as a request shows it. */
export interface ShownToken {
  readonly scheme: Scheme;
  /** The SHA-256 of the token, as base64url. */
  readonly hash: string;
  /** What the token is bound to: its claim of that name. */
  readonly cnf: unknown;
}

/** Throws unless who sends a request may use its token. Asked for every request, however well known its token is. */
export type CheckPossession = (token: ShownToken, credentials: Credentials) => Promise<void>;

/**
 * Tells tokens that belong to whoever has them from tokens that are bound to a key, and lets neither pass for the other.
 *
 * @param resource the URL at which clients connect
 * @param isRequired only tokens that are bound are taken
 * @throws InvalidToken, InvalidProof from the returned function
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
      if (cnf !== undefined)
        throw new InvalidToken("The token is bound to a key, and needs proof that its sender has it.");
      if (isRequired) throw new InvalidToken("Only tokens that are bound to a key are taken.");
      return;
    }
    const thumbprint = isObject(cnf) ? cnf.jkt : undefined;
    if (typeof thumbprint !== "string") throw new InvalidToken("The token is not bound to a key.");
    const url = path === undefined ? resource : new URL(path, resource).href;
    await checkProof(header("dpop"), { method, url, tokenHash: hash, thumbprint, usedProofs });
  };
}
