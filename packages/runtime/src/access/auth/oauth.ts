import { createHash } from "node:crypto";
import type { Principal } from "../../api/caller.js";
import { toPrincipal } from "../principal.js";
import type { HeaderReader } from "../../protocol/headers.js";
import { readStateKeys } from "../encryption/encryption.js";
import { type AuthorizationHeader, readAuthorization, findScheme } from "./authorization-header.js";
import type { Auth } from "../../api/auth.js";
import type { TokenExchange } from "./exchange/token-exchange.js";
import { checkClaims } from "./tokens/check-claims.js";
import { InvalidProofError } from "./dpop/invalid-proof-error.js";
import { createNonces } from "./dpop/nonces.js";
import { createPossessionCheck } from "./possession.js";
import { createProofCheck } from "./dpop/proof.js";
import { InvalidTokenError } from "./tokens/invalid-token-error.js";
import { jwt } from "./tokens/jwt.js";
import { PUBLIC_KEY_ALGORITHMS } from "./tokens/jose.js";
import { RecentTokens } from "./tokens/recent-tokens.js";
import { createRejections } from "./rejections.js";
import { type ResourceMetadata, createResourceMetadata } from "./resource-metadata.js";
import type { ScopeOptions, ScopeTable } from "../../api/auth.js";
import type { TokenClaims, TokenVerifier, VerifierContext } from "./tokens/token-verifier.js";
import { toInvalidTokenError } from "./tokens/verifier-errors.js";
import { isLoopback } from "../../data/options/host-and-origin-values.js";
import { isHttpUrl } from "../../protocol/parse-url.js";
import { checkOptionNames } from "../../data/options/check-option-names.js";

/** Options of `oauth`. */
export interface OAuthOptions<Scope extends string = string> {
  /** The identifier (a URL) of the authorization server whose tokens are accepted, or of several. */
  issuer: string | readonly string[];
  /**
   * The canonical URL of this server, as clients know it: `https://mcp.example.com/mcp`, without a slash at the end.
   */
  resource: string;
  /**
   * The required `aud` of tokens, if it is not the resource, such as `api://…` with Entra. Several are alternatives.
   * Default: the resource.
   */
  audience?: string | readonly string[] | undefined;
  /**
   * The scopes that tools, prompts, and resources may need. The compiler checks `scopes` of decorators against them. The
   * resource's metadata lists those that are needed somewhere.
   */
  scopes?: Readonly<Record<Scope, ScopeOptions<NoInfer<Scope>>>> | undefined;
  /**
   * The scopes that a client without a token should request. It learns about further scopes when it needs them.
   * Default: none, and clients request all scopes in the metadata.
   */
  initialScopes?: readonly NoInfer<Scope>[] | undefined;
  /** Verifies tokens. Default: as JWTs, with the keys that the issuer publishes. */
  verify?: TokenVerifier | undefined;
  /**
   * Whether tokens must be bound to a key of the client, which proves with each request that it has the key (DPoP). A
   * stolen token is then useless. With `"accept"`, the default, clients may use such tokens or bearer tokens, but a
   * bound token always needs a proof, since its client requested that protection. `"require"` accepts only bound
   * tokens.
   */
  dpop?: "accept" | "require" | undefined;
  /**
   * Whether proofs must contain a nonce that this server issued in the last few minutes, so that none can be made in
   * advance. Clients request a new one from time to time. Instances that serve the same clients must share
   * `TENON_STATE_KEYS`. Default: false.
   */
  dpopNonces?: boolean | undefined;
  /**
   * Lets handlers obtain tokens for other APIs on behalf of the caller: see `tokenExchange` and `ctx.exchange`.
   */
  exchange?: TokenExchange | undefined;
}

/** OAuth with the names of its scopes. */
export interface OAuth<Scope extends string = string> extends Auth {
  readonly scopes: ScopeTable<Scope>;
}

/** The names of the options. */
const NAMES: Record<keyof OAuthOptions, true> = {
  issuer: true,
  resource: true,
  audience: true,
  scopes: true,
  initialScopes: true,
  verify: true,
  dpop: true,
  dpopNonces: true,
  exchange: true,
};

