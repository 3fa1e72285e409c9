/**
 * Distinguishes the errors of libraries that verify tokens: those about the token, and all others.
 * @module
 */
import { InvalidTokenError } from "./invalid-token-error.js";

const EXPIRED = "The token has expired.";
const NOT_YET = "The token is not valid yet.";
const NOT_A_JWT = "The token is not a JWT.";
const SIGNATURE = "The token's signature is wrong.";
const ALGORITHM = "The token is signed with an algorithm that is not accepted.";
const CLAIM = "A claim of the token is missing or wrong.";

/**
 * Reasons by the error code of jose and fast-jwt, or the error name of jsonwebtoken. Errors about missing keys or wrong
 * use of the library are not caused by the token and have no row.
 */
const REASONS: Readonly<Record<string, string>> = {
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: SIGNATURE,
  ERR_JWKS_NO_MATCHING_KEY: "The token is signed with a key that its issuer does not have.",
  ERR_JWKS_MULTIPLE_MATCHING_KEYS: "The token does not identify the key that it is signed with.",
  ERR_JOSE_ALG_NOT_ALLOWED: ALGORITHM,
  ERR_JOSE_NOT_SUPPORTED: ALGORITHM,
  ERR_JWS_INVALID: NOT_A_JWT,
  ERR_JWT_INVALID: NOT_A_JWT,
  ERR_JWE_INVALID: NOT_A_JWT,
  ERR_JWE_DECRYPTION_FAILED: "The token is not encrypted for this server.",
  ERR_JWT_EXPIRED: EXPIRED,
  ERR_JWT_CLAIM_VALIDATION_FAILED: CLAIM,
  FAST_JWT_EXPIRED: EXPIRED,
  FAST_JWT_INACTIVE: NOT_YET,
  FAST_JWT_MALFORMED: NOT_A_JWT,
  FAST_JWT_INVALID_TYPE: NOT_A_JWT,
  FAST_JWT_INVALID_PAYLOAD: NOT_A_JWT,
  FAST_JWT_INVALID_SIGNATURE: SIGNATURE,
  FAST_JWT_INVALID_ALGORITHM: ALGORITHM,
  FAST_JWT_INVALID_CLAIM_TYPE: CLAIM,
  FAST_JWT_INVALID_CLAIM_VALUE: CLAIM,
  FAST_JWT_MISSING_REQUIRED_CLAIM: CLAIM,
  TokenExpiredError: EXPIRED,
  NotBeforeError: NOT_YET,
};

/** Messages of jsonwebtoken's other errors, which all have the same name, whether the token or the calling code caused them. */
const JSONWEBTOKEN: readonly (readonly [RegExp, string])[] = [
  [/^(?:jwt malformed|invalid token|jwt must be a string)$/, NOT_A_JWT],
  [/^(?:invalid signature|jwt signature is required)$/, SIGNATURE],
  [/^invalid algorithm$/, ALGORITHM],
  [/^jwt (?:audience|issuer|id|subject) invalid/, CLAIM],
];

/**
 * Returns an InvalidTokenError for the error of a library that rejects a token. Returns any other error unchanged, such
 * as a timeout of the issuer.
 *
 * @example
 * toInvalidTokenError(error) // from jose's `jwtVerify`: InvalidTokenError("The token has expired.")
 */
export function toInvalidTokenError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof InvalidTokenError) return error;
  const { name, message, code } = error as Error & { code?: unknown };
  const kind = typeof code === "string" ? code : name;
  if (Object.hasOwn(REASONS, kind)) return new InvalidTokenError(REASONS[kind]);
  if (name !== "JsonWebTokenError") return error;
  const [, reason] = JSONWEBTOKEN.find(([pattern]) => pattern.test(message)) ?? [];
  return reason === undefined ? error : new InvalidTokenError(reason);
}
