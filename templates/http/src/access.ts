import { apiKeys, oauth } from "@tenon/runtime/auth";

/** What callers can be allowed to do. */
const scopes = {
  "notes:read": {},
  "notes:write": { implies: ["notes:read"] },
} as const;

/**
 * Who may call over HTTP: whoever has a token of `ISSUER` for `PUBLIC_URL`; where no issuer is set, the names in
 * `API_KEYS`, with all scopes; where neither is set, nobody.
 *
 * @throws Error for settings that are half there
 */
export function access({ ISSUER: issuer, PUBLIC_URL: resource, API_KEYS: keys = "" }: NodeJS.ProcessEnv) {
  if (issuer) {
    if (!resource)
      throw new Error("ISSUER needs PUBLIC_URL: where clients reach this server, with its /mcp.");
    return oauth({ issuer, resource, scopes, initialScopes: ["notes:read"] });
  }
  const callers = Object.fromEntries(keys.split(",").filter(Boolean).map(caller));
  if (keys === "") console.warn("Neither ISSUER nor API_KEYS is set, so nobody can call over HTTP.");
  return { ...apiKeys(keys === "" ? { [crypto.randomUUID()]: "nobody" } : callers), scopes };
}

/** @example caller("ada:8f3c…") */
function caller(text: string) {
  const end = text.indexOf(":");
  if (end < 1)
    throw new Error("API_KEYS has a name, a colon and a key for each caller, separated by commas.");
  const subject = text.slice(0, end).trim();
  return [text.slice(end + 1).trim(), { subject, scopes: ["notes:write"] }] as const;
}
