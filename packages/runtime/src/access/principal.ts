import type { Principal, PrincipalInput } from "../api/caller.js";
import { toFrozenCopy } from "../data/freeze.js";
import { STRING } from "../data/options/rule-kinds.js";

/**
 * Returns a principal with defaults for the members that the input omits. The principal and its claims are frozen,
 * since the calls of a caller share them.
 *
 * @throws TypeError for a principal without a subject, such as an empty string, or with scopes that are not a list, or an
 *   expiry that is not a date
 */
export function toPrincipal(input: PrincipalInput): Principal {
  const {
    subject,
    client,
    issuer,
    scopes = [],
    claims = {},
    expiresAt,
  }: Exclude<PrincipalInput, string> = typeof input === "string" ? { subject: input } : Object(input);
  // Scopes in one string would become a list of its characters, and the time in a text would never come.
  if (
    !STRING.accepts(subject) ||
    !Array.isArray(scopes) ||
    (expiresAt !== undefined && !(expiresAt instanceof Date && !Number.isNaN(expiresAt.getTime())))
  ) {
    throw new TypeError(
      "A principal needs a non-empty string as `subject`; `scopes` must be a list, and `expiresAt` a Date.",
    );
  }
  return toFrozenCopy({ subject, client, issuer, scopes, claims, expiresAt });
}

/**
 * Returns a string that identifies a principal, regardless of its current permissions. State that one principal has
 * created is bound to it and not available to others.
 *
 * @example
 * getBinding(toPrincipal("ada")) // '[null,"ada",null]'
 */
export function getBinding(principal: Principal | undefined): string {
  if (principal === undefined) return "";
  const { issuer = null, subject, client = null } = principal;
  return JSON.stringify([issuer, subject, client]);
}

/**
 * Returns whether two principals of one caller are from the same token, or from tokens with the same permissions.
 *
 * @example
 * isSameToken(toPrincipal("ada"), toPrincipal({ subject: "ada", scopes: ["admin"] })) // false
 */
export function isSameToken(one: Principal, other: Principal): boolean {
  // The principals of recent tokens are cached.
  if (one === other) return true;
  const [first, second] = [one, other].map(({ scopes, claims }) => JSON.stringify([scopes, claims]));
  return first === second;
}

/**
 * Returns the share of a limit that one identified caller may use, so that others have the rest. Anonymous callers cannot
 * be distinguished and have no shares.
 *
 * @example
 * getShare(1024) // 512
 */
export function getShare(limit: number): number {
  return Math.ceil(limit / 2);
}

/**
 * Returns whether an identified caller has used up its share of a limit.
 *
 * @param caller a binding: see `getBinding`
 * @param callers the callers who use the limit, one element for each use
 */
export function hasUsedShare(caller: string, callers: readonly string[], limit: number): boolean {
  return caller !== "" && callers.filter((each) => each === caller).length >= getShare(limit);
}

/** Returns a principal until it expires, and then `undefined`, as for an anonymous caller. */
export function getUnexpired(principal: Principal | undefined): Principal | undefined {
  return getExpiry(principal) > Date.now() ? principal : undefined;
}

/** Returns whether the verification of a principal has expired. */
export function isExpired(principal: Principal | undefined): boolean {
  return getExpiry(principal) <= Date.now();
}

/** Returns the time at which the verification of a principal expires, in milliseconds since 1970; `Infinity` for never. */
function getExpiry(principal: Principal | undefined): number {
  return principal?.expiresAt?.getTime() ?? Infinity;
}

/** Maximum delay of a timer, in milliseconds. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Calls the listener when the verification of a principal expires, if it has an expiry. Work that outlasts a request
 * ends then.
 *
 * @returns a function that cancels the call
 */
export function onExpiry(principal: Principal | undefined, listener: () => void): () => void {
  const end = getExpiry(principal);
  if (end === Infinity) return () => {};
  let timer: NodeJS.Timeout | undefined;
  const wait = (): void => {
    const left = end - Date.now();
    // A timer may be a little early.
    if (left <= 0) listener();
    else timer = setTimeout(wait, Math.min(left, MAX_TIMER_MS)).unref();
  };
  timer = setTimeout(wait, 0).unref();
  return () => clearTimeout(timer);
}
