import type { CompactVerifyGetKey, FlattenedJWSInput } from "jose";
import { ProtocolError } from "../../../api/errors.js";
import * as ErrorCode from "../../../protocol/error-codes.js";
import { isObject } from "../../../protocol/jsonrpc.js";
import { fetchIssuerEndpoint } from "./issuer-metadata.js";
import { fetchJson } from "./fetch-json.js";
import { type Jose, loadJose } from "./jose.js";

/** The age after which keys are fetched again, while they are still used. */
const REFRESH_AFTER_MS = 10 * 60_000;

/** The age after which keys are no longer used, since their issuer may have withdrawn them. */
const MAX_KEY_AGE_MS = 24 * 60 * 60_000;

/** The minimum time between two requests to an issuer. */
const MIN_REQUEST_INTERVAL_MS = 5_000;

/** The time that a new key may take to reach all servers of an issuer, in milliseconds. */
const MAX_PUBLICATION_DELAY_MS = 5_000;

type KeySet = ReturnType<Jose["createRemoteJWKSet"]>;

/**
 * Creates a function that finds the key of a token among those that an issuer publishes.
 *
 * Keys are fetched when they are first needed, and again when they are old or a token names an unknown key. Meanwhile,
 * tokens with a known key are accepted, even if the issuer does not respond or returns something else. jose alone would
 * then reject them, and would send a request to the failing issuer for each token. An empty list withdraws all keys.
 *
 * @param jwksUri default: `jwks_uri` of the issuer's metadata
 * @throws JWKSNoMatchingKey (the returned function) if the issuer does not have the key
 * @throws ProtocolError (the returned function), with status 503, if the issuer may have published the key since the keys
 *   were fetched
 * @throws Error (the returned function) if the keys cannot be fetched
 */
export function createIssuerKeys(issuer: string, jwksUri?: string): CompactVerifyGetKey {
  let keys: KeySet | undefined;
  let fetchedAt = 0;
  let failure: { at: number; error: Error } | undefined;

  const fetchKeys = async ({ createLocalJWKSet }: Jose): Promise<Response> => {
    if (failure !== undefined && Date.now() - failure.at < MIN_REQUEST_INTERVAL_MS) throw failure.error;
    try {
      // The keys may have moved, so their location is read each time.
      const uri = jwksUri ?? (await fetchIssuerEndpoint(issuer, "jwks_uri"));
      const found = withoutMalformedKeys(await fetchJson(uri)) as Parameters<Jose["createLocalJWKSet"]>[0];
      // Throws if these are not keys.
      createLocalJWKSet(found);
      fetchedAt = Date.now();
      return Response.json(found);
    } catch (cause) {
      const error = new Error(`The keys of ${issuer} cannot be fetched.`, { cause });
      failure = { at: Date.now(), error };
      throw error;
    }
  };

  return async (header, token) => {
    if (keys === undefined) {
      const jose = await loadJose();
      keys ??= jose.createRemoteJWKSet(new URL(jwksUri ?? issuer), {
        cacheMaxAge: MAX_KEY_AGE_MS,
        cooldownDuration: MIN_REQUEST_INTERVAL_MS,
        [jose.customFetch]: () => fetchKeys(jose),
      });
    }
    if (keys.fresh && Date.now() - fetchedAt > REFRESH_AFTER_MS) keys.reload().catch(() => {});
    return keys(header, token).catch((error: unknown) => {
      const { code } = error as { code?: unknown };
      const isNew =
        code === "ERR_JWKS_NO_MATCHING_KEY" && readIssuedAt(token) > fetchedAt - MAX_PUBLICATION_DELAY_MS;
      throw isNew ? createTryAgainError(fetchedAt + MIN_REQUEST_INTERVAL_MS - Date.now()) : error;
    });
  };
}

/** Removes members of a key set that are not keys, unless the set would then be empty. */
function withoutMalformedKeys(set: unknown): unknown {
  if (!isObject(set) || !Array.isArray(set.keys)) return set;
  const keys = set.keys.filter(isObject);
  return keys.length > 0 ? { ...set, keys } : set;
}

/** Returns when a token claims to have been issued, in milliseconds since 1970; 0 if it does not contain the time. */
function readIssuedAt({ payload }: FlattenedJWSInput): number {
  try {
    const { iat } = JSON.parse(Buffer.from(String(payload), "base64url").toString()) as { iat?: unknown };
    return typeof iat === "number" ? iat * 1000 : 0;
  } catch {
    return 0;
  }
}

function createTryAgainError(waitMs: number): ProtocolError {
  const message =
    "The token may be signed with a key that its issuer has just published. Try again in a moment.";
  const headers = { "retry-after": String(Math.max(1, Math.ceil(waitMs / 1000))) };
  return new ProtocolError(ErrorCode.InternalError, message, undefined, 503, headers);
}
