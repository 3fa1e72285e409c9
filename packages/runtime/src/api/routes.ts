import type { Principal } from "./caller.js";

/** HTTP routes that a server serves in addition to MCP. Created by `routes` of `@tenon/runtime/routes`. */
export interface Routes {
  readonly names: readonly RouteName[];
}

/** The sender of a request to a route. */
export interface RouteCaller {
  /** The verified principal. Always undefined on a route with `auth: false`. */
  readonly principal: Principal | undefined;
  /** As in `Caller`. */
  readonly address: string | undefined;
}

/**
 * Responds to an HTTP request that is not MCP. Its body has been read completely (at most `limits.maxBodyBytes`), and
 * its `signal` is aborted when the client disconnects. If the handler throws, the client receives 500 and a reference.
 */
export type RouteHandler = (request: Request, caller: RouteCaller) => Response | Promise<Response>;

/** An HTTP route. */
export interface Route {
  /**
   * Whether requests need the same credentials as MCP. Set it to false for browsers and services that have none; the
   * handler must then authenticate the sender itself. Default: true.
   */
  auth?: boolean | undefined;
  handle: RouteHandler;
}

/** A method and an exact, case-sensitive path. A route for GET also serves HEAD. */
export type RouteName = `${"GET" | "POST" | "PUT" | "PATCH" | "DELETE"} /${string}`;
