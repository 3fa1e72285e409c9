import { createHash } from "node:crypto";
import type { Principal } from "../../../api/caller.js";
import { ToolError } from "../../../api/errors.js";
import type { Exchange, ExchangedToken, ExchangeRequest } from "../../../api/exchange.js";
import { isExpired } from "../../principal.js";
import { fetchIssuerEndpoint } from "../tokens/issuer-metadata.js";
import {
  type Authenticate,
  type ClientCredentials,
  type ClientKey,
  createClientAuthentication,
  isPrivateKey,
} from "./client-authentication.js";
import { createFailureError, createSignInError, type CreateChallenge } from "./exchange-errors.js";
import { ExchangedTokens } from "./exchanged-tokens.js";
import { ExchangeFailure } from "./exchange-failure.js";
import { type SubjectToken, SubjectTokens } from "./subject-tokens.js";
import { createParameters, type ExchangeGrant, requestToken } from "./token-request.js";
import { isHttpUrl } from "../../../protocol/parse-url.js";
import { checkOptionNames } from "../../../data/options/check-option-names.js";

/** Options of `tokenExchange`. */
export interface TokenExchangeOptions {
  /** The client ID of this server at the authorization server. */
  clientId: string;
  /** The secret of the client. Use this or `privateKey`. */
  clientSecret?: string | undefined;
  /** How the secret is sent. Default: `"client_secret_basic"`. */
  clientAuthentication?: "client_secret_basic" | "client_secret_post" | undefined;
  /** The private key of the client, for `private_key_jwt`. Requires the package `jose`. */
  privateKey?: ClientKey | undefined;
  /** The authorization server that issues the tokens. Default: the issuer of the caller's token. */
  issuer?: string | undefined;
  /** The URL of its token endpoint. Default: the `token_endpoint` of its metadata. */
  tokenEndpoint?: string | undefined;
  /** `"on-behalf-of"` is the flow of Microsoft Entra. Default: `"token-exchange"`, which is RFC 8693. */
  grant?: ExchangeGrant | undefined;
  /** The time limit of one exchange, in milliseconds. Default: 5000. */
  timeoutMs?: number | undefined;
}

/** The exchange of callers' tokens for tokens of other APIs: see `tokenExchange`. */
export interface TokenExchange {
  /** Whether the options name the authorization server. Otherwise, it is the issuer of the caller's token. */
  readonly namesIssuer: boolean;
  /** Creates the exchange of one server. Called by `oauth`. */
  open(createChallenge: CreateChallenge): OpenedExchange;
}

/** The exchange of one server. */
export interface OpenedExchange {
  /** Remembers the token that identified a principal. */
  remember(principal: Principal, token: string): void;
  readonly exchange: Exchange;
}

const DEFAULT_TIMEOUT_MS = 5_000;

/** The longest time limit, in milliseconds. */
const MAX_TIMEOUT_MS = 120_000;

/**
 * Lets handlers call other APIs on behalf of their caller: `ctx.exchange` sends the caller's access token to the
 * authorization server, which issues a token for the other API.
 *
 * A token is cached until shortly before it expires, for requests with the same caller's token and the same parameters.
 * Concurrent calls share one request. Tokens and secrets never appear in logs or errors.
 *
 * @throws TypeError for options that no authorization server could accept
 * @see https://www.rfc-editor.org/rfc/rfc8693
 * @example
 * oauth({
 *   issuer: "https://login.example.com",
 *   resource: "https://mcp.example.com/mcp",
 *   exchange: tokenExchange({ clientId: "mcp-server", clientSecret: process.env.CLIENT_SECRET ?? "" }),
 * })
 */
export function tokenExchange(options: TokenExchangeOptions): TokenExchange {
  checkOptionNames<TokenExchangeOptions>("tokenExchange", options, {
    clientId: true,
    clientSecret: true,
    clientAuthentication: true,
    privateKey: true,
    issuer: true,
    tokenEndpoint: true,
    grant: true,
    timeoutMs: true,
  });
  checkExchangeOptions(options);
  const namesIssuer = (options.issuer ?? options.tokenEndpoint) !== undefined;
  return { namesIssuer, open: (createChallenge) => openExchange(options, createChallenge) };
}

function openExchange(options: TokenExchangeOptions, createChallenge: CreateChallenge): OpenedExchange {
  const subjects = new SubjectTokens();
  const issued = new ExchangedTokens();
  const request = createTokenRequest(options);
  let hasWarned = false;
  return {
    remember: (principal, token) => subjects.add(principal, token),
    exchange: async (call, wanted) => {
      const { principal } = call;
      const subject = principal && subjects.find(principal);
      if (subject === undefined) {
        // Another process received the request, for example because the call has become a task.
        if (principal?.issuer !== undefined) throw createSignInError(call, UNKNOWN, createChallenge);
        throw new ToolError(NO_TOKEN);
      }
      if (!hasWarned && subject.principal.claims.cnf !== undefined) {
        hasWarned = true;
        call.warn(BOUND);
      }
      const parameters = createParameters(options.grant ?? "token-exchange", subject.token, wanted);
      const key = createHash("sha256").update(parameters.toString()).digest("base64url");
      try {
        return await issued.find(key, async () => request(subject, parameters, wanted));
      } catch (error) {
        if (!(error instanceof ExchangeFailure)) throw error;
        if (error.kind !== "login") throw createFailureError(error);
        const problem = error.code === undefined ? EXPIRED : REJECTED;
        throw createSignInError(call, problem, createChallenge, error);
      }
    },
  };
}

