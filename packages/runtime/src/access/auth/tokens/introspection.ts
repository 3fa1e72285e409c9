import { isObject } from "../../../protocol/jsonrpc.js";
import { isHttpUrl } from "../../../protocol/parse-url.js";
import { formatBasic } from "./basic-authorization.js";
import { fetchJson } from "./fetch-json.js";
import { InvalidTokenError } from "./invalid-token-error.js";
import type { TokenClaims, TokenVerifier } from "./token-verifier.js";
import { checkOptionNames } from "../../../data/options/check-option-names.js";

/** Options of `introspection`. */
export interface IntrospectionOptions {
  /** The issuer's introspection endpoint. */
  url: string;
  /** The client ID of this server at the issuer. */
  clientId: string;
  clientSecret: string;
  /**
   * Maximum number of concurrent requests to the issuer. Requests beyond it receive 503, so that clients with made-up
   * tokens cannot flood the issuer. Default: 100.
   */
  concurrency?: number | undefined;
}

/** The lifetime of a response without `exp`, in seconds. */
const DEFAULT_LIFETIME_SECONDS = 60;

/**
 * Verifies tokens at their issuer, which may have revoked them meanwhile. Use it for tokens that are not JWTs, or if a
 * revocation must take effect within half a minute.
 *
 * @throws TypeError for an empty or invalid option
 * @see https://www.rfc-editor.org/rfc/rfc7662
 * @example
 * oauth({
 *   issuer: "https://login.example.com",
 *   resource: "https://mcp.example.com/mcp",
 *   verify: introspection({ url: "https://login.example.com/introspect", clientId: "mcp", clientSecret }),
 * })
 */
export function introspection(options: IntrospectionOptions): TokenVerifier {
  checkOptionNames<IntrospectionOptions>("introspection", options, {
    url: true,
    clientId: true,
    clientSecret: true,
    concurrency: true,
  });
  const { url, clientId, clientSecret, concurrency = 100 } = options;
  if (!Number.isInteger(concurrency) || concurrency < 1)
    throw new TypeError(
      `introspection: \`concurrency\` must be a whole number of at least 1 (got ${concurrency}).`,
    );
  for (const [name, value] of Object.entries({ url, clientId, clientSecret })) {
    if (value === "")
      throw new TypeError(`introspection: \`${name}\` must not be empty. Is its environment variable set?`);
  }
  if (!isHttpUrl(url))
    throw new TypeError(`introspection: \`url\` must be a URL (got ${JSON.stringify(url)}).`);
  const authorization = formatBasic(clientId, clientSecret);
  let inProgress = 0;
  return async (token, { issuers }) => {
    if (inProgress >= concurrency)
      throw new Error(`There are already ${concurrency} introspection requests in progress.`);
    inProgress += 1;
    const response = await fetchJson(url, {
      method: "POST",
      headers: { authorization },
      body: new URLSearchParams({ token, token_type_hint: "access_token" }),
    })
      .catch((cause: unknown) => {
        throw new Error(`The introspection request to ${url} failed.`, { cause });
      })
      .finally(() => {
        inProgress -= 1;
      });
    if (!isObject(response))
      throw new Error(`The introspection endpoint ${url} did not return a JSON object.`);
    if (response.active !== true) throw new InvalidTokenError("The token is not active.");
    const [only, another] = issuers;
    return {
      // The endpoint of a single issuer returns only its tokens.
      ...(another === undefined && { iss: only }),
      exp: Math.floor(Date.now() / 1000) + DEFAULT_LIFETIME_SECONDS,
      ...response,
    } as TokenClaims;
  };
}
