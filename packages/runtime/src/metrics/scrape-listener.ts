import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createHostAndOriginCheck, isLoopback } from "../transports/http/host-and-origin.js";
import { requestPath } from "../transports/http/exchange/request-path.js";
import { ListenError } from "../transports/listen-error.js";

const PATH = "/metrics";

/** What chooses another address. */
const SETTINGS = { port: "metrics({ port })", host: "metrics({ host })" };

export interface ScrapeListenerOptions {
  readonly host: string;
  readonly port: number;
  /** The answer. */
  text(): string;
}

export interface ScrapeListener {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves a text to Prometheus.
 *
 * @throws ListenError when the address cannot be used
 */
export async function listenForScrapes({ host, port, text }: ScrapeListenerOptions): Promise<ScrapeListener> {
  // Pages that a browser on this machine shows are to read nothing here, whatever name they have for it.
  const problemOf = isLoopback(host)
    ? createHostAndOriginCheck({ http: {}, auth: undefined }, { addressesAsHost: true })
    : undefined;
  const http = createServer((request, response) => {
    const { method, url = "", headers } = request;
    const problem = problemOf?.(headers.host, headers.origin);
    const status = problem !== undefined ? 403 : requestPath(url) !== PATH ? 404 : isRead(method) ? 200 : 405;
    const body = status === 200 ? text() : `${problem ?? `GET ${PATH}`}\n`;
    const type = `text/plain;${status === 200 ? " version=0.0.4;" : ""} charset=utf-8`;
    response.writeHead(status, { "content-type": type, ...(status === 405 && { allow: "GET, HEAD" }) });
    response.end(body);
  });
  await new Promise<void>((resolve, reject) => {
    http.once("error", (error) => reject(new ListenError(error, host, port, SETTINGS)));
    // Each worker has counts of its own.
    http.listen({ port, host, exclusive: true }, resolve);
  });
  const bound = (http.address() as AddressInfo).port;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${bound}${PATH}`,
    close: async () => {
      const closed = new Promise((resolve) => {
        http.close(resolve);
      });
      http.closeAllConnections();
      await closed;
    },
  };
}

function isRead(method: string | undefined): boolean {
  return method === "GET" || method === "HEAD";
}
