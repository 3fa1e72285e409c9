import { apiKeys, oauth } from "@tenon/runtime/auth";

/** The scopes that callers can have. */
const scopes = {
  "notes:read": {},
  "notes:write": { implies: ["notes:read"] },
} as const;

/**
 * Creates the authentication for HTTP. With `ISSUER`, callers need a token from that issuer for `PUBLIC_URL`. Otherwise, they need
 * a key from `API_KEYS`, which has all scopes. If neither is set, every request is rejected.
 *
 * @throws Error if a setting is incomplete
 */
export function createAuthentication({
  ISSUER: issuer,
  PUBLIC_URL: resource,
  API_KEYS: keys = "",
}: NodeJS.ProcessEnv) {
  if (issuer) {
    if (!resource)
      throw new Error(
        "ISSUER requires PUBLIC_URL, the public URL of this server, such as https://notes.example.com/mcp.",
      );
    return oauth({ issuer, resource, scopes, initialScopes: ["notes:read"] });
  }
  const callers = Object.fromEntries(keys.split(",").filter(Boolean).map(parseCaller));
  if (keys === "") console.warn("Neither ISSUER nor API_KEYS is set, so every HTTP request is rejected.");
  return { ...apiKeys(keys === "" ? { [crypto.randomUUID()]: "nobody" } : callers), scopes };
}

/** Parses a pair of a name and a key. @example parseCaller("ada:8f3c…") */
function parseCaller(text: string) {
  const end = text.indexOf(":");
  if (end < 1) throw new Error("API_KEYS must contain name:key pairs, separated by commas.");
  const subject = text.slice(0, end).trim();
  return [text.slice(end + 1).trim(), { subject, scopes: ["notes:write"] }] as const;
}
