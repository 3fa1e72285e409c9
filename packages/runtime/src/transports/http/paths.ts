/**
 * The paths that a server serves over HTTP: one for clients, and others for health checks, metadata, and routes.
 * @module
 */
import type { ServableRoutes, ServedRoutes } from "./servable-routes.js";
import type { ServableLinks } from "./files/servable-links.js";
import type { ServableCard } from "./card/servable-card.js";
import type { Server } from "../../server.js";
import { withAccessControl } from "./access.js";
import { type EndpointOptions, HttpEndpoint } from "./endpoint.js";
import type { Endpoint, ExchangeHandler } from "./exchange/exchange.js";
import { createHealthChecks } from "./health.js";
import { reject } from "./exchange/rejection.js";
import { getRequestPath } from "./exchange/request-path.js";
import { createProxyNotice } from "./exchange/trusted-proxies.js";

export interface PathOptions extends EndpointOptions {
  /** The path for clients. Default: `/mcp`. */
  path?: string | undefined;
}

/** All paths of one server. */
export interface Paths extends Endpoint {
  /** Returns the endpoint for a request target, with or without a query. Paths are compared without normalization. */
  find(target: string): ExchangeHandler | undefined;
  /** All paths that are served. */
  readonly served: readonly string[];
  readonly endpoint: HttpEndpoint;
  /** Reports that the server is not ready. Everything else is still served, but each response closes its connection. */
  beginShutdown(): void;
}

/** The defaults of a transport. */
export interface PathDefaults {
  readonly others?: ReadonlyMap<string, Endpoint>;
  /** Whether health checks are on by default. If not, they are on only if they are configured. */
  readonly health?: boolean;
}

/**
 * Creates the paths of a server.
 *
 * @throws TypeError for two configurations with the same path, or one that cannot be served
 */
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
  const owners = new Map<string, string>();
  const add = (at: string, what: string, handle: ExchangeHandler): void => {
    checkPath(at, what);
    const owner = owners.get(at);
    if (owner !== undefined) throw new TypeError(`${what} cannot be at ${at}: that is the path of ${owner}`);
    owners.set(at, what);
    handlers.set(at, handle);
  };
  add(path, "MCP", endpoint.handle);
  for (const at of server.auth?.documents(server.scopes, server.info).keys() ?? [])
    add(at, "`auth`", endpoint.handle);
  for (const [at, other] of others) add(at, "HTTP+SSE", other.handle);
  for (const [at, handle] of checks.handlers) add(at, "http.health", handle);
  for (const [at, handle] of routes?.handlers ?? []) add(at, "http.routes", handle);
  for (const [at, handle] of serveFileLinks(server, options) ?? []) add(at, "files.links", handle);
  for (const [at, handle] of serveCard(server, options, path) ?? []) add(at, "http.card", handle);

  const warnOfProxy = createProxyNotice(server.http.trustedProxies, options.trustedProxies, server.log);
  let isShutDown = false;
  const beginShutdown = (): void => {
    isShutDown = true;
    checks.beginShutdown();
  };
  const clientPaths = [path, ...others.keys()].join(", ");
  const find = (target: string): ExchangeHandler | undefined =>
    handlers.get(target) ?? handlers.get(getRequestPath(target));
  return {
    endpoint,
    find,
    served: [...handlers.keys()],
    handle: (exchange) => {
      // Otherwise, clients with persistent connections, such as load balancers, would notice the shutdown only when a
      // request fails.
      if (isShutDown) exchange.headers.connection = "close";
      warnOfProxy(exchange);
      const handle = find(exchange.target);
      if (handle !== undefined) return handle(exchange);
      exchange.headers.connection = "close";
      reject(exchange, 404, `Nothing is served at this path. MCP is served at ${clientPaths}.`);
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

/** Serves the author's routes, if there are any. */
function serveRoutes(server: Server, options: PathOptions): ServedRoutes | undefined {
  // Only `routes()` creates `Routes`. The cast keeps its code out of servers without routes.
  const routes = server.http.routes as ServableRoutes | undefined;
  if (routes !== undefined && typeof routes.serve !== "function") {
    throw new TypeError("http.routes must be `routes({ … })` from @tenon/runtime/routes");
  }
  return routes?.serve({
    ...server.limits,
    onInternalError: server.onInternalError,
    guard: (serve, isOpen, methods) =>
      withAccessControl(server, options, serve, { isOpen, methods, hasOwnPath: true }),
  });
}

/** Serves files that are too large for results, if the author configured links. */
function serveFileLinks(
  server: Server,
  options: PathOptions,
): ReadonlyMap<string, ExchangeHandler> | undefined {
  // Only `fileLinks()` creates `FileLinks`. The cast keeps its code out of servers without links.
  const links = server.files.links as ServableLinks | undefined;
  if (links !== undefined && typeof links.serve !== "function") {
    throw new TypeError("files.links must be `fileLinks({ … })` from @tenon/runtime/files");
  }
  return links?.serve(server.info.name, (serve) =>
    withAccessControl(server, options, serve, { isOpen: true, isForAnyOrigin: true, hasOwnPath: true }),
  );
}

/** Serves the author's server card, if there is one. */
function serveCard(
  server: Server,
  options: PathOptions,
  path: string,
): ReadonlyMap<string, ExchangeHandler> | undefined {
  const { info, auth, http } = server;
  // Only `serverCard()` creates a `ServerCard`. The cast keeps its code out of servers without a card.
  const card = http.card as ServableCard | undefined;
  if (card !== undefined && typeof card.serve !== "function") {
    throw new TypeError("http.card must be `serverCard({ … })` from @tenon/runtime/server-card");
  }
  return card?.serve({
    info,
    auth,
    path,
    guard: (serve) => withAccessControl(server, options, serve, { isOpen: true, isForAnyOrigin: true }),
  });
}

/**
 * Checks that a path has only one spelling, since paths are compared without normalization.
 *
 * @throws TypeError for any other path
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