/** The maximum time for which the result of verifying a token is remembered, in milliseconds. */
const MAX_REMEMBERED_MS = 30_000;

/**
 * Protects a server as an OAuth resource: callers over HTTP need an access token that was issued for this server. Other
 * servers issue the tokens; clients find them through the resource's metadata.
 *
 * @throws TypeError for options that would accept every caller, or none
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization
 * @see https://www.rfc-editor.org/rfc/rfc6750
 * @see https://www.rfc-editor.org/rfc/rfc9728
 * @example
 * defineServer({
 *   auth: oauth({
 *     issuer: "https://login.example.com",
 *     resource: "https://mcp.example.com/mcp",
 *     scopes: { "files:read": {}, "files:write": { implies: ["files:read"] } },
 *   }),
 * });
 */
export function oauth<const Scope extends string = string>(options: OAuthOptions<Scope>): OAuth<Scope> {
  checkOptionNames<OAuthOptions<Scope>>("oauth", options, NAMES);
  const { resource, scopes = {} as ScopeTable<Scope>, verify = jwt(), dpop = "accept" } = options;
  if (!["accept", "require"].includes(dpop))
    throw new TypeError(`oauth: \`dpop\` must be "accept" or "require" (got ${JSON.stringify(dpop)}).`);
  if (!["boolean", "undefined"].includes(typeof options.dpopNonces))
    throw new TypeError("oauth: `dpopNonces` must be true or false.");
  if (typeof verify !== "function")
    throw new TypeError(
      "oauth: `verify` must be a function, such as the result of jwt() or introspection(…).",
    );
  for (const scope of Object.keys(scopes)) {
    if (scope === "" || /\s/.test(scope))
      throw new TypeError(
        `oauth: the scope ${JSON.stringify(scope)} must be a name without spaces, since spaces separate the scopes of a token.`,
      );
  }
  const issuers = readList("issuer", options.issuer);
  for (const issuer of issuers) {
    if (!isHttpUrl(issuer))
      throw new TypeError(`oauth: \`issuer\` must be a URL (got ${JSON.stringify(issuer)}).`);
  }
  // The credentials of a client at one authorization server must not reach another.
  if (issuers.length > 1 && options.exchange?.namesIssuer === false)
    throw new TypeError(
      "oauth: with several issuers, `tokenExchange` needs the option `issuer`: the one that knows its `clientId`.",
    );
  const audiences = readList("audience", options.audience ?? getSpellings(resource));
  const isProofRequired = dpop === "require";
  const createMetadata = (needed: readonly string[], name?: string): ResourceMetadata =>
    createResourceMetadata(resource, issuers, needed, {
      ...(name !== undefined && { resource_name: name }),
      ...(isProofRequired && { bearer_methods_supported: [], dpop_bound_access_tokens_required: true }),
      dpop_signing_alg_values_supported: PUBLIC_KEY_ALGORITHMS,
    });
  const recent = new RecentTokens<KnownToken>();
  const nonces =
    options.dpopNonces === true ? createNonces(readStateKeys(process.env.TENON_STATE_KEYS)) : undefined;
  const checkPossession = createPossessionCheck(resource, isProofRequired, createProofCheck(nonces));

  const { reject, createScopeChallenge } = createRejections({
    isProofRequired,
    scope: options.initialScopes?.join(" "),
    metadataUrl: createMetadata([]).url,
    nonces,
  });

  const opened = options.exchange?.open(
    (reason, header) => reject(401, reason, "invalid_token", findScheme(readSent(header))).challenge,
  );

  const verifyAndRead = async (
    token: string,
    header: HeaderReader,
  ): Promise<{ value: KnownToken; until: number }> => {
    const context = { issuers, audiences, header };
    const claims = checkClaims(await verifyToken(verify, token, context), context);
    return {
      value: { principal: readPrincipal(claims), cnf: claims.cnf },
      until: Math.min(claims.exp * 1000, Date.now() + MAX_REMEMBERED_MS),
    };
  };

  return {
    summary: `access tokens of ${issuers.join(" or ")}`,
    scopes,
    resource,
    logProblems: (_needed, log) => {
      for (const issuer of issuers.filter(isInterceptable)) {
        const msg = `the issuer ${issuer} does not use https, so another machine in the network can pretend to be it and issue tokens.`;
        log({ level: "warn", event: "access", msg });
      }
    },
    documents: (needed, server) => {
      const { paths, text } = createMetadata(needed, server?.title ?? server?.name);
      return new Map(paths.map((path) => [path, text]));
    },
    challenge: (wanted, reason, header) => createScopeChallenge(wanted, reason, findScheme(readSent(header))),
    exchange: opened?.exchange,
    hosts: [new URL(resource).host],
    authenticate: async (credentials) => {
      const { header } = credentials;
      const sent = readSent(header);
      const scheme = findScheme(sent);
      if (sent.kind === "malformed") {
        const reason = `The Authorization header must consist of \`${isProofRequired ? "DPoP" : "Bearer"}\` and one token.`;
        return reject(400, reason, "invalid_request");
      }
      if (sent.kind === "none" || scheme === undefined) return reject(401, "An access token is required.");
      try {
        const hash = createHash("sha256").update(sent.token).digest("base64url");
        const { principal, cnf } = await recent.find(hash, () => verifyAndRead(sent.token, header));
        await checkPossession({ scheme, hash, cnf }, credentials);
        opened?.remember(principal, sent.token);
        return principal;
      } catch (error) {
        if (error instanceof InvalidTokenError) return reject(401, error.message, "invalid_token", scheme);
        if (error instanceof InvalidProofError) return reject(401, error.message, error.code, scheme);
        throw error;
      }
    },
  };
}

