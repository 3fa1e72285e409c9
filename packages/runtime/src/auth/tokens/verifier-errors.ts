/**
 * What the libraries that verify tokens throw, told apart: a token that is bad, and anything else.
 * @module
 */
import { InvalidToken } from "./invalid-token.js";

const EXPIRED = "The token has expired.";
const NOT_YET = "The token is not valid yet.";
const NO_JWT = "The token is not a JWT.";
const SIGNATURE = "The token's signature is wrong.";
const ALGORITHM = "The token is signed by an algorithm that is not accepted.";
const CLAIM = "The token does not say what it has to.";

/**
 * By the code of jose and fast-jwt, or the name of jsonwebtoken. What says that keys cannot be had, or that the library
 * was called wrongly, is none of the token's business and has no row.
 */
const REASONS: Readonly<Record<string, string>> = {
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: SIGNATURE,
  ERR_JWKS_NO_MATCHING_KEY: "The token is signed with a key that its issuer does not have.",
  ERR_JWKS_MULTIPLE_MATCHING_KEYS: "The token does not say which key it is signed with.",
  ERR_JOSE_ALG_NOT_ALLOWED: ALGORITHM,
  ERR_JOSE_NOT_SUPPORTED: ALGORITHM,
  ERR_JWS_INVALID: NO_JWT,
  ERR_JWT_INVALID: NO_JWT,
  ERR_JWE_INVALID: NO_JWT,
  ERR_JWE_DECRYPTION_FAILED: "The token is not encrypted for this server.",
  ERR_JWT_EXPIRED: EXPIRED,
  ERR_JWT_CLAIM_VALIDATION_FAILED: CLAIM,
  FAST_JWT_EXPIRED: EXPIRED,
  FAST_JWT_INACTIVE: NOT_YET,
  FAST_JWT_MALFORMED: NO_JWT,
  FAST_JWT_INVALID_TYPE: NO_JWT,
  FAST_JWT_INVALID_PAYLOAD: NO_JWT,
  FAST_JWT_INVALID_SIGNATURE: SIGNATURE,
  FAST_JWT_INVALID_ALGORITHM: ALGORITHM,
  FAST_JWT_INVALID_CLAIM_TYPE: CLAIM,
  FAST_JWT_INVALID_CLAIM_VALUE: CLAIM,
  FAST_JWT_MISSING_REQUIRED_CLAIM: CLAIM,
  TokenExpiredError: EXPIRED,
  NotBeforeError: NOT_YET,
};

/** jsonwebtoken has one name for all else, be it the token's fault (`jwt malformed`) or the caller's. */
const JSONWEBTOKEN: readonly (readonly [RegExp, string])[] = [
  [/^(?:jwt malformed|invalid token|jwt must be a string)$/, NO_JWT],
  [/^(?:invalid signature|jwt signature is required)$/, SIGNATURE],
  [/^invalid algorithm$/, ALGORITHM],
  [/^jwt (?:audience|issuer|id|subject) invalid/, CLAIM],
];

/**
 * What is wrong with the token, where that is what a verifier's library has thrown; any other error, such as that of an
 * issuer that does not answer, as it is.
 *
 * @example
 * asInvalidToken(error) // of `jwtVerify` of jose: InvalidToken("The token has expired.")
 */
export function asInvalidToken(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof InvalidToken) return error;
  const { name, message, code } = error as Error & { code?: unknown };
  const sign = typeof code === "string" ? code : name;
  if (Object.hasOwn(REASONS, sign)) return new InvalidToken(REASONS[sign]);
  if (name !== "JsonWebTokenError") return error;
  const [, reason] = JSONWEBTOKEN.find(([words]) => words.test(message)) ?? [];
  return reason === undefined ? error : new InvalidToken(reason);
}
