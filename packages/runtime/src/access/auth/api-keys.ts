import { createHash, timingSafeEqual } from "node:crypto";
import type { PrincipalInput } from "../../api/caller.js";
import { toPrincipal } from "../principal.js";
import { readAuthorization } from "./authorization-header.js";
import type { Auth } from "../../api/auth.js";
import { formatChallenge } from "./challenge.js";

/** Minimum length of a key. Shorter keys can be guessed. */
const MIN_CHARACTERS = 16;

/**
 * Accepts callers that send one of a few keys, as `Authorization: Bearer …` or `X-API-Key`. Meant for your own
 * programs. Keys are compared in constant time, so that the duration reveals nothing about partial matches.
 *
 * @param keys the principal for each key
 * @throws TypeError if there are no keys, or one is shorter than 16 characters
 * @example
 * const { REPORTING_KEY, ADMIN_KEY } = process.env;
 * if (!REPORTING_KEY || !ADMIN_KEY) throw new Error("Set REPORTING_KEY and ADMIN_KEY.");
 * defineServer({
 *   auth: apiKeys({ [REPORTING_KEY]: "reporting", [ADMIN_KEY]: { subject: "ops", scopes: ["admin"] } }),
 * });
 */
export function apiKeys(keys: Readonly<Record<string, PrincipalInput>>): Auth {
  const known = Object.entries(keys).map(([key, principal]) => {
    if (key.length < MIN_CHARACTERS)
      throw new TypeError(
        `apiKeys: each key needs at least ${MIN_CHARACTERS} characters (got ${key.length}).`,
      );
    return { digest: createDigest(key), principal: toPrincipal(principal) };
  });
  if (known.length === 0)
    throw new TypeError("apiKeys: pass at least one key. Without any, no client could call the server.");
  return {
    summary: known.length === 1 ? "an API key" : `${known.length} API keys`,
    documents: () => new Map(),
    hosts: [],
    challenge: (scopes, reason) =>
      formatChallenge("Bearer", {
        error: "insufficient_scope",
        error_description: reason,
        scope: scopes.join(" "),
      }),
    authenticate: async ({ header }) => {
      const sent = readAuthorization(header("authorization"));
      const key = sent.kind === "token" && sent.scheme === "bearer" ? sent.token : header("x-api-key");
      if (key === undefined) {
        return {
          status: 401,
          reason: "An API key is required, as a bearer token or in `X-API-Key`.",
          challenge: formatChallenge("Bearer", {}),
        };
      }
      const digest = createDigest(key);
      const found = known.find((each) => timingSafeEqual(each.digest, digest));
      if (found !== undefined) return found.principal;
      const reason = "The API key is unknown.";
      const challenge = formatChallenge("Bearer", { error: "invalid_token", error_description: reason });
      return { status: 401, reason, challenge };
    },
  };
}

function createDigest(key: string): Buffer {
  return createHash("sha256").update(key).digest();
}
