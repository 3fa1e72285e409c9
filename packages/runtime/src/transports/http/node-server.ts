/**
 * Streamable HTTP on `node:http`, without a detour through web-standard requests and responses.
 * @module
 */
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { withTimeout } from "../with-timeout.js";
import type { Server } from "../../server.js";
import { HttpEndpoint } from "./endpoint.js";
import { type Endpoint, type EventStream, HttpExchange } from "./exchange.js";
import { isLoopback } from "./host-and-origin.js";
import { refuse } from "./refusal.js";
import { requestPath } from "./request-path.js";
import { ListenError } from "../listen-error.js";
import { SseEndpoint, SSE_PATHS } from "./sse/endpoint.js";

export { ListenError } from "../listen-error.js";

export interface ListenOptions {
  /** Default `127.0.0.1`. */
  host?: string | undefined;
  /** 0 picks a free port. Default 3000. */
  port?: number | undefined;
  /** Where clients connect. Default `/mcp`. */
  path?: string;
  allowedHosts?: readonly string[] | undefined;
  allowedOrigins?: readonly string[] | undefined;
  /** Proxies to trust besides those that are configured. */
  trustedProxies?: readonly string[] | undefined;
  /** Also serve HTTP+SSE, the transport of 2024-11-05, at `/sse` and `/messages`. Default: as configured. */
  sse?: boolean | undefined;
}

export interface Listener {
  /** Such as `http://127.0.0.1:3000/mcp`. */
  readonly url: string;
  readonly port: number;
  readonly endpoint: HttpEndpoint;
  /** Stops accepting, answers calls in progress, then closes every connection. */
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
  const { host = "127.0.0.1", port = 3000, path = "/mcp", sse = server.http.sse === true } = options;
  const guard = { ...options, addressesAsHost: !isLoopback(host) };
  const endpoint = new HttpEndpoint(server, guard);
  const endpoints = new Map<string, Endpoint>([[path, endpoint]]);
  for (const document of server.auth?.documents(server.scopes).keys() ?? [])
    endpoints.set(document, endpoint);
  if (sse) {
    const old = new SseEndpoint(server, guard);
    for (const each of Object.values(SSE_PATHS)) endpoints.set(each, old);
  }
  const handle = createNodeHandler(endpoints, server.limits.streamBytes);
  const http = createHttpServer({ keepAliveTimeout: 65_000 }, handle);
  await new Promise<void>((resolve, reject) => {
    http.once("error", (error) => reject(new ListenError(error, host, port)));
    http.listen(port, host, resolve);
  });
  const bound = (http.address() as AddressInfo).port;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${bound}${path}`,
    port: bound,
    endpoint,
    close: async () => {
      const closed = new Promise((resolve) => {
        http.close(resolve);
      });
      await Promise.all([...endpoints.values()].map((each) => each.close()));
      http.closeIdleConnections();
      // Answers just given are on their way; whoever still holds a connection after that is cut off.
      await withTimeout(250, closed);
      http.closeAllConnections();
      await closed;
    },
  };
}

/**
 * A listener for `node:http` (or any framework that hands on its requests and responses).
 *
 * @param endpoints What answers at each path.
 */
export function createNodeHandler(
  endpoints: ReadonlyMap<string, Endpoint>,
  streamBytes: number,
): (request: IncomingMessage, response: ServerResponse) => void {
  const find = (target = ""): Endpoint | undefined =>
    endpoints.get(target) ?? endpoints.get(requestPath(target));

  return (request, response) => {
    const exchange = new NodeExchange(request, response, streamBytes);
    const problem = framingProblem(request);
    const endpoint = find(request.url);
    if (problem === undefined && endpoint !== undefined) return endpoint.handle(exchange);
    exchange.headers.connection = "close";
    if (problem !== undefined) return refuse(exchange, 400, problem);
    const paths = [...endpoints.keys()].join(", ");
    refuse(exchange, 404, `There is nothing here; MCP is served at ${paths}.`);
  };
}

/** Headers that a request may have once, by their lower-case names. */
const LONE_HEADERS = new Map(
  ["Host", "Content-Type", "Authorization"].map((name) => [name.toLowerCase(), name]),
);

/** Most headers are told from them by their length alone. */
const LONE_HEADER_LENGTHS = new Set([...LONE_HEADERS.keys()].map(({ length }) => length));

/** Headers of which Node keeps the first and forgets the rest, where a proxy before it may have kept another. */
function framingProblem({ rawHeaders }: IncomingMessage): string | undefined {
  const seen = new Set<string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? "";
    if (!LONE_HEADER_LENGTHS.has(name.length)) continue;
    const lone = LONE_HEADERS.get(name.toLowerCase());
    if (lone === undefined) continue;
    if (seen.has(lone)) return `The request has several ${lone} headers.`;
    seen.add(lone);
  }
  return undefined;
}

class NodeExchange extends HttpExchange {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #streamBytes: number;
  /** Read at once, since a connection that is closed has none. */
  protected readonly peerAddress: string | undefined;

  constructor(request: IncomingMessage, response: ServerResponse, streamBytes: number) {
    super();
    this.#request = request;
    this.#response = response;
    this.peerAddress = request.socket.remoteAddress;
    this.#streamBytes = streamBytes;
  }

  get method(): string {
    return this.#request.method ?? "";
  }

  get target(): string {
    return this.#request.url ?? "";
  }

  readonly header = (name: string): string | undefined => {
    const value = this.#request.headers[name];
    return typeof value === "string" ? value : undefined;
  };

  read(limit: number, done: (body: Buffer | undefined) => void): void {
    const request = this.#request;
    const announced = Number(this.header("content-length"));
    const chunks: Buffer[] = [];
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      if (size > limit) return;
      size = announced > limit ? announced : size + chunk.length;
      if (size <= limit) {
        chunks.push(chunk);
        return;
      }
      // The rest is read and dropped, so that the client gets to see the refusal.
      chunks.length = 0;
      done(undefined);
    });
    request.on("end", () => {
      const [first] = chunks;
      if (size <= limit) done(chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks));
    });
  }

  respond(status: number, text?: string): void {
    const { headers } = this;
    const response = this.#response;
    if (response.headersSent || response.destroyed) return;
    if (text !== undefined) {
      headers["content-type"] ??= "application/json";
      headers["content-length"] = String(Buffer.byteLength(text));
    }
    response.writeHead(status, headers).end(text);
  }

  begin(): EventStream {
    const response = this.#response;
    const streamBytes = this.#streamBytes;
    if (!response.headersSent && !response.destroyed) {
      response.writeHead(200, this.headers);
      response.flushHeaders();
    }
    return {
      write: (text) => {
        if (response.destroyed || response.writableEnded) return false;
        response.write(text);
        if (response.writableLength <= streamBytes) return true;
        response.destroy();
        return false;
      },
      end: () => {
        response.end();
      },
    };
  }

  onDisconnect(listener: () => void): void {
    this.#response.on("close", () => {
      if (!this.#response.writableFinished) listener();
    });
  }
}
