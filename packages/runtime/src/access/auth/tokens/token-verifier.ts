import type { HeaderReader } from "../../../protocol/headers.js";

/** The claims of a genuine token: those of a JWT, or the response of an introspection endpoint. */
export interface TokenClaims {
  readonly sub: string;
  readonly iss: string;
  /** The end of the token's validity, in seconds since 1970. */
  readonly exp: number;
  readonly [claim: string]: unknown;
}

/** The data against which a token is verified. */
export interface VerifierContext {
  /** The accepted issuers. */
  readonly issuers: readonly string[];
  /** The accepted audiences; one of them must match. */
  readonly audiences: readonly string[];
  /** The headers of the request. */
  readonly header: HeaderReader;
}

/**
 * Returns the claims of a token. Issuer, audience, time, and subject are checked afterward, so any of them may be
 * missing.
 *
 * @throws InvalidTokenError for a token that is not accepted; the equivalent errors of jose, jsonwebtoken, and fast-jwt
 *   count too. Any other error means that the token cannot be verified now
 * @example
 * const verify: TokenVerifier = async (token) => (await jwtVerify(token, key)).payload;
 */
export type TokenVerifier = (
  token: string,
  context: VerifierContext,
) => Promise<Readonly<Record<string, unknown>>>;
