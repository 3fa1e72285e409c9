import { InvalidTokenError } from "./invalid-token-error.js";
import type { TokenClaims, VerifierContext } from "./token-verifier.js";

/** The maximum difference between clocks, in seconds. */
const CLOCK_TOLERANCE_SECONDS = 5;

/** The largest time of a `Date`, in seconds since 1970. */
const MAX_TIME_SECONDS = 8.64e12;

/**
 * Validates the claims of a genuine token against this server and the current time, regardless of the verifier: a
 * verifier that omits a check would accept tokens that were issued for another server.
 *
 * @param now in milliseconds since 1970
 * @throws InvalidTokenError for the first claim that is missing or wrong
 * @see https://www.rfc-editor.org/rfc/rfc9068#section-4
 * @see https://www.rfc-editor.org/rfc/rfc8707
 */
export function checkClaims(
  claims: Readonly<Record<string, unknown>>,
  { issuers, audiences }: VerifierContext,
  now = Date.now(),
): TokenClaims {
  const { sub, iss, aud, exp, nbf } = claims;
  if (typeof iss !== "string" || !issuers.includes(iss))
    throw new InvalidTokenError("The token is from another issuer.");
  const namesThisServer = [aud].flat().some((each) => typeof each === "string" && audiences.includes(each));
  if (!namesThisServer) throw new InvalidTokenError("The token is not for this server.");
  if (typeof exp !== "number" || !(Math.abs(exp) <= MAX_TIME_SECONDS))
    throw new InvalidTokenError("The token has no valid expiration time.");
  if ((exp + CLOCK_TOLERANCE_SECONDS) * 1000 <= now) throw new InvalidTokenError("The token has expired.");
  if (nbf !== undefined && !(typeof nbf === "number" && (nbf - CLOCK_TOLERANCE_SECONDS) * 1000 <= now))
    throw new InvalidTokenError("The token is not valid yet.");
  if (typeof sub !== "string" || sub === "") throw new InvalidTokenError("The token has no subject.");
  return { ...claims, sub, iss, exp };
}
