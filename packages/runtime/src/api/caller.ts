import type { ClientCapabilities, Implementation } from "../protocol/specification.js";

/**
 * The claims of a principal. Declare those that your tokens carry, and they are typed wherever a principal is:
 *
 * @example
 * declare module "@tenon/runtime" {
 *   interface PrincipalClaims {
 *     tenant: string;
 *   }
 * }
 */
export interface PrincipalClaims {
  [claim: string]: unknown;
}

/**
 * On whose behalf a call is made, as far as that has been verified. Declare a parameter of this type anywhere in a
 * handler's signature: a call that nobody has signed for is then refused, unless the parameter is optional.
 *
 * @example
 * \@Tool({ readOnly: true })
 * orders(user: Principal): Order[] {
 *   return this.store.ordersOf(user.subject);
 * }
 */
export interface Principal<Claims extends object = PrincipalClaims> {
  /** The user, or the program that acts for itself. */
  readonly subject: string;
  /** The program that calls, such as an OAuth client. */
  readonly client?: string | undefined;
  /** Who says so. A subject is one and the same only with its issuer. */
  readonly issuer?: string | undefined;
  /** What it may do. */
  readonly scopes: readonly string[];
  /** What else was said of it. */
  readonly claims: Claims;
  /** Until when that is so. */
  readonly expiresAt?: Date | undefined;
}

/** A principal as it is configured or looked up: a subject alone, or with what else is known. */
export type PrincipalInput = string | (Pick<Principal, "subject"> & Partial<Principal>);

/** Who is calling: what handlers read of it in their `Context`, and behaviours such as `enabled` are given. */
export interface Caller {
  /** On whose behalf, where that has been verified. */
  readonly principal: Principal | undefined;
  /** The program that calls, as far as it says. */
  readonly client: { readonly info?: Implementation; readonly capabilities: ClientCapabilities };
  /**
   * The IP address from which the call comes; `undefined` over stdio, and where the platform does not tell. Behind a proxy
   * it is the proxy's own, unless `http.trustedProxies` names that.
   */
  readonly address: string | undefined;
  /**
   * What the call shares with others of the same client: a legacy session, or a connection over stdio. Absent where each
   * request stands alone.
   */
  readonly session: { readonly id: string } | undefined;
  /**
   * A header of the request, by its name in any case; `undefined` where there is none, as over stdio. Those that carry
   * credentials are left out: who has read them is in `principal`.
   */
  header(name: string): string | undefined;
}
