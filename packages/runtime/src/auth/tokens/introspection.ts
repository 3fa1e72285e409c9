import { isObject } from "../../protocol/jsonrpc.js";
import { fetchJson } from "./fetch-json.js";
import { InvalidToken } from "./invalid-token.js";
import type { TokenClaims, TokenVerifier } from "./token-verifier.js";

export interface IntrospectionOptions {
  /** The issuer's introspection endpoint. */
  url: string;
  /** What this server is registered as, with its secret. */
  clientId: string;
  clientSecret: string;
  /**
   * How many tokens the issuer is asked about at once. With more, requests are answered with 503: who sends tokens that
   * he has made up must not be able to flood the issuer. Default: 100.
   */
  concurrency?: number;
}

/** For how long an answer holds that does not say so, in seconds. */
const LIFETIME = 60;

/**
 * Verifies tokens by asking their issuer, which may have withdrawn them meanwhile: for tokens that are no JWTs, or where
 * a withdrawal has to be felt within half a minute.
 *
 * @throws TypeError for a `concurrency` that is none
 * @see https://www.rfc-editor.org/rfc/rfc7662
 * @example
 * oauth({
 *   issuer: "https://login.example.com",
 *   resource: "https://mcp.example.com/mcp",
 *   verify: introspection({ url: "https://login.example.com/introspect", clientId: "mcp", clientSecret }),
 * })
 */
export function introspection(options: IntrospectionOptions): TokenVerifier {
  const { url, clientId, clientSecret, concurrency = 100 } = options;
  if (!Number.isInteger(concurrency) || concurrency < 1)
    throw new TypeError(
      `introspection: \`concurrency\` must be a whole number above 0 (got ${concurrency}).`,
    );
  const authorization = `Basic ${Buffer.from([clientId, clientSecret].map(encodeURIComponent).join(":")).toString("base64")}`;
  let underWay = 0;
  return async (token, { issuers }) => {
    if (underWay >= concurrency)
      throw new Error(`The issuer is being asked about ${concurrency} tokens already.`);
    underWay += 1;
    const answer = await fetchJson(url, {
      method: "POST",
      headers: { authorization },
      body: new URLSearchParams({ token, token_type_hint: "access_token" }),
    })
      .catch((cause: unknown) => {
        throw new Error(`The introspection endpoint of ${issuers.join(", ")} did not answer.`, { cause });
      })
      .finally(() => {
        underWay -= 1;
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
