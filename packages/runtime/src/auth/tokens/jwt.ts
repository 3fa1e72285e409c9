import type { CompactVerifyResult } from "jose";
import { COMPACT_JWT } from "./compact-jwt.js";
import { InvalidToken } from "./invalid-token.js";
import { IssuerKeys } from "./issuer-keys.js";
import { type Jose, loadJose } from "./load-jose.js";
import { PUBLIC_KEY_ALGORITHMS } from "./public-key-algorithms.js";
import type { TokenClaims, TokenVerifier } from "./token-verifier.js";
import { asInvalidToken } from "./verifier-errors.js";

export interface JwtOptions {
  /** Where the keys are published, for a server with one issuer. Default: where the issuer's metadata says. */
  jwksUri?: string;
  /** The algorithms to accept. Default: all that JOSE has with public keys. */
  algorithms?: readonly string[];
  /**
   * The types that a token may say it is of (`typ`), without `application/`. Default: `at+jwt` and `jwt`; a token that
   * says nothing is a `jwt`.
   */
  types?: readonly string[];
}

/**
 * Verifies tokens that are JWTs, by the keys that their issuer publishes. Needs the package `jose`, which is loaded with
 * the first token.
 *
 * Keys are fetched once, and anew in the background every ten minutes and when a token names one that is not known, at
 * most every five seconds. An issuer that does not answer keeps nobody out for a day whose key is known.
 *
 * @throws TypeError for algorithms with shared secrets, and for `none`
 * @see https://www.rfc-editor.org/rfc/rfc9068
 * @see https://www.rfc-editor.org/rfc/rfc8725
 * @example
 * oauth({
 *   issuer: "https://login.example.com",
 *   resource: "https://mcp.example.com/mcp",
 *   verify: jwt({ jwksUri: "https://login.example.com/keys", algorithms: ["ES256"] }),
 * })
 */
export function jwt(options: JwtOptions = {}): TokenVerifier {
  const { jwksUri, algorithms = PUBLIC_KEY_ALGORITHMS, types = ["at+jwt", "jwt"] } = options;
  for (const each of algorithms) {
    if (!PUBLIC_KEY_ALGORITHMS.includes(each)) {
      const known = PUBLIC_KEY_ALGORITHMS.join(", ");
      throw new TypeError(`jwt: the algorithm ${each} is not one with a public key (${known}).`);
    }
  }
  const keys = new Map<string, IssuerKeys>();
  // To import a module that is there already takes some microseconds of each new token.
  let jose: Jose | undefined;
  const keysOf = (issuer: string): IssuerKeys => {
    const found = keys.get(issuer) ?? new IssuerKeys(issuer, jwksUri);
    keys.set(issuer, found);
    return found;
  };

  return async (token, { issuers }) => {
    // Else each of them could issue tokens in the name of the others.
    if (jwksUri !== undefined && issuers.length > 1)
      throw new Error(
        "jwt: `jwksUri` has the keys of one issuer, and the server accepts several; leave it out.",
      );
    if (!COMPACT_JWT.test(token)) throw new InvalidToken("The token is not a JWT.");
    jose ??= await loadJose();
    const claimed = claimedIssuer(token, jose.decodeJwt);
    // Keys are only ever fetched from issuers that are configured.
    if (claimed === undefined || !issuers.includes(claimed))
      throw new InvalidToken("The token is from another issuer.");
    let verified: CompactVerifyResult;
    try {
      verified = await jose.compactVerify(token, keysOf(claimed).find, { algorithms: [...algorithms] });
    } catch (error) {
      throw asInvalidToken(error);
    }
    const typ: unknown = verified.protectedHeader.typ ?? "jwt";
    if (typeof typ !== "string" || !types.includes(typ.toLowerCase().replace(/^application\//, "")))
      throw new InvalidToken("The token is of another type.");
    return JSON.parse(new TextDecoder().decode(verified.payload)) as TokenClaims;
  };
}

function claimedIssuer(token: string, decode: (token: string) => { iss?: unknown }): string | undefined {
  try {
    const { iss } = decode(token);
    return typeof iss === "string" ? iss : undefined;
  } catch {
    throw new InvalidToken("The token is not a JWT.");
  }
}
