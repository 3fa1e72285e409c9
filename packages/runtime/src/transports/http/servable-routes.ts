import type { Routes } from "../../api/routes.js";
import type { InternalErrorReporter } from "../../data/results/internal-error.js";
import type { ExchangeHandler } from "./exchange/exchange.js";

/** Routes as `routes` creates them. */
export interface ServableRoutes extends Routes {
  /** Starts serving the routes. Called for each listener of a server. */
  serve(host: RouteHost): ServedRoutes;
}

/** The part of the HTTP transport that routes use. */
export interface RouteHost {
  /** As in `Limits`. */
  readonly maxBodyBytes: number;
  readonly drainTimeoutMs: number;
  readonly onInternalError: InternalErrorReporter;
  /**
   * Forwards the requests that pass access control.
   *
   * @param isOpen whether callers may omit credentials
   * @param methods the methods that pages of other origins may use
   */
  guard(serve: ExchangeHandler, isOpen: boolean, methods: string): ExchangeHandler;
}

/** Routes in service. */
export interface ServedRoutes {
  /** The handlers by path. */
  readonly handlers: ReadonlyMap<string, ExchangeHandler>;
  /** Waits for requests in progress, for as long as the limits allow. */
  close(): Promise<void>;
}
