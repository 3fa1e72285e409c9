import { createHash } from "node:crypto";
import type { Principal } from "../api/caller.js";
import { toPrincipal } from "../connection/principal.js";
import type { HeaderReader } from "../protocol/headers.js";
import { readStateKeys } from "../encryption/encryption.js";
import { readAuthorization } from "./authorization-header.js";
import type { Auth } from "./authenticator.js";
import { checkClaims } from "./tokens/check-claims.js";
import { InvalidProof } from "./dpop/invalid-proof.js";
import { createNonces } from "./dpop/nonces.js";
import { createPossessionCheck } from "./possession.js";
import { createProofCheck } from "./dpop/proof.js";
import { InvalidToken } from "./tokens/invalid-token.js";
import { jwt } from "./tokens/jwt.js";
import { PUBLIC_KEY_ALGORITHMS } from "./tokens/public-key-algorithms.js";
import { RecentTokens } from "./tokens/recent-tokens.js";
import { createRefusals } from "./refusals.js";
import { type ResourceMetadata, resourceMetadata } from "./resource-metadata.js";
import { schemeOf } from "./scheme.js";
import type { ScopeOptions, ScopeTable } from "./scopes.js";
import type { TokenClaims, TokenVerifier, VerifierContext } from "./tokens/token-verifier.js";
import { asInvalidToken } from "./tokens/verifier-errors.js";

export interface OAuthOptions<Scope extends string = string> {
  /** The authorization server whose tokens are accepted, as it names itself; or several. */
  issuer: string | readonly string[];
  /** The canonical URL of this server, as clients know it: `https://mcp.example.com/mcp`, without a slash at the end. */
  resource: string;
  /**
   * What the tokens' `aud` has to be, where it is not the resource: Entra has `api://…`. Several are alternatives.
   * Default: the resource.
   */
  audience?: string | readonly string[];
  /**
   * The scopes that tools, prompts and resources may need. The compiler holds `scopes` of decorators to them; the
   * resource's metadata lists those that are needed somewhere.
   */
  scopes?: Readonly<Record<Scope, ScopeOptions<NoInfer<Scope>>>>;
  /**
   * What clients are told to ask for when they come without a token; more they are told when they need it. Default:
   * nothing, and they ask for all that the metadata lists.
   */
  initialScopes?: readonly NoInfer<Scope>[];
  /** How tokens are verified. Default: as JWTs, by the keys that the issuer publishes. */
  verify?: TokenVerifier;
  /**
   * Whether tokens have to be bound to a key of the client, which then proves with each request that it has it (DPoP): a
   * token that was stolen is of no use to anybody else. With `"accept"`, the default, clients may have such tokens or
   * plain ones, and one that is bound is never taken without its proof: what its client asked for as a protection is
   * one here too. `"require"` takes no others.
   */
  dpop?: "accept" | "require";
  /**
   * Proofs have to contain what this server gave out a few minutes ago at most, so that none can be made in advance;
   * clients come back for it now and then. Instances that serve the same clients share `TENON_STATE_KEYS`. Default:
   * false.
   */
  dpopNonces?: boolean;
}

/** OAuth, with the scopes that there are. */
export interface OAuth<Scope extends string = string> extends Auth {
  readonly scopes: ScopeTable<Scope>;
}

/** How long what was found out about a token is taken for true, in milliseconds, if it does not expire before. */
const REMEMBERED_MS = 30_000;

