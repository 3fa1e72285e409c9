/**
 * Streamable HTTP on `node:http`, without a detour through web-standard requests and responses.
 * @module
 */
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Server } from "../server.js";
import * as ErrorCode from "../error-codes.js";
import { errorText } from "../jsonrpc.js";
import type { Endpoint } from "./http.js";
import { HttpEndpoint } from "./http-endpoint.js";
import type { EventStream, Headers, HttpIncoming, HttpOutgoing } from "./http-exchange.js";
import { type GuardOptions, isLoopback } from "./http-guard.js";
import { SSE_PATHS, SseEndpoint } from "./http-sse.js";
import { toListenError } from "./listen-error.js";

export { ListenError } from "./listen-error.js";

export interface ListenOptions {
  /** Default `127.0.0.1`. */
  host?: string;
  /** 0 picks a free port. Default 3000. */
  port?: number;
  /** Where clients connect. Default `/mcp`. */
  path?: string;
  allowedHosts?: readonly string[];
  allowedOrigins?: readonly string[];
  /** Also serve HTTP+SSE, the transport of 2024-11-05, at `/sse` and `/messages`. Default: as configured. */
  sse?: boolean;
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
  const { host = "127.0.0.1", port = 3000, path = "/mcp" } = options;
  const guard = { ...guardOptions(options), addressesAsHost: !isLoopback(host) };
  const endpoint = new HttpEndpoint(server, guard);
  const paths = new Map<string, Endpoint>([[path, endpoint]]);
  if (options.sse ?? server.http.sse ?? false) {
    const sse = new SseEndpoint(server, guard);
    for (const each of Object.values(SSE_PATHS)) paths.set(each, sse);
  }
  const handle = createNodeHandler(paths, server.limits.streamBytes);
  const http = createHttpServer({ keepAliveTimeout: 65_000 }, handle);
  await new Promise<void>((resolve, reject) => {
    http.once("error", (error: NodeJS.ErrnoException) => reject(toListenError(error, host, port)));
    http.listen(port, host, resolve);
  });
  const bound = (http.address() as AddressInfo).port;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${bound}${path}`,
    port: bound,
    endpoint,
    close: async () => {
      const closed = new Promise<void>((resolve) => {
        http.close(() => resolve());
      });
      http.closeIdleConnections();
      await Promise.all([...new Set(paths.values())].map((each) => each.close()));
      http.closeIdleConnections();
      // Answers just given are on their way; whoever still holds a connection after that is cut off.
      const deadline = setTimeout(() => http.closeAllConnections(), 250);
      await closed;
      clearTimeout(deadline);
    },
  };
}

function guardOptions({ allowedHosts, allowedOrigins }: ListenOptions): GuardOptions {
  return {
    ...(allowedHosts === undefined ? {} : { allowedHosts }),
    ...(allowedOrigins === undefined ? {} : { allowedOrigins }),
  };
}

/**
 * A listener for `node:http` (or any framework that hands on its requests and responses).
 *
 * @param endpoints What answers at each path; a single endpoint answers everywhere.
 */
export function createNodeHandler(
  endpoints: Endpoint | ReadonlyMap<string, Endpoint>,
  streamBytes: number,
): (request: IncomingMessage, response: ServerResponse) => void {
  const find = (path: string): Endpoint | undefined =>
    "handle" in endpoints ? endpoints : endpoints.get(path);
  const paths = "handle" in endpoints ? "" : [...endpoints.keys()].join(", ");

  return (request, response) => {
    const outgoing = new NodeOutgoing(response, streamBytes);
    const problem = framingProblem(request);
    if (problem !== undefined) return fail(outgoing, 400, problem);
    const endpoint = find(pathOf(request.url ?? ""));
    if (endpoint === undefined) {
      return fail(outgoing, 404, `There is nothing here; MCP is served at ${paths}.`);
    }
    endpoint.handle(new NodeIncoming(request), outgoing);
  };
}

function fail(outgoing: HttpOutgoing, status: number, problem: string): void {
  const text = errorText(undefined, ErrorCode.InvalidRequest, problem);
  outgoing.respond(status, { "content-type": "application/json", connection: "close" }, text);
}

/** Headers of which Node keeps the first and forgets the rest, where a proxy before it may have kept another. */
function framingProblem(request: IncomingMessage): string | undefined {
  const { rawHeaders } = request;
  let hosts = 0;
  let types = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? "";
    if (name.length === 4 && name.toLowerCase() === "host") hosts++;
    else if (name.length === 12 && name.toLowerCase() === "content-type") types++;
  }
  if (hosts > 1) return "The request has several Host headers.";
  return types > 1 ? "The request has several Content-Type headers." : undefined;
}

function pathOf(target: string): string {
  let path = target;
  if (!target.startsWith("/")) {
    if (!URL.canParse(target)) return "";
    path = new URL(target).pathname;
  }
  const query = path.indexOf("?");
  return query < 0 ? path : path.slice(0, query);
}

class NodeIncoming implements HttpIncoming {
  readonly #request: IncomingMessage;

  constructor(request: IncomingMessage) {
    this.#request = request;
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

  read(limit: number, done: (body: Uint8Array | "too-large" | "aborted") => void): void {
    const request = this.#request;
    const chunks: Buffer[] = [];
    let size = 0;
    let settled = false;
    const settle = (body: Uint8Array | "too-large" | "aborted"): void => {
      if (settled) return;
      settled = true;
      chunks.length = 0;
      done(body);
    };
    if (Number(request.headers["content-length"] ?? 0) > limit) {
      request.resume();
      settle("too-large");
      return;
    }
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      // The rest is read and dropped, so that the client gets to see the refusal.
      if (size > limit) settle("too-large");
      else chunks.push(chunk);
    });
    request.on("end", () => {
      const [first] = chunks;
      settle(chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks));
    });
    request.on("error", () => settle("aborted"));
    request.on("close", () => settle("aborted"));
  }
}

class NodeOutgoing implements HttpOutgoing {
  readonly #response: ServerResponse;
  readonly #streamBytes: number;

  constructor(response: ServerResponse, streamBytes: number) {
    this.#response = response;
    this.#streamBytes = streamBytes;
  }

  respond(status: number, headers: Headers, body?: string): void {
    const response = this.#response;
    if (response.headersSent || response.destroyed) return;
    if (body === undefined) {
      response.writeHead(status, headers).end();
      return;
    }
    headers["content-length"] = String(Buffer.byteLength(body));
    response.writeHead(status, headers).end(body);
  }

  stream(headers: Headers): EventStream {
    const response = this.#response;
    const streamBytes = this.#streamBytes;
    if (!response.headersSent && !response.destroyed) {
      response.writeHead(200, headers);
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
