/**
 * What a server answers over HTTP, and at which path: clients at one, and beside it what others ask for.
 * @module
 */
import type { ServedRoutes } from "../../api/routes.js";
import type { Server } from "../../server.js";
import { withAccessControl } from "./access.js";
import { type EndpointOptions, HttpEndpoint } from "./endpoint.js";
import type { Endpoint, ExchangeHandler, HttpExchange } from "./exchange/exchange.js";
import { createHealthChecks } from "./health.js";
import { refuse } from "./exchange/refusal.js";
import { requestPath } from "./exchange/request-path.js";
import { createProxyNotice } from "./exchange/trusted-proxies.js";

export interface PathOptions extends EndpointOptions {
  /** Where clients connect. Default `/mcp`. */
  path?: string | undefined;
}

/** Everything that one server answers. */
export interface Paths extends Endpoint {
  /** What answers at the path of a request target, or at `/mcp`. Paths are compared as they are written. */
  find(target: string): ExchangeHandler | undefined;
  readonly endpoint: HttpEndpoint;
  /** Readiness says no, and all else goes on, but each answer is the last of its connection. */
  beginShutdown(): void;
}

/** @param others what else is served, by its path */
export interface PathDefaults {
  readonly others?: ReadonlyMap<string, Endpoint>;
  /** Health is answered unless it is turned off; else only where it is configured. */
  readonly health?: boolean;
}

/** @throws TypeError when two things are configured to be at one path, or what is configured cannot be served */
export function createPaths(
  server: Server,
  options: PathOptions,
  { others = new Map<string, Endpoint>(), health: isHealthDefault = false }: PathDefaults = {},
): Paths {
  const { path = "/mcp" } = options;
  const { health = isHealthDefault ? {} : false } = server.http;
  const endpoint = new HttpEndpoint(server, options);
  const checks = createHealthChecks(health, server.onInternalError);
  const routes = serveRoutes(server, options);

  const handlers = new Map<string, ExchangeHandler>();
  const takenBy = new Map<string, string>();
  const add = (at: string, what: string, handle: ExchangeHandler): void => {
    checkPath(at, what);
    const taken = takenBy.get(at);
    if (taken !== undefined) throw new TypeError(`${what} cannot be at ${at}: that is the path of ${taken}`);
    takenBy.set(at, what);
    handlers.set(at, handle);
  };
  add(path, "MCP", endpoint.handle);
  for (const at of server.auth?.documents(server.scopes).keys() ?? []) add(at, "`auth`", endpoint.handle);
  for (const [at, other] of others) add(at, "HTTP+SSE", other.handle);
  for (const [at, handle] of checks.handlers) add(at, "http.health", handle);
  for (const [at, handle] of routes?.handlers ?? []) add(at, "http.routes", handle);

  const isProxyConfigured = (server.http.trustedProxies ?? options.trustedProxies) !== undefined;
  const noticeProxy = createProxyNotice(isProxyConfigured, server.log);
  let isShutDown = false;
  const beginShutdown = (): void => {
    isShutDown = true;
    checks.beginShutdown();
  };
  const clientPaths = [path, ...others.keys()].join(", ");
  const find = (target: string): ExchangeHandler | undefined =>
    handlers.get(target) ?? handlers.get(requestPath(target));
  return {
    endpoint,
    find,
    handle: (exchange) => {
      // Clients that keep connections, as load balancers do, would find out by a request that is refused.
      if (isShutDown) exchange.headers.connection = "close";
      noticeProxy(exchange.header);
      const handle = find(exchange.target);
      if (handle !== undefined) return handle(exchange);
      exchange.headers.connection = "close";
      refuse(exchange, 404, `There is nothing here; MCP is served at ${clientPaths}.`);
    },
    beginShutdown,
    close: async () => {
      beginShutdown();
      await Promise.all(
        [endpoint, ...(routes === undefined ? [] : [routes]), ...new Set(others.values())].map((each) =>
          each.close(),
        ),
      );
    },
  };
}

/** The author's routes, where there are any. */
function serveRoutes(server: Server, options: PathOptions): ServedRoutes | undefined {
  const { routes } = server.http;
  if (routes !== undefined && typeof routes.serve !== "function") {
    throw new TypeError("http.routes must be `routes({ … })` of @tenon/runtime/routes");
  }
  return routes?.serve({
    ...server.limits,
    onInternalError: server.onInternalError,
    guard: (serve, isOpen, methods) => {
      const pathOf = ({ target }: HttpExchange): string => requestPath(target);
      return withAccessControl(server, options, serve, { isOpen, methods, pathOf });
    },
  });
}

/**
 * Only a path that has one spelling can be compared as it is written.
 *
 * @throws TypeError for any other
 */
function checkPath(path: string, what: string): void {
  if (
    /^\/(?!\/)/.test(path) &&
    !/[%*?#]|\/:/.test(path) &&
    new URL(path, "http://localhost").pathname === path
  )
    return;
  throw new TypeError(
    `${what} needs a path such as "/mcp", without patterns or escapes (got ${JSON.stringify(path)})`,
  );
}
