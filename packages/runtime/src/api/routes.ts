import type { ExchangeHandler } from "../transports/http/exchange/exchange.js";
import type { InternalErrorReporter } from "../connection/internal-errors.js";
import type { Principal } from "./caller.js";

/** What is served beside MCP. Made by `routes` of `@tenon/runtime/routes`. */
export interface Routes {
  /** Begins to serve; a server may do so in several places. */
  serve(host: RouteHost): ServedRoutes;
}

/** What routes are given by the transport that serves them. */
export interface RouteHost {
  /** As in `Limits`. */
  readonly bodyBytes: number;
  readonly drainMs: number;
  readonly onInternalError: InternalErrorReporter;
  /**
   * Hands on the requests that may be served.
   *
   * @param isOpen nobody is asked who they are
   * @param methods those that pages of other origins may use
   */
  guard(serve: ExchangeHandler, isOpen: boolean, methods: string): ExchangeHandler;
}

export interface ServedRoutes {
  /** By path. */
  readonly handlers: ReadonlyMap<string, ExchangeHandler>;
  /** Waits for requests in progress, at most as long as the limits say. */
  close(): Promise<void>;
}

/** Who sends a request to a route. */
export interface RouteCaller {
  /** On whose behalf, where that has been verified: never on a route with `auth: false`. */
  readonly principal: Principal | undefined;
  /** As in `Caller`. */
  readonly address: string | undefined;
}

/**
 * Answers a request that is none of MCP's. Its body has been read, within `limits.bodyBytes`, and its `signal` is aborted
 * when the client goes away; what is thrown is answered with 500 and a reference.
 */
export type RouteHandler = (request: Request, caller: RouteCaller) => Response | Promise<Response>;

export interface Route {
  /**
   * False for everybody, as browsers and services need it that have no credentials of this server: then the handler has to
   * make sure of whom it serves. Default true: for those who may call the server's tools.
   */
  auth?: boolean;
  handle: RouteHandler;
}

/** A method, and a path that a request has to name letter by letter. A route for GET answers HEAD as well. */
export type RouteName = `${"GET" | "POST" | "PUT" | "PATCH" | "DELETE"} /${string}`;
