import { createHash, timingSafeEqual } from "node:crypto";
import type { PrincipalInput } from "../../api/caller.js";
import { isExpired, toPrincipal } from "../principal.js";
import type { Auth } from "../../api/auth.js";
import { formatChallenge } from "./challenge.js";
import { expandScopes } from "./scopes.js";

/** Minimum length of a key. Shorter keys can be guessed. */
const MIN_CHARACTERS = 16;

/** Matches a key that every client can send in a header: visible ASCII characters, without spaces. */
const SENDABLE = /^[!-~]+$/;

/** Matches `Authorization: Bearer`, with a key that may contain more characters than an access token, such as `!`. */
const BEARER = /^bearer +([!-~]+)$/i;

/**
 * Accepts callers that send one of a few keys, as `Authorization: Bearer …` or `X-API-Key`. Meant for your own
 * programs. Keys are compared in constant time, so that the duration reveals nothing about partial matches.
 *
 * @param keys the principal for each key
 * @throws TypeError if there are no keys, or one is shorter than 16 characters or cannot be sent in a header
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
    if (!SENDABLE.test(key)) {
      const found = /\s/.test(key) ? "a space or a line break" : "a character outside ASCII";
      throw new TypeError(
        `apiKeys: a key contains ${found}, so clients cannot send it in a header. Remove it from the key.`,
      );
    }
    return { digest: createDigest(key), principal: toPrincipal(principal) };
  });
  if (known.length === 0)
    throw new TypeError("apiKeys: pass at least one key. Without any, no client could call the server.");
  return {
    // `this` also has the scopes of `{ ...apiKeys(…), scopes }`.
    logProblems(needed, log) {
      const granted = known.flatMap(({ principal }) => (isExpired(principal) ? [] : principal.scopes));
      const allowed = expandScopes(granted, this.scopes ?? {});
      const lacking = needed.filter((scope) => !allowed.has(scope));
      if (lacking.length === 0) return;
      const names = lacking.map((each) => `\`${each}\``).join(" or ");
      const msg = `no API key has the scope ${names}, so calls that need it are rejected. Add it to a key in src/server.ts, or correct its name.`;
      log({ level: "warn", event: "access", msg });
    },
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
      const key = BEARER.exec(header("authorization")?.trim() ?? "")?.[1] ?? header("x-api-key");
      if (key === undefined) {
        return {
          status: 401,
          reason: "An API key is required, as a bearer token or in `X-API-Key`.",
          challenge: formatChallenge("Bearer", {}),
        };
      }
      const digest = createDigest(key);
      const found = known.find((each) => timingSafeEqual(each.digest, digest));
      if (found !== undefined && !isExpired(found.principal)) return found.principal;
      const reason = `The API key ${found === undefined ? "is unknown" : "has expired"}.`;
      const challenge = formatChallenge("Bearer", { error: "invalid_token", error_description: reason });
      return { status: 401, reason, challenge };
    },
  };
}

function createDigest(key: string): Buffer {
  return createHash("sha256").update(key).digest();
}
