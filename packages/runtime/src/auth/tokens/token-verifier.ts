import type { HeaderReader } from "../../protocol/headers.js";

/**
 * What a token says, once it is known to be genuine, for this server, and in force: the claims of a JWT, or what an
 * introspection endpoint answers.
 */
export interface TokenClaims {
  readonly sub: string;
  readonly iss: string;
  /** Seconds since 1970. */
  readonly exp: number;
  readonly [claim: string]: unknown;
}

/** What a token is held to. */
export interface VerifierContext {
  /** Who may have issued it. */
  readonly issuers: readonly string[];
  /** For whom it must have been issued: one of these. */
  readonly audiences: readonly string[];
  /** The headers of the request. */
  readonly header: HeaderReader;
}

/**
 * Says what a token holds. Issuer, audience, time and subject are checked after it, so any of them may be missing.
 *
 * @throws InvalidToken for a token that is not to be accepted, and so do the errors of jose, jsonwebtoken and fast-jwt
 * that say the same; anything else means that nobody can tell now
 * @example
 * const verify: TokenVerifier = async (token) => (await jwtVerify(token, key)).payload;
 */
export type TokenVerifier = (
  token: string,
  context: VerifierContext,
) => Promise<Readonly<Record<string, unknown>>>;
