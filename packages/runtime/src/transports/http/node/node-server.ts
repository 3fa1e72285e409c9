/**
 * Streamable HTTP on `node:http`, without converting to web-standard requests and responses.
 * @module
 */
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, isIP } from "node:net";
import { withTimeout } from "../../with-timeout.js";
import type { Server } from "../../../server.js";
import type { HttpEndpoint } from "../endpoint.js";
import { isLoopback } from "../../../data/options/host-and-origin-values.js";
import { ListenError } from "../../listen-error.js";
import { checkOptions } from "../../../data/options/check-options.js";
import { createServingRule } from "../../../data/options/serving-rules.js";
import { createNodePaths, type NodeHandlerOptions, createNodeListener } from "./node-handler.js";

export { ListenError } from "../../listen-error.js";

export interface ListenOptions extends Omit<NodeHandlerOptions, "addressesAsHost"> {
  /** Default: `127.0.0.1`. */
  host?: string | undefined;
  /** 0 picks a free port. Default: 3000. */
  port?: number | undefined;
}

export interface Listener {
  /** The URL that clients connect to, such as `http://127.0.0.1:3000/mcp`. */
  readonly url: string;
  readonly port: number;
  readonly endpoint: HttpEndpoint;
  /**
   * Reports that the server is not ready. After `http.health.shutdownDelayMs` it stops accepting connections, waits for
   * calls in progress, then closes every connection.
   */
  close(): Promise<void>;
}

/** Interval at which connections that have become idle during a shutdown are closed. Clients reconnect after 100 ms. */
const IDLE_SWEEP_INTERVAL_MS = 25;

/**
 * Serves a server over Streamable HTTP.
 *
 * @throws ListenError if the address cannot be used, for example because the port is in use
 * @example
 * const listener = await listen(server, { port: 3000 });
 * console.error(listener.url);
 */
export async function listen(server: Server, options: ListenOptions = {}): Promise<Listener> {
  checkOptions(options, createServingRule("sse", "host", "port"));
  const { host = "127.0.0.1", port = 3000, path = "/mcp" } = options;
  const { shutdownDelayMs = 0 } = server.http.health || {};
  const access = {
    // A name to listen on is a name that clients use.
    allowedHosts: [...(options.allowedHosts ?? []), ...(isIP(host) === 0 ? [host] : [])],
    addressesAsHost: !isLoopback(host),
  };
  const paths = createNodePaths(server, { ...options, ...access }, true);
  // Regardless of the options of Node, proxies and the server must interpret a request in the same way.
  const settings = { keepAliveTimeout: 65_000, insecureHTTPParser: false };
  const http = createHttpServer(settings, createNodeListener(paths, server));
  await new Promise<void>((resolve, reject) => {
    http.once("error", (error) => reject(new ListenError(error, host, port)));
    http.listen(port, host, resolve);
  });
  const bound = (http.address() as AddressInfo).port;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${bound}${path}`,
    port: bound,
    endpoint: paths.endpoint,
    close: async () => {
      paths.beginShutdown();
      // The global timer, since fake timers do not replace that of node:timers/promises.
      if (shutdownDelayMs > 0) await new Promise((resolve) => setTimeout(resolve, shutdownDelayMs));
      const closedPaths = paths.close();
      // Clients poll their tasks, each time over a new connection. Nothing else is served.
      await Promise.race([closedPaths, server.drainableTasks?.whenReported()]);
      const closed = new Promise((resolve) => {
        http.close(resolve);
      });
      // A client would send its next request, which only another process serves, over the connection of a finished stream.
      const sweep = setInterval(() => http.closeIdleConnections(), IDLE_SWEEP_INTERVAL_MS).unref();
      await closedPaths;
      // Responses are still being sent. Connections that stay open after that are cut off.
      await withTimeout(250, closed);
      clearInterval(sweep);
      http.closeAllConnections();
      await closed;
    },
  };
}
