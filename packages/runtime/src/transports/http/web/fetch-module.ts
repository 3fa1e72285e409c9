/**
 * A server as a module that a platform loads and hands requests to: Cloudflare Workers, Deno, Bun.
 * @module
 */
import { type Application, createServer } from "../../../server.js";
import { createHttpHandler, type HttpHandler } from "./web-handler.js";

/** What `export default` is on these platforms. */
export interface FetchModule {
  /**
   * @param platform what the platform gives besides: the bindings (Cloudflare), the connection (Deno), the server (Bun)
   */
  fetch: (request: Request, platform?: unknown) => Promise<Response>;
}

const NO_KEYS =
  "TENON_STATE_KEYS is not set. A client that was asked something sends its answer to any instance, and only those that " +
  "share the keys can go on. Set it to a long random text, as a secret.";

/**
 * Makes the module of an application. The server itself is made when the first request comes, since platforms forbid
 * timers and randomness before.
 *
 * Legacy clients are served without sessions unless `http.sessions` of the configuration says otherwise: instances come
 * and go, and none knows what another has agreed.
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
  const stateKeys = textIn(platform, "TENON_STATE_KEYS") ?? process.env.TENON_STATE_KEYS;
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
    // Cloudflare routes no names but those that the author has given it.
    anyHost: isCloudflare,
    // What comes from its edge names the client in a header of its own.
    ...(isCloudflare && { trustedProxies: [] }),
    requestTimers: true,
    address: isCloudflare ? ({ headers }) => headers.get("cf-connecting-ip") ?? undefined : addressOf,
  });
}

/** The address of a client, as Deno and Bun tell it. */
function addressOf(request: Request, platform: unknown): string | undefined {
  const { remoteAddr, requestIP } = Object(platform) as {
    remoteAddr?: { hostname?: string };
    requestIP?(request: Request): { address: string } | null;
  };
  return remoteAddr?.hostname ?? requestIP?.call(platform, request)?.address;
}

function textIn(values: unknown, name: string): string | undefined {
  const value = (Object(values) as Record<string, unknown>)[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}
