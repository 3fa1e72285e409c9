import type { JWTPayload, JWTVerifyGetKey } from "jose";
import { isObject } from "../../../protocol/jsonrpc.js";
import { COMPACT_JWT, loadJose, PUBLIC_KEY_ALGORITHMS } from "../tokens/jose.js";
import { InvalidTokenError } from "../tokens/invalid-token-error.js";
import { InvalidProofError } from "./invalid-proof-error.js";
import type { Nonces } from "./nonces.js";
import { SeenProofs } from "./seen-proofs.js";
import { toTargetUrl } from "./target-url.js";
import type { UsedProofs } from "../../../api/auth.js";
import { MAX_PROOF_AGE_SECONDS } from "./proof-window.js";

/** Members of a JWK that must not leave its owner. */
const PRIVATE_MEMBERS = ["d", "p", "q", "dp", "dq", "qi", "oth", "k", "priv"];

/** The request for which a proof must be made. */
export interface ProvenRequest {
  readonly method: string;
  /** The configured URL to which clients send it, which never depends on the host in the request. */
  readonly url: string;
  /** The SHA-256 of its access token, as base64url. */
  readonly tokenHash: string;
  /** The thumbprint of the key that the token is bound to (`cnf.jkt`). */
  readonly thumbprint: string;
  /** Remembers used proofs. Default: the memory of this process. */
  readonly usedProofs: UsedProofs | undefined;
}

/**
 * Validates the value of a `DPoP` header for a request.
 *
 * @throws InvalidProofError if the proof is missing, wrong, or was used before
 * @throws InvalidTokenError if the token is bound to another key
 */
export type CheckProof = (proof: string | undefined, request: ProvenRequest) => Promise<void>;

/**
 * Creates the check of one server. If several processes serve the same clients, and each remembers only its own used
 * proofs, nonces shorten the time in which one would accept a proof that another has seen.
 *
 * @param nonces undefined if clients need none
 * @param now returns the time, in milliseconds since 1970
 * @see https://www.rfc-editor.org/rfc/rfc9449#section-4.3
 */
export function createProofCheck(nonces: Nonces | undefined, now: () => number = Date.now): CheckProof {
  const seen = new SeenProofs(MAX_PROOF_AGE_SECONDS);
  return async (proof, { method, url, tokenHash, thumbprint, usedProofs = seen }) => {
    if (proof === undefined) throw new InvalidProofError("A DPoP proof is required in the `DPoP` header.");
    // A server receives several headers as one, joined by commas, which is not a JWT.
    if (!COMPACT_JWT.test(proof)) throw new InvalidProofError("The DPoP header must be one JWT.");
    const payload = await verifySignature(proof, thumbprint);
    const { jti, htm, htu, iat, ath, nonce } = payload;
    if (typeof jti !== "string" || jti === "") throw new InvalidProofError("The DPoP proof has no `jti`.");
    if (htm !== method) throw new InvalidProofError("The DPoP proof is for another method.");
    if (typeof htu !== "string" || toTargetUrl(htu) !== toTargetUrl(url))
      throw new InvalidProofError("The DPoP proof is for another URL.");
    if (nonces !== undefined && !nonces.accepts(nonce))
      throw new InvalidProofError("The DPoP proof needs the nonce in this response.", "use_dpop_nonce");
    const seconds = now() / 1000;
    if (typeof iat !== "number" || !(Math.abs(seconds - iat) <= MAX_PROOF_AGE_SECONDS))
      throw new InvalidProofError(
        `The DPoP proof was not made within the last ${MAX_PROOF_AGE_SECONDS / 60} minutes.`,
      );
    if (ath !== tokenHash) throw new InvalidProofError("The DPoP proof is for another access token.");
    if (!(await usedProofs.add(thumbprint, jti, iat, seconds)))
      throw new InvalidProofError("The DPoP proof was used before.");
  };
}

// jose verifies the signature. No library checks the rest for tokens other than `at+jwt`, or checks nonces or replays.
async function verifySignature(proof: string, thumbprint: string): Promise<JWTPayload> {
  const { jwtVerify, EmbeddedJWK, calculateJwkThumbprint, errors } = await loadJose();
  // The thumbprint is compared before the key is used, since verifying with an arbitrary key may be slow.
  const getKey: JWTVerifyGetKey = async (header, token) => {
    const { jwk } = header;
    if (!isObject(jwk) || PRIVATE_MEMBERS.some((name) => Object.hasOwn(jwk, name)))
      throw new InvalidProofError(
        "The DPoP proof must contain its public key, and no part of the private one.",
      );
    if ((await calculateJwkThumbprint(jwk)) !== thumbprint)
      throw new InvalidTokenError("The token is bound to a different key than the DPoP proof.");
    return EmbeddedJWK(header, token);
  };
  try {
    const { payload } = await jwtVerify(proof, getKey, {
      algorithms: [...PUBLIC_KEY_ALGORITHMS],
      typ: "dpop+jwt",
      clockTolerance: MAX_PROOF_AGE_SECONDS,
    });
    return payload;
  } catch (error) {
    const isProofError =
      error instanceof errors.JOSEError || error instanceof TypeError || error instanceof DOMException;
    throw isProofError ? new InvalidProofError(describeProblem(error, errors)) : error;
  }
}

function describeProblem(error: Error, errors: (typeof import("jose"))["errors"]): string {
  if (error instanceof errors.JWTClaimValidationFailed && error.claim === "typ")
    return "The DPoP proof must be of the type dpop+jwt.";
  if (error instanceof errors.JWSSignatureVerificationFailed)
    return "The signature of the DPoP proof is wrong.";
  if (error instanceof errors.JOSEAlgNotAllowed || error instanceof errors.JOSENotSupported)
    return "The DPoP proof is signed with an algorithm that is not accepted.";
  if (error instanceof errors.JWTExpired) return "The DPoP proof has expired.";
  return "The DPoP header is not a DPoP proof with a public key.";
}
