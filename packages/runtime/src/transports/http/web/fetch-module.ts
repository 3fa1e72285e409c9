/**
 * A server as a module that a platform loads and calls for requests: Cloudflare Workers, Deno, Bun.
 * @module
 */
import { type Application, createServer } from "../../../server.js";
import { createHttpHandler, type HttpHandler } from "./web-handler.js";

/** The default export of a module on these platforms. */
export interface FetchModule {
  /**
   * @param platform the other arguments of the platform: the bindings (Cloudflare), the connection (Deno), the server
   *   (Bun)
   */
  fetch: (request: Request, platform?: unknown) => Promise<Response>;
}

const NO_KEYS =
  "TENON_STATE_KEYS is not set. A client's answer may reach any instance, and only instances with the same keys " +
  "can continue the call. Set it to a long random string, as a secret.";

/**
 * Creates the module of an application. The server is created when the first request arrives, since platforms forbid
 * timers and randomness before that.
 *
 * Legacy clients are served without sessions unless `http.sessions` is configured, since instances are replaced at any
 * time, and do not share sessions.
 *
 * @example
 * export default createFetchModule(application);
 */
export function createFetchModule(application: Application): FetchModule {
  let handle: HttpHandler<[unknown]> | undefined;
  return {
    fetch: (request, platform) => {
      handle ??= createHandler(application, platform);
      return handle(request, platform);
    },
  };
}

function createHandler(application: Application, platform: unknown): HttpHandler<[unknown]> {
  const { config = {}, manifest } = application;
  const stateKeys = findString(platform, "TENON_STATE_KEYS") ?? process.env.TENON_STATE_KEYS;
  const http = { ...config.http, sessions: config.http?.sessions ?? false };
  const { navigator } = globalThis as { navigator?: { userAgent?: string } };
  const isCloudflare = navigator?.userAgent === "Cloudflare-Workers";
  const server = createServer(
    { ...application, config: { ...config, http } },
    { ...(stateKeys !== undefined && { stateKeys }), changeIntervalMs: isCloudflare ? 0 : undefined },
  );
  if (stateKeys === undefined && isCloudflare && manifest.forms !== undefined)
    server.log({ level: "warn", event: "warning", msg: NO_KEYS });
  return createHttpHandler(server, {
    // Cloudflare forwards requests only for configured host names.
    anyHost: isCloudflare,
    // Cloudflare's edge adds the client's address in its own header.
    ...(isCloudflare && { trustedProxies: [] }),
    requestTimers: true,
    address: isCloudflare ? ({ headers }) => headers.get("cf-connecting-ip") ?? undefined : findAddress,
  });
}

/** Returns the address of a client as Deno or Bun reports it. */
function findAddress(request: Request, platform: unknown): string | undefined {
  const { remoteAddr, requestIP } = Object(platform) as {
    remoteAddr?: { hostname?: string };
    requestIP?(request: Request): { address: string } | null;
  };
  return remoteAddr?.hostname ?? requestIP?.call(platform, request)?.address;
}

function findString(values: unknown, name: string): string | undefined {
  const value = (Object(values) as Record<string, unknown>)[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}
