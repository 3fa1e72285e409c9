import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { isLoopback } from "../../data/options/host-and-origin-values.js";
import { createHostAndOriginCheck } from "../../transports/http/host-and-origin.js";
import { getRequestPath } from "../../transports/http/exchange/request-path.js";
import { ListenError } from "../../transports/listen-error.js";

const PATH = "/metrics";

/** The options that set the address, for error messages. */
const SETTINGS = { port: "metrics({ port })", host: "metrics({ host })" };

export interface ScrapeListenerOptions {
  readonly host: string;
  readonly port: number;
  /** Returns the text of a response. */
  text(): string;
}

export interface ScrapeListener {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves metrics to Prometheus.
 *
 * @throws ListenError if the address cannot be used
 */
export async function listenForScrapes({ host, port, text }: ScrapeListenerOptions): Promise<ScrapeListener> {
  // Web pages in a browser on this machine must not read the metrics, regardless of their host name.
  const findProblem = isLoopback(host)
    ? createHostAndOriginCheck({ http: {}, auth: undefined }, { addressesAsHost: true })
    : undefined;
  const http = createServer((request, response) => {
    const { method, url = "", headers } = request;
    const problem = findProblem?.(headers.host, headers.origin);
    const status =
      problem !== undefined ? 403 : getRequestPath(url) !== PATH ? 404 : isRead(method) ? 200 : 405;
    const body = status === 200 ? text() : `${problem ?? `GET ${PATH}`}\n`;
    const type = `text/plain;${status === 200 ? " version=0.0.4;" : ""} charset=utf-8`;
    response.writeHead(status, { "content-type": type, ...(status === 405 && { allow: "GET, HEAD" }) });
    response.end(body);
  });
  await new Promise<void>((resolve, reject) => {
    http.once("error", (error) => reject(new ListenError(error, host, port, SETTINGS)));
    // Each worker serves its own metrics.
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
