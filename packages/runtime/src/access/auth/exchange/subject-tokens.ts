import type { Principal } from "../../../api/caller.js";
import { getBinding, isExpired } from "../../principal.js";

/** Maximum number of callers whose newest token is remembered. The least recently seen callers are forgotten first. */
const MAX_CALLERS = 10_000;

/** A caller's token, and the principal that it identifies. */
export interface SubjectToken {
  readonly token: string;
  readonly principal: Principal;
}

/** The access tokens of callers. Only `tokenExchange` reads them. */
export class SubjectTokens {
  readonly #tokens = new WeakMap<Principal, string>();
  readonly #newest = new Map<string, SubjectToken>();

  /** Remembers the token that identified a principal. */
  add(principal: Principal, token: string): void {
    if (this.#tokens.get(principal) !== token) this.#tokens.set(principal, token);
    const key = getBinding(principal);
    this.#newest.delete(key);
    this.#newest.set(key, { token, principal });
    if (this.#newest.size <= MAX_CALLERS) return;
    const [oldest = ""] = this.#newest.keys();
    this.#newest.delete(oldest);
  }

  /**
   * Returns the token of a call. A call that outlasts its token, such as a task, uses the newest token of the same
   * caller, unless it has scopes that the call's own token lacked.
   *
   * @returns undefined if there was none; an expired token if there is no newer one
   */
  find(principal: Principal): SubjectToken | undefined {
    const token = this.#tokens.get(principal);
    const own = token === undefined ? undefined : { token, principal };
    if (own !== undefined && !isExpired(own.principal)) return own;
    const newest = this.#newest.get(getBinding(principal));
    if (newest === undefined || isExpired(newest.principal)) return own;
    const isNarrower = newest.principal.scopes.every((scope) => principal.scopes.includes(scope));
    return isNarrower ? newest : own;
  }
}
