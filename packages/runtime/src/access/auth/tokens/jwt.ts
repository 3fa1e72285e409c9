import type { CompactVerifyGetKey, CompactVerifyResult } from "jose";
import { COMPACT_JWT, type Jose, loadJose, PUBLIC_KEY_ALGORITHMS } from "./jose.js";
import { InvalidTokenError } from "./invalid-token-error.js";
import { createIssuerKeys } from "./issuer-keys.js";
import { isHttpUrl } from "../../../protocol/parse-url.js";
import type { TokenClaims, TokenVerifier } from "./token-verifier.js";
import { toInvalidTokenError } from "./verifier-errors.js";
import { checkOptionNames } from "../../../data/options/check-option-names.js";

/** Options of `jwt`. */
export interface JwtOptions {
  /** The URL of the keys, for a server with one issuer. Default: the `jwks_uri` of the issuer's metadata. */
  jwksUri?: string | undefined;
  /** The accepted algorithms. Default: all public-key algorithms of JOSE. */
  algorithms?: readonly string[] | undefined;
  /**
   * The accepted types of tokens (`typ`), with or without `application/`. Default: `at+jwt` and `jwt`. A token without a type
   * counts as `jwt`.
   */
  types?: readonly string[] | undefined;
}

/**
 * Verifies tokens that are JWTs, with the keys that their issuer publishes. Requires the package `jose`, which is
 * loaded when the first token arrives.
 *
 * Keys are fetched when first needed. They are fetched again in the background every ten minutes. They are also
 * fetched again when a token names an unknown key, but at most once every five seconds. If an issuer does not respond,
 * tokens with a known key are accepted for up to a day.
 *
 * @throws TypeError for algorithms with shared secrets, for `none`, and for options that would accept no token
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
  checkOptionNames<JwtOptions>("jwt", options, { jwksUri: true, algorithms: true, types: true });
  const { jwksUri, algorithms = PUBLIC_KEY_ALGORITHMS } = options;
  const types = (options.types ?? ["at+jwt", "jwt"]).map(normalizeType);
  if (algorithms.length === 0) throw new TypeError("jwt: `algorithms` must not be empty.");
  if (types.length === 0) throw new TypeError("jwt: `types` must not be empty.");
  if (jwksUri !== undefined && !isHttpUrl(jwksUri))
    throw new TypeError(`jwt: \`jwksUri\` must be a URL (got ${JSON.stringify(jwksUri)}).`);
  for (const each of algorithms) {
    if (!PUBLIC_KEY_ALGORITHMS.includes(each)) {
      const known = PUBLIC_KEY_ALGORITHMS.join(", ");
      throw new TypeError(`jwt: the algorithm ${each} has no public key. Use ${known}.`);
    }
  }
  const keys = new Map<string, CompactVerifyGetKey>();
  // Importing an already loaded module would take some microseconds for each new token.
  let jose: Jose | undefined;
  const getKeys = (issuer: string): CompactVerifyGetKey => {
    const found = keys.get(issuer) ?? createIssuerKeys(issuer, jwksUri);
    keys.set(issuer, found);
    return found;
  };

  // oauth4webapi accepts only `at+jwt` tokens with `iat`, `jti`, `client_id`, and one audience; many issuers send
  // others.
  return async (token, { issuers }) => {
    // If several issuers shared these keys, each could issue tokens for the others.
    if (jwksUri !== undefined && issuers.length > 1)
      throw new Error(
        "jwt: `jwksUri` has the keys of one issuer, but the server accepts tokens from several issuers. Remove `jwksUri`.",
      );
    if (!COMPACT_JWT.test(token)) throw new InvalidTokenError("The token is not a JWT.");
    jose ??= await loadJose();
    const claimed = readIssuer(token, jose.decodeJwt);
    // Keys are fetched from configured issuers only.
    if (claimed === undefined || !issuers.includes(claimed))
      throw new InvalidTokenError("The token is from another issuer.");
    let verified: CompactVerifyResult;
    try {
      verified = await jose.compactVerify(token, getKeys(claimed), { algorithms: [...algorithms] });
    } catch (error) {
      throw isUnusableKey(error) ? new InvalidTokenError(UNUSABLE_KEY) : toInvalidTokenError(error);
    }
    // The payload of a JWT is always encoded (RFC 7797).
    if (verified.protectedHeader.b64 === false) throw new InvalidTokenError("The token is not a JWT.");
    const typ: unknown = verified.protectedHeader.typ ?? "jwt";
    if (typeof typ !== "string" || !types.includes(normalizeType(typ)))
      throw new InvalidTokenError("The type of the token is not accepted.");
    return JSON.parse(new TextDecoder().decode(verified.payload)) as TokenClaims;
  };
}

/** Returns a type of tokens in lower case and without `application/`, which tokens may omit (RFC 7515, section 4.1.9). */
function normalizeType(type: string): string {
  return type.toLowerCase().replace(/^application\//, "");
}

const UNUSABLE_KEY =
  "The token is signed with a key of its issuer that cannot be used, such as an RSA key with fewer than 2048 bits.";

/** Returns whether the issuer published a key that jose or Node rejects. */
function isUnusableKey(error: unknown): boolean {
  const { name, code } = error as { name?: unknown; code?: unknown };
  return error instanceof TypeError || name === "DataError" || code === "ERR_JWKS_INVALID";
}

function readIssuer(token: string, decode: (token: string) => { iss?: unknown }): string | undefined {
  try {
    const { iss } = decode(token);
    return typeof iss === "string" ? iss : undefined;
  } catch {
    throw new InvalidTokenError("The token is not a JWT.");
  }
}
