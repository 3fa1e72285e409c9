import { isObject } from "../protocol/jsonrpc.js";
import { fetchJson } from "./fetch-json.js";
import { InvalidToken } from "./invalid-token.js";
import type { TokenClaims, TokenVerifier } from "./token-verifier.js";

export interface IntrospectionOptions {
  /** The issuer's introspection endpoint. */
  url: string;
  /** What this server is registered as, with its secret. */
  clientId: string;
  clientSecret: string;
}

/** For how long an answer holds that does not say so, in seconds. */
const LIFETIME = 60;

/**
 * Verifies tokens by asking their issuer, which may have withdrawn them meanwhile: for tokens that are no JWTs, or where
 * a withdrawal has to be felt within half a minute.
 *
 * @see https://www.rfc-editor.org/rfc/rfc7662
 * @example
 * verify: introspection({ url: "https://login.example.com/introspect", clientId: "mcp", clientSecret: process.env.SECRET })
 */
export function introspection({ url, clientId, clientSecret }: IntrospectionOptions): TokenVerifier {
  const authorization = `Basic ${Buffer.from([clientId, clientSecret].map(encodeURIComponent).join(":")).toString("base64")}`;
  return async (token, { issuers }) => {
    const answer = await fetchJson(url, {
      method: "POST",
      headers: { authorization },
      body: new URLSearchParams({ token, token_type_hint: "access_token" }),
    }).catch((error: unknown) => {
      throw new Error(`The introspection endpoint of ${issuers.join(", ")} did not answer.`, {
        cause: error,
      });
    });
    if (!isObject(answer))
      throw new Error("The introspection endpoint answered with something else than an object.");
    if (answer.active !== true) throw new InvalidToken("The token is not in force.");
    const [only, another] = issuers;
    return {
      // Of one issuer's endpoint, who else could it be.
      ...(another === undefined && { iss: only }),
      exp: Math.floor(Date.now() / 1000) + LIFETIME,
      ...answer,
    } as TokenClaims;
  };
}
