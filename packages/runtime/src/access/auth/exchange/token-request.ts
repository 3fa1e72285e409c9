import type { ExchangeRequest } from "../../../api/exchange.js";
import { isObject } from "../../../protocol/jsonrpc.js";
import { fetchResponse, readText } from "../tokens/fetch-json.js";
import { classifyError, ExchangeFailure } from "./exchange-failure.js";
import { IssuedToken } from "./issued-token.js";

/**
 * The parameters of a request: those of RFC 8693, or those of Microsoft's on-behalf-of flow, which predates it.
 */
export type ExchangeGrant = "token-exchange" | "on-behalf-of";

const GRANT_TYPE = "urn:ietf:params:oauth:grant-type:";
const ACCESS_TOKEN = "urn:ietf:params:oauth:token-type:access_token";

/** The types of tokens that an API accepts: not, for example, a refresh token, which it must never see. */
const ISSUED_TYPES: ReadonlySet<unknown> = new Set([ACCESS_TOKEN, "urn:ietf:params:oauth:token-type:jwt"]);

type Parameter = [name: string, value: string];

/** Maximum length of an authorization server's error in the log. */
const MAX_MESSAGE_CHARACTERS = 500;

/**
 * Returns the parameters of a token request, without those that authenticate the client.
 *
 * @throws TypeError for a request that names no API, or names it in a way that the grant does not support
 * @see https://www.rfc-editor.org/rfc/rfc8693#section-2.1
 * @see https://learn.microsoft.com/entra/identity-platform/v2-oauth2-on-behalf-of-flow
 */
export function createParameters(
  grant: ExchangeGrant,
  subjectToken: string,
  { audience, scope, resource, actor }: ExchangeRequest,
): URLSearchParams {
  const scopes = toList("scope", scope).join(" ");
  const targets = Object.entries({ audience, resource }).flatMap(([name, value]) =>
    toList(name, value).map((each): Parameter => [name, each]),
  );
  if (grant === "on-behalf-of") {
    if (scopes === "" || targets.length > 0 || actor !== undefined)
      throw new TypeError(
        "ctx.exchange: the on-behalf-of flow accepts only `scope`, such as `api://…/.default`.",
      );
    return new URLSearchParams({
      grant_type: `${GRANT_TYPE}jwt-bearer`,
      assertion: subjectToken,
      requested_token_use: "on_behalf_of",
      scope: scopes,
    });
  }
  if (scopes === "" && targets.length === 0)
    throw new TypeError(
      "ctx.exchange: name the API that the token is for: `audience`, `resource`, or `scope`.",
    );
  return new URLSearchParams([
    ["grant_type", `${GRANT_TYPE}token-exchange`],
    ["subject_token", subjectToken],
    ["subject_token_type", ACCESS_TOKEN],
    ["requested_token_type", ACCESS_TOKEN],
    ...targets,
    ...(scopes === "" ? [] : [["scope", scopes] as Parameter]),
    ...(actor === undefined ? [] : readActor(actor)),
  ]);
}

function readActor({ token, type = ACCESS_TOKEN }: NonNullable<ExchangeRequest["actor"]>): Parameter[] {
  if (typeof token !== "string" || token === "")
    throw new TypeError("ctx.exchange: `actor.token` must be a token.");
  return [
    ["actor_token", token],
    ["actor_token_type", type],
  ];
}

function toList(name: string, given: string | readonly string[] | undefined): readonly string[] {
  const list: readonly unknown[] = given === undefined ? [] : [given].flat();
  if (list.some((each) => typeof each !== "string" || each === ""))
    throw new TypeError(`ctx.exchange: \`${name}\` must be a non-empty string, or a list of them.`);
  return list as readonly string[];
}

/**
 * Requests a token.
 *
 * @param secrets strings that must not appear in errors
 * @throws ExchangeFailure if the response contains no token
 * @see https://www.rfc-editor.org/rfc/rfc6749#section-5
 */
export async function requestToken(
  endpoint: string,
  init: RequestInit,
  secrets: readonly string[],
): Promise<IssuedToken> {
  const requestedAt = Date.now();
  const response = await fetchResponse(endpoint, { ...init, method: "POST" });
  const { status } = response;
  const body = parseObject(await readText(response));
  if (!response.ok) throw createFailure(endpoint, response, body, secrets);
  const { access_token: accessToken, token_type: tokenType = "Bearer", expires_in: expiresIn, scope } = body;
  const issuedType = body["issued_token_type"] ?? ACCESS_TOKEN;
  const problem =
    typeof accessToken !== "string" || accessToken === ""
      ? "has no `access_token`"
      : typeof tokenType !== "string" || tokenType === "N_A" || !ISSUED_TYPES.has(issuedType)
        ? "has a token that is not an access token"
        : tokenType.toLowerCase() === "dpop"
          ? "has a token that is bound to a key (DPoP), but this server has no such key: let the authorization server issue bearer tokens to its client"
          : undefined;
  if (problem !== undefined)
    throw new ExchangeFailure("configuration", `The response of ${endpoint} (${status}) ${problem}.`);
  // Some servers send a number as a string.
  const lifetimeMs = Number(expiresIn ?? Number.NaN) * 1000;
  return new IssuedToken({
    accessToken: accessToken as string,
    tokenType: tokenType as string,
    scopes: typeof scope === "string" ? scope.split(" ").filter(Boolean) : [],
    expiresAt: lifetimeMs > 0 ? new Date(requestedAt + Math.min(lifetimeMs, MAX_LIFETIME_MS)) : undefined,
  });
}

/** Maximum lifetime of a token, in milliseconds: a year. Longer lifetimes are shortened to it. */
const MAX_LIFETIME_MS = 365 * 86_400_000;

function createFailure(
  endpoint: string,
  { status, headers }: Response,
  { error, error_description: description }: Record<string, unknown>,
  secrets: readonly string[],
): ExchangeFailure {
  const code = typeof error === "string" ? withoutSecrets(error, secrets).slice(0, 100) : undefined;
  const details = typeof description === "string" ? `: ${withoutSecrets(description, secrets)}` : "";
  const message = `${endpoint} responded with ${status} ${code ?? ""}${details}`;
  const after = headers.get("retry-after") ?? "";
  const retryAfter = /^\d+$/.test(after) ? Number(after) : (Date.parse(after) - Date.now()) / 1000;
  return new ExchangeFailure(
    classifyError(status, code),
    message.slice(0, MAX_MESSAGE_CHARACTERS).trimEnd(),
    code,
    retryAfter > 0 ? Math.ceil(retryAfter) : undefined,
  );
}

/** Removes secrets that an authorization server repeats. */
function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce((rest, secret) => (secret === "" ? rest : rest.replaceAll(secret, "…")), text);
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