/**
 * Protects a server as an OAuth resource: who calls over HTTP shows an access token that was issued for this server.
 * Who gives those out is somebody else's business; clients find them by the resource's metadata.
 *
 * @throws TypeError for options that could let anybody in, or nobody
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
  const { resource, scopes = {} as ScopeTable<Scope>, verify = jwt(), dpop = "accept" } = options;
  if (!["accept", "require"].includes(dpop))
    throw new TypeError(`oauth: \`dpop\` must be "accept" or "require" (got ${JSON.stringify(dpop)}).`);
  if (!["boolean", "undefined"].includes(typeof options.dpopNonces))
    throw new TypeError("oauth: `dpopNonces` must be true or false.");
  const issuers = listOf("issuer", options.issuer);
  for (const issuer of issuers) {
    if (!URL.canParse(issuer) || !/^https?:$/.test(new URL(issuer).protocol))
      throw new TypeError(`oauth: \`issuer\` must be a URL (got ${JSON.stringify(issuer)}).`);
  }
  const audiences = listOf("audience", options.audience ?? namesOf(resource));
  const isProofRequired = dpop === "require";
  const metadataFor = (needed: readonly string[]): ResourceMetadata =>
    resourceMetadata(resource, issuers, needed, {
      ...(isProofRequired && { bearer_methods_supported: [], dpop_bound_access_tokens_required: true }),
      dpop_signing_alg_values_supported: PUBLIC_KEY_ALGORITHMS,
    });
  const recent = new RecentTokens<KnownToken>();
  const nonces =
    options.dpopNonces === true ? createNonces(readStateKeys(process.env.TENON_STATE_KEYS)) : undefined;
  const checkPossession = createPossessionCheck(resource, isProofRequired, createProofCheck(nonces));

  const { refuse, insufficientScope } = createRefusals({
    isProofRequired,
    scope: options.initialScopes?.join(" "),
    metadataUrl: metadataFor([]).url,
    nonces,
  });

  const verified = async (
    token: string,
    header: HeaderReader,
  ): Promise<{ value: KnownToken; until: number }> => {
    const context = { issuers, audiences, header };
    const claims = checkClaims(await verifiedBy(verify, token, context), context);
    return {
      value: { principal: principalOf(claims), cnf: claims.cnf },
      until: Math.min(claims.exp * 1000, Date.now() + REMEMBERED_MS),
    };
  };

  return {
    scopes,
    documents: (needed) => {
      const { paths, text } = metadataFor(needed);
      return new Map(paths.map((path) => [path, text]));
    },
    challenge: (wanted, reason, header) =>
      insufficientScope(wanted, reason, schemeOf(readAuthorization(header?.("authorization")))),
    hosts: [new URL(resource).host],
    authenticate: async (credentials) => {
      const { header } = credentials;
      const sent = readAuthorization(header("authorization"));
      if (sent.kind === "none") return refuse(401, "An access token is needed.");
      const scheme = schemeOf(sent);
      if (sent.kind === "malformed" || scheme === undefined) {
        const reason = `The Authorization header must be \`${isProofRequired ? "DPoP" : "Bearer"}\` and one token.`;
        return refuse(400, reason, "invalid_request");
      }
      try {
        const hash = createHash("sha256").update(sent.token).digest("base64url");
        const { principal, cnf } = await recent.find(hash, () => verified(sent.token, header));
        await checkPossession({ scheme, hash, cnf }, credentials);
        return principal;
      } catch (error) {
        if (error instanceof InvalidToken) return refuse(401, error.message, "invalid_token", scheme);
        if (error instanceof InvalidProof) return refuse(401, error.message, error.code, scheme);
        throw error;
      }
    },
  };
}

/** Libraries refuse tokens by errors of their own, which are no reason to tell the client to come again. */
async function verifiedBy(
  verify: TokenVerifier,
  token: string,
  context: VerifierContext,
): Promise<Readonly<Record<string, unknown>>> {
  try {
    return await verify(token, context);
  } catch (error) {
    throw asInvalidToken(error);
  }
}

/** What was found out about a token. */
interface KnownToken {
  readonly principal: Principal;
  /** What it is bound to (RFC 7800). */
  readonly cnf: unknown;
}

function principalOf(claims: TokenClaims): Principal {
  const { sub, iss, exp } = claims;
  // RFC 9068, OpenID Connect, Okta and Entra.
  const client = claims.client_id ?? claims.azp ?? claims.cid ?? claims.appid;
  return toPrincipal({
    subject: sub,
    issuer: iss,
    client: typeof client === "string" ? client : undefined,
    scopes: scopesOf(claims),
    // Whoever calls with this token next is given the same object.
    claims: deepFreeze({ ...claims }),
    expiresAt: new Date(exp * 1000),
  });
}

function deepFreeze<Value extends object>(value: Value): Value {
  for (const each of Object.values(value)) if (typeof each === "object" && each !== null) deepFreeze(each);
  return Object.freeze(value);
}

/** `scope` is a text (RFC 9068), `scp` at some issuers a list. */
function scopesOf({ scope, scp }: TokenClaims): string[] {
  const given = scope ?? scp ?? "";
  const texts = Array.isArray(given) ? given : String(given).split(" ");
  return texts.filter((each): each is string => typeof each === "string" && each !== "");
}

/** An empty path is the path `/` (RFC 3986, section 6.2.3), and clients that ask for a token write either. */
function namesOf(resource: string): string[] {
  const withoutSlash = resource.replace(/\/$/, "");
  return /^[^/]+\/\/[^/]+$/.test(withoutSlash) ? [withoutSlash, `${withoutSlash}/`] : [resource];
}

function listOf(option: string, given: string | readonly string[]): readonly string[] {
  const list = [given].flat() as string[];
  if (list.length === 0 || list.some((each) => typeof each !== "string" || each === ""))
    throw new TypeError(`oauth: \`${option}\` must not be empty.`);
  return list;
}
