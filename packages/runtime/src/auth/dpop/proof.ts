import type { JWTPayload, JWTVerifyGetKey } from "jose";
import { isObject } from "../../protocol/jsonrpc.js";
import { COMPACT_JWT } from "../tokens/compact-jwt.js";
import { InvalidToken } from "../tokens/invalid-token.js";
import { loadJose } from "../tokens/load-jose.js";
import { PUBLIC_KEY_ALGORITHMS } from "../tokens/public-key-algorithms.js";
import { InvalidProof } from "./invalid-proof.js";
import type { Nonces } from "./nonces.js";
import { SeenProofs } from "./seen-proofs.js";
import { targetUrl } from "./target-url.js";
import { PROOF_WINDOW, type UsedProofs } from "./used-proofs.js";

/** Members of a JWK that are nobody's but its owner's. */
const PRIVATE_MEMBERS = ["d", "p", "q", "dp", "dq", "qi", "oth", "k", "priv"];

/** The request that a proof has to be made for. */
export interface ProvenRequest {
  readonly method: string;
  /** Where clients send it, as the server is configured: never what the request itself says of its host. */
  readonly url: string;
  /** The SHA-256 of its access token, as base64url. */
  readonly tokenHash: string;
  /** The thumbprint of the key that the token is bound to (`cnf.jkt`). */
  readonly thumbprint: string;
  /** Where proofs are remembered; absent: in this process. */
  readonly usedProofs: UsedProofs | undefined;
}

/**
 * Holds the value of a `DPoP` header to a request.
 *
 * @throws InvalidProof for what is absent, wrong, or was used before
 * @throws InvalidToken when the token is bound to another key
 */
export type CheckProof = (proof: string | undefined, request: ProvenRequest) => Promise<void>;

/**
 * What checks the proofs of one server. Proofs that were used are remembered where the server says. Where that is this
 * process, and several serve the same clients, nonces keep the time short in which one would take what another has seen.
 *
 * @param nonces absent where clients need none
 * @param now in milliseconds since 1970
 * @see https://www.rfc-editor.org/rfc/rfc9449#section-4.3
 */
export function createProofCheck(nonces: Nonces | undefined, now: () => number = Date.now): CheckProof {
  const seen = new SeenProofs(PROOF_WINDOW);
  return async (proof, { method, url, tokenHash, thumbprint, usedProofs = seen }) => {
    if (proof === undefined) throw new InvalidProof("A DPoP proof is needed, in a header of that name.");
    // Several headers reach a server as one, joined by commas, and are no JWT.
    if (!COMPACT_JWT.test(proof)) throw new InvalidProof("The DPoP header must be one JWT.");
    const payload = await verifySignature(proof, thumbprint);
    const { jti, htm, htu, iat, ath, nonce } = payload;
    if (typeof jti !== "string" || jti === "") throw new InvalidProof("The DPoP proof has no `jti`.");
    if (htm !== method) throw new InvalidProof("The DPoP proof is for another method.");
    if (typeof htu !== "string" || targetUrl(htu) !== targetUrl(url))
      throw new InvalidProof("The DPoP proof is for another URL.");
    if (nonces !== undefined && !nonces.accepts(nonce))
      throw new InvalidProof("The DPoP proof needs the nonce that comes with this answer.", "use_dpop_nonce");
    const seconds = now() / 1000;
    if (typeof iat !== "number" || !(Math.abs(seconds - iat) <= PROOF_WINDOW))
      throw new InvalidProof("The DPoP proof was not made within the last minutes.");
    if (ath !== tokenHash) throw new InvalidProof("The DPoP proof is for another access token.");
    if (!(await usedProofs.add(thumbprint, jti, iat, seconds)))
      throw new InvalidProof("The DPoP proof was used before.");
  };
}

async function verifySignature(proof: string, thumbprint: string): Promise<JWTPayload> {
  const { jwtVerify, EmbeddedJWK, calculateJwkThumbprint, errors } = await loadJose();
  // Which key it is, is asked before the key is used: somebody else's may be one that takes long.
  const keyOf: JWTVerifyGetKey = async (header, token) => {
    const { jwk } = header;
    if (!isObject(jwk) || PRIVATE_MEMBERS.some((name) => Object.hasOwn(jwk, name)))
      throw new InvalidProof("The DPoP proof must carry its public key, and nothing of the private one.");
    if ((await calculateJwkThumbprint(jwk)) !== thumbprint)
      throw new InvalidToken("The token is bound to another key than that of the DPoP proof.");
    return EmbeddedJWK(header, token);
  };
  try {
    const { payload } = await jwtVerify(proof, keyOf, {
      algorithms: [...PUBLIC_KEY_ALGORITHMS],
      typ: "dpop+jwt",
      clockTolerance: PROOF_WINDOW,
    });
    return payload;
  } catch (error) {
    const isOfProof =
      error instanceof errors.JOSEError || error instanceof TypeError || error instanceof DOMException;
    throw isOfProof ? new InvalidProof(problemIn(error, errors)) : error;
  }
}

function problemIn(error: Error, errors: (typeof import("jose"))["errors"]): string {
  if (error instanceof errors.JWTClaimValidationFailed && error.claim === "typ")
    return "The DPoP proof must be of the type dpop+jwt.";
  if (error instanceof errors.JWSSignatureVerificationFailed)
    return "The signature of the DPoP proof is wrong.";
  if (error instanceof errors.JOSEAlgNotAllowed || error instanceof errors.JOSENotSupported)
    return "The DPoP proof is signed by an algorithm that is not accepted.";
  if (error instanceof errors.JWTExpired) return "The DPoP proof has expired.";
  return "The DPoP header is not a DPoP proof with a public key.";
}
