import { InvalidToken } from "./invalid-token.js";
import type { TokenClaims, VerifierContext } from "./token-verifier.js";

/** How far clocks may be apart, in seconds. */
const CLOCK_TOLERANCE = 5;

/**
 * Holds the claims of a genuine token to this server and this moment. Whatever verified the token, this is asked: a
 * verifier that forgets one of these would let in tokens that were issued for somebody else.
 *
 * @param now in milliseconds since 1970
 * @throws InvalidToken for the first claim that is absent or wrong
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
    throw new InvalidToken("The token is from another issuer.");
  const namesThisServer = [aud].flat().some((each) => typeof each === "string" && audiences.includes(each));
  if (!namesThisServer) throw new InvalidToken("The token is not for this server.");
  if (typeof exp !== "number" || !Number.isFinite(exp))
    throw new InvalidToken("The token does not say when it expires.");
  if ((exp + CLOCK_TOLERANCE) * 1000 <= now) throw new InvalidToken("The token has expired.");
  if (nbf !== undefined && !(typeof nbf === "number" && (nbf - CLOCK_TOLERANCE) * 1000 <= now))
    throw new InvalidToken("The token is not valid yet.");
  if (typeof sub !== "string" || sub === "") throw new InvalidToken("The token does not say whose it is.");
  return { ...claims, sub, iss, exp };
}
