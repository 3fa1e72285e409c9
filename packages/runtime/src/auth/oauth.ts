import { createHash } from "node:crypto";
import type { Principal } from "../api/caller.js";
import { toPrincipal } from "../connection/principal.js";
import { readAuthorization } from "./authorization-header.js";
import type { Auth, Refusal } from "./authenticator.js";
import { type ChallengeParameters, challengeText } from "./challenge.js";
import { checkClaims } from "./check-claims.js";
import { InvalidToken } from "./invalid-token.js";
import { jwt } from "./jwt.js";
import { RecentTokens } from "./recent-tokens.js";
import { type ResourceMetadata, resourceMetadata } from "./resource-metadata.js";
import type { ScopeOptions, ScopeTable } from "./scopes.js";
import type { TokenClaims, TokenVerifier } from "./token-verifier.js";

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
 * auth: oauth({
 *   issuer: "https://login.example.com",
 *   resource: "https://mcp.example.com/mcp",
 *   scopes: { "files:read": {}, "files:write": { implies: ["files:read"] } },
 * })
 */
export function oauth<const Scope extends string = string>(options: OAuthOptions<Scope>): OAuth<Scope> {
  const { resource, scopes = {} as ScopeTable<Scope>, verify = jwt() } = options;
  const issuers = listOf("issuer", options.issuer);
  const audiences = listOf("audience", options.audience ?? resource);
  const metadataFor = (needed: readonly string[]): ResourceMetadata =>
    resourceMetadata(resource, issuers, needed);
  const { url: metadataUrl } = metadataFor([]);
  const scope = options.initialScopes?.join(" ");
  const recent = new RecentTokens<Principal>();
  const refuse = (status: Refusal["status"], reason: string, parameters: ChallengeParameters): Refusal => ({
    status,
    reason,
    challenge: challengeText("Bearer", { ...parameters, scope, resource_metadata: metadataUrl }),
  });

  return {
    scopes,
    documents: (needed) => {
      const { path, text } = metadataFor(needed);
      return new Map([[path, text]]);
    },
    challenge: (wanted, reason) =>
      challengeText("Bearer", {
        error: "insufficient_scope",
        error_description: reason,
        scope: wanted.join(" "),
        resource_metadata: metadataUrl,
      }),
    hosts: [new URL(resource).host],
    authenticate: async ({ header }) => {
      const sent = readAuthorization(header("authorization"));
      // Without credentials there is no error: RFC 6750, section 3.1.
      if (sent.kind === "none") return refuse(401, "An access token is needed.", {});
      if (sent.kind === "malformed" || sent.scheme !== "bearer") {
        const reason = "The Authorization header must be `Bearer` and one token.";
        return refuse(400, reason, { error: "invalid_request", error_description: reason });
      }
      const digest = createHash("sha256").update(sent.token).digest("base64");
      const known = recent.find(digest);
      if (known !== undefined) return known;
      try {
        const context = { issuers, audiences, header };
        const claims = checkClaims(await verify(sent.token, context), context);
        const principal = principalOf(claims);
        recent.add(digest, principal, Math.min(claims.exp * 1000, Date.now() + REMEMBERED_MS));
        return principal;
      } catch (error) {
        if (!(error instanceof InvalidToken)) throw error;
        return refuse(401, error.message, { error: "invalid_token", error_description: error.message });
      }
    },
  };
}

function principalOf(claims: TokenClaims): Principal {
  const { sub, iss, exp } = claims;
  const client = claims.client_id ?? claims.azp ?? claims.cid;
  return toPrincipal({
    subject: sub,
    issuer: iss,
    client: typeof client === "string" ? client : undefined,
    scopes: scopesOf(claims),
    claims: { ...claims },
    expiresAt: new Date(exp * 1000),
  });
}

/** `scope` is a text (RFC 9068), `scp` at some issuers a list. */
function scopesOf({ scope, scp }: TokenClaims): string[] {
  const given = scope ?? scp ?? "";
  const texts = Array.isArray(given) ? given : String(given).split(" ");
  return texts.filter((each): each is string => typeof each === "string" && each !== "");
}

function listOf(option: string, given: string | readonly string[]): readonly string[] {
  const list = [given].flat() as string[];
  if (list.length === 0 || list.some((each) => typeof each !== "string" || each === ""))
    throw new TypeError(`oauth: \`${option}\` must not be empty.`);
  return list;
}
