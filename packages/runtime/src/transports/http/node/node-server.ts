/**
 * Streamable HTTP on `node:http`, without a detour through web-standard requests and responses.
 * @module
 */
import { createServer as createHttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { withTimeout } from "../../with-timeout.js";
import type { Server } from "../../../server.js";
import type { HttpEndpoint } from "../endpoint.js";
import { isLoopback } from "../host-and-origin.js";
import { ListenError } from "../../listen-error.js";
import { createNodePaths, type NodeHandlerOptions, nodeListener } from "./node-handler.js";

export { ListenError } from "../../listen-error.js";
export { createNodeHandler, type NodeHandler, type NodeHandlerOptions } from "./node-handler.js";

export interface ListenOptions extends Omit<NodeHandlerOptions, "addressesAsHost"> {
  /** Default `127.0.0.1`. */
  host?: string | undefined;
  /** 0 picks a free port. Default 3000. */
  port?: number | undefined;
}

export interface Listener {
  /** Such as `http://127.0.0.1:3000/mcp`. */
  readonly url: string;
  readonly port: number;
  readonly endpoint: HttpEndpoint;
  /** Is no longer ready; after `http.health.shutdownDelayMs` stops accepting, answers calls in progress, then closes every connection. */
  close(): Promise<void>;
}

/**
 * Serves a server over Streamable HTTP.
 *
 * @throws ListenError when the address cannot be used, such as a port that is taken.
 * @example
 * const listener = await listen(server, { port: 3000 });
 * console.error(listener.url);
 */
export async function listen(server: Server, options: ListenOptions = {}): Promise<Listener> {
  const { host = "127.0.0.1", port = 3000, path = "/mcp" } = options;
  const { shutdownDelayMs = 0 } = server.http.health || {};
  const paths = createNodePaths(server, { ...options, addressesAsHost: !isLoopback(host) }, true);
  // Whatever Node is started with, a request has one meaning, to the server and to proxies before it.
  const strict = { insecureHTTPParser: false, requireHostHeader: true };
  const http = createHttpServer(
    { keepAliveTimeout: 65_000, ...strict },
    nodeListener(paths, server.limits.streamBytes),
  );
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
      if (shutdownDelayMs > 0) await new Promise((resolve) => setTimeout(resolve, shutdownDelayMs));
      const answered = paths.close();
      // Clients ask how their tasks end, each time by a connection of its own. Nothing else is served to them.
      await Promise.race([answered, server.endingTasks?.known()]);
      const closed = new Promise((resolve) => {
        http.close(resolve);
      });
      await answered;
      http.closeIdleConnections();
      // Answers just given are on their way; whoever still holds a connection after that is cut off.
      await withTimeout(250, closed);
      http.closeAllConnections();
      await closed;
    },
  };
}
