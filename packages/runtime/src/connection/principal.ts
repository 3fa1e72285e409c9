import type { Principal, PrincipalInput } from "../api/caller.js";

/** @throws TypeError for what names nobody, such as an empty string */
export function toPrincipal(given: PrincipalInput): Principal {
  const {
    subject,
    client,
    issuer,
    scopes = [],
    claims = {},
    expiresAt,
  }: Exclude<PrincipalInput, string> = typeof given === "string" ? { subject: given } : given;
  if (typeof subject !== "string" || subject === "") {
    throw new TypeError("A principal needs a `subject`, a string that is not empty.");
  }
  return Object.freeze({ subject, client, issuer, scopes: Object.freeze([...scopes]), claims, expiresAt });
}

/**
 * The same text for the same principal, whatever it may do meanwhile: what one has begun is nobody else's.
 *
 * @example
 * bindingOf(toPrincipal("ada")) // '[null,"ada",null]'
 */
export function bindingOf(principal: Principal | undefined): string {
  if (principal === undefined) return "";
  const { issuer = null, subject, client = null } = principal;
  return JSON.stringify([issuer, subject, client]);
}