const NO_TOKEN =
  "The server calls another API on behalf of the caller, but this call has no access token of the caller. Connect over HTTP, log in, and repeat the call.";
const BOUND =
  "ctx.exchange: the access token of a caller is bound to a key of its client, but the tokens that the authorization server issues in exchange are not, so a program that steals one can use it.";
const UNKNOWN = "the process that continues the call has not received an access token of the caller";
const EXPIRED = "the access token has expired";
const REJECTED = "the authorization server no longer accepts the access token";

type RequestForSubject = (
  subject: SubjectToken,
  parameters: URLSearchParams,
  wanted: ExchangeRequest,
) => Promise<ExchangedToken>;

/** Creates the function that requests a token for a caller. It throws ExchangeFailure. */
function createTokenRequest(options: TokenExchangeOptions): RequestForSubject {
  const { clientSecret = "", timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  const authenticate: Authenticate = createClientAuthentication(options as ClientCredentials);
  const endpoints = new Map<string, Promise<string>>();
  const findEndpoint = (issuer: string, signal: AbortSignal): Promise<string> => {
    if (options.tokenEndpoint !== undefined) return Promise.resolve(options.tokenEndpoint);
    const known = endpoints.get(issuer);
    if (known !== undefined) return known;
    const found = fetchIssuerEndpoint(issuer, "token_endpoint", signal);
    endpoints.set(issuer, found);
    found.catch(() => endpoints.delete(issuer));
    return found;
  };
  return async (subject, parameters, { actor }) => {
    if (isExpired(subject.principal)) throw new ExchangeFailure("login", "The caller's token has expired.");
    const issuer = options.issuer ?? subject.principal.issuer ?? "";
    const signal = AbortSignal.timeout(timeoutMs);
    const headers = new Headers();
    const body = new URLSearchParams(parameters);
    await authenticate(headers, body, issuer === "" ? (options.tokenEndpoint ?? "") : issuer);
    try {
      const endpoint = await findEndpoint(issuer, signal);
      const secrets = [subject.token, clientSecret, actor?.token ?? ""];
      return await requestToken(endpoint, { headers, body, signal }, secrets);
    } catch (error) {
      if (error instanceof ExchangeFailure && error.kind !== "unavailable") throw error;
      // The endpoint may have moved.
      endpoints.delete(issuer);
      if (error instanceof ExchangeFailure) throw error;
      const problem = signal.aborted
        ? `no response within ${timeoutMs} ms`
        : error instanceof Error
          ? error.message
          : String(error);
      const message = `The token of another API cannot be requested from ${issuer || options.tokenEndpoint}: ${problem}`;
      throw new ExchangeFailure("unavailable", message, undefined, undefined, { cause: error });
    }
  };
}

function checkExchangeOptions(options: TokenExchangeOptions): void {
  const {
    clientId,
    clientSecret,
    privateKey,
    clientAuthentication,
    issuer,
    tokenEndpoint,
    grant,
    timeoutMs,
  } = options;
  const fail = (problem: string): never => {
    throw new TypeError(`tokenExchange: ${problem}`);
  };
  if (typeof clientId !== "string" || clientId === "") fail("`clientId` must not be empty.");
  if ((clientSecret === undefined) === (privateKey === undefined))
    fail(
      "pass either `clientSecret` or `privateKey`. Authorization servers exchange tokens only for known clients.",
    );
  if (clientSecret === "") fail("`clientSecret` must not be empty. Is its environment variable set?");
  if (privateKey?.key === "") fail("`privateKey.key` must not be empty. Is its environment variable set?");
  if (privateKey !== undefined && !isPrivateKey(privateKey.key))
    fail(
      "`privateKey.key` must be PKCS #8 as PEM (`-----BEGIN PRIVATE KEY-----`), or a JWK with `kty` and `d`. Convert other keys " +
        "with `openssl pkcs8 -topk8 -nocrypt`.",
    );
  if (
    clientAuthentication !== undefined &&
    !["client_secret_basic", "client_secret_post"].includes(clientAuthentication)
  )
    fail(
      `\`clientAuthentication\` must be "client_secret_basic" or "client_secret_post" (got ${JSON.stringify(clientAuthentication)}).`,
    );
  if (clientAuthentication !== undefined && privateKey !== undefined)
    fail(
      "`clientAuthentication` applies to `clientSecret`. Remove one of `clientAuthentication` and `privateKey`.",
    );
  for (const [name, url] of Object.entries({ issuer, tokenEndpoint })) {
    if (url !== undefined && !isHttpUrl(url)) fail(`\`${name}\` must be a URL (got ${JSON.stringify(url)}).`);
  }
  if (grant !== undefined && !["token-exchange", "on-behalf-of"].includes(grant))
    fail(`\`grant\` must be "token-exchange" or "on-behalf-of" (got ${JSON.stringify(grant)}).`);
  if (
    timeoutMs !== undefined &&
    !(Number.isInteger(timeoutMs) && timeoutMs > 0 && timeoutMs <= MAX_TIMEOUT_MS)
  )
    fail(`\`timeoutMs\` must be a whole number of milliseconds up to ${MAX_TIMEOUT_MS} (got ${timeoutMs}).`);
}
