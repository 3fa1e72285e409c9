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

/** Timers take no more than this many milliseconds. */
const LONGEST_TIMER = 2 ** 31 - 1;

/**
 * Calls back when a principal is not verified any more, if somebody has said until when it is: what lasts longer than a
 * request ends then.
 *
 * @returns what calls it off
 */
export function onExpiry(principal: Principal | undefined, listener: () => void): () => void {
  const end = principal?.expiresAt?.getTime();
  if (end === undefined) return () => {};
  let timer: NodeJS.Timeout | undefined;
  const wait = (): void => {
    const left = end - Date.now();
    // A timer may be a little early.
    if (left <= 0) listener();
    else timer = setTimeout(wait, Math.min(left, LONGEST_TIMER)).unref();
  };
  timer = setTimeout(wait, 0).unref();
  return () => clearTimeout(timer);
}
