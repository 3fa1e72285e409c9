import { createHash, timingSafeEqual } from "node:crypto";
import type { PrincipalInput } from "../api/caller.js";
import { toPrincipal } from "../connection/principal.js";
import { readAuthorization } from "./authorization-header.js";
import type { Auth } from "./authenticator.js";
import { challengeText } from "./challenge.js";

/** Shorter keys can be guessed. */
const FEWEST_CHARACTERS = 16;

/**
 * Lets in whoever sends one of a few keys, as `Authorization: Bearer …` or `X-API-Key`: for programs of one's own. Every
 * key is compared whole, so that the time it takes says nothing about how much of one was right.
 *
 * @param keys whose each key is, by the key
 * @throws TypeError when there are none, or one is shorter than 16 characters
 * @example
 * const { REPORTING_KEY, ADMIN_KEY } = process.env;
 * if (!REPORTING_KEY || !ADMIN_KEY) throw new Error("Set REPORTING_KEY and ADMIN_KEY.");
 * defineServer({
 *   auth: apiKeys({ [REPORTING_KEY]: "reporting", [ADMIN_KEY]: { subject: "ops", scopes: ["admin"] } }),
 * });
 */
export function apiKeys(keys: Readonly<Record<string, PrincipalInput>>): Auth {
  const known = Object.entries(keys).map(([key, principal]) => {
    if (key.length < FEWEST_CHARACTERS)
      throw new TypeError(`apiKeys: each key needs at least ${FEWEST_CHARACTERS} characters.`);
    return { digest: digestOf(key), principal: toPrincipal(principal) };
  });
  if (known.length === 0) throw new TypeError("apiKeys: there is no key, so that nobody could call.");
  return {
    documents: () => new Map(),
    hosts: [],
    challenge: (scopes, reason) =>
      challengeText("Bearer", {
        error: "insufficient_scope",
        error_description: reason,
        scope: scopes.join(" "),
      }),
    authenticate: async ({ header }) => {
      const sent = readAuthorization(header("authorization"));
      const key = sent.kind === "token" && sent.scheme === "bearer" ? sent.token : header("x-api-key");
      if (key === undefined) {
        return { status: 401, reason: "An API key is needed.", challenge: challengeText("Bearer", {}) };
      }
      const digest = digestOf(key);
      const found = known.find((each) => timingSafeEqual(each.digest, digest));
      if (found !== undefined) return found.principal;
      const reason = "The API key is not known.";
      const challenge = challengeText("Bearer", { error: "invalid_token", error_description: reason });
      return { status: 401, reason, challenge };
    },
  };
}

function digestOf(key: string): Buffer {
  return createHash("sha256").update(key).digest();
}