function readSent(header: HeaderReader | undefined): AuthorizationHeader {
  return readAuthorization(header?.("authorization"));
}

/** Verifies a token. Converts the errors with which libraries reject tokens, so that the client does not retry. */
async function verifyToken(
  verify: TokenVerifier,
  token: string,
  context: VerifierContext,
): Promise<Readonly<Record<string, unknown>>> {
  try {
    return await verify(token, context);
  } catch (error) {
    throw toInvalidTokenError(error);
  }
}

/** The result of verifying a token. */
interface KnownToken {
  readonly principal: Principal;
  /** The key to which it is bound (RFC 7800). */
  readonly cnf: unknown;
}

function readPrincipal(claims: TokenClaims): Principal {
  const { sub, iss, exp } = claims;
  // RFC 9068, OpenID Connect, Okta, and Entra.
  const client = claims.client_id ?? claims.azp ?? claims.cid ?? claims.appid;
  return toPrincipal({
    subject: sub,
    issuer: iss,
    client: typeof client === "string" ? client : undefined,
    scopes: readScopes(claims),
    claims: { ...claims },
    expiresAt: new Date(exp * 1000),
  });
}

/** Reads the scopes. `scope` is a string (RFC 9068); the `scp` of some issuers is a list. */
function readScopes({ scope, scp }: TokenClaims): string[] {
  const given = scope ?? scp ?? "";
  const texts = Array.isArray(given) ? given : String(given).split(" ");
  return texts.filter((each): each is string => typeof each === "string" && each !== "");
}

/**
 * Returns the spellings of a resource: an empty path is the path `/` (RFC 3986, section 6.2.3), and clients use either.
 */
function getSpellings(resource: string): string[] {
  const withoutSlash = resource.replace(/\/$/, "");
  return /^[^/]+\/\/[^/]+$/.test(withoutSlash) ? [withoutSlash, `${withoutSlash}/`] : [resource];
}

/** Returns whether the connection to an issuer is not encrypted, and leaves this machine. */
function isInterceptable(issuer: string): boolean {
  const { protocol, hostname } = new URL(issuer);
  return protocol === "http:" && !isLoopback(hostname);
}

function readList(option: string, given: string | readonly string[]): readonly string[] {
  const list = [given].flat() as string[];
  if (list.length === 0 || list.some((each) => typeof each !== "string" || each === ""))
    throw new TypeError(`oauth: \`${option}\` must not be empty.`);
  return list;
}
