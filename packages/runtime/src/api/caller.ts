import type { ClientCapabilities, Implementation } from "../protocol/specification.js";

/**
 * Claims of a principal. Declare the claims of your tokens to type them wherever a principal is used.
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
 * The verified caller. Declare a parameter of this type anywhere in the signature of a handler. Calls without a
 * verified caller are then rejected, unless the parameter is optional.
 *
 * @example
 * \@Tool({ readOnly: true, openWorld: false })
 * orders(user: Principal): Order[] {
 *   return this.store.findOrders(user.subject);
 * }
 */
export interface Principal<Claims extends object = PrincipalClaims> {
  /** The user, or a program that acts for itself. */
  readonly subject: string;
  /** The program that makes the call, such as an OAuth client. */
  readonly client?: string | undefined;
  /** The authority that issued the identity. A subject is unique only together with its issuer. */
  readonly issuer?: string | undefined;
  /** Scopes that the caller has been granted. */
  readonly scopes: readonly string[];
  /** All other claims of the token. */
  readonly claims: Claims;
  /**
   * Time at which the identity expires. An API key is then rejected, and a caller from `http.principal` or
   * `stdio.principal` is anonymous.
   */
  readonly expiresAt?: Date | undefined;
}

/** A principal in a configuration: a subject, or an object with more details. */
export type PrincipalInput =
  | string
  | (Pick<Principal, "subject"> & {
      readonly [Name in Exclude<keyof Principal, "subject">]?: Principal[Name] | undefined;
    });

/** The caller of a request. Handlers read it from their `Context`; callbacks such as `enabled` receive it. */
export interface Caller {
  /** The verified principal, if there is one. */
  readonly principal: Principal | undefined;
  /** The client program, as it describes itself. */
  readonly client: { readonly info?: Implementation; readonly capabilities: ClientCapabilities };
  /**
   * IP address of the caller; `undefined` over stdio, and if the platform does not report it. Behind a proxy, it is
   * the address of the proxy unless `http.trustedProxies` contains that proxy.
   */
  readonly address: string | undefined;
  /**
   * Legacy session, or connection over stdio, that this call shares with other calls. Undefined if each request is
   * independent.
   */
  readonly session: { readonly id: string } | undefined;
  /**
   * Returns the value of a request header by its case-insensitive name; `undefined` if it is absent, and always over
   * stdio. Headers with credentials are omitted: use `principal`.
   */
  header(name: string): string | undefined;
}
