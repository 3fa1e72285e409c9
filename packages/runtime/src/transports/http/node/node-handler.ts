/**
 * Streamable HTTP as a listener of `node:http`: for a server of one's own, and for every framework that hands on its
 * requests and responses.
 * @module
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Server } from "../../../server.js";
import type { Endpoint } from "../exchange/exchange.js";
import { type FrameworkRequest, NodeExchange } from "./node-exchange.js";
import { createPaths, type PathOptions, type Paths } from "../paths.js";
import { refuse } from "../exchange/refusal.js";
import { SseEndpoint, SSE_PATHS } from "../sse/endpoint.js";

export interface NodeHandlerOptions extends PathOptions {
  /** Also serve HTTP+SSE, the transport of 2024-11-05, at `/sse` and `/messages`. Default: as configured. */
  sse?: boolean | undefined;
}

/**
 * Answers a request of `node:http`.
 *
 * @param next takes the requests to paths that are not the server's; without it they are answered with 404
 */
export type NodeListener = (request: IncomingMessage, response: ServerResponse, next?: () => void) => void;

export type NodeHandler = NodeListener & {
  /** Waits for calls in progress, then ends every session. */
  close(): Promise<void>;
};

/**
 * Streamable HTTP as a listener of `node:http`, which is a middleware of Express and its relatives as well. It compares
 * whole paths, wherever it is mounted, and leaves a request to any other path to `next`.
 *
 * @throws TypeError when the server's `http` is configured in a way that cannot be served
 * @example
 * app.use(createNodeHandler(server, { allowedHosts: ["mcp.example.com"] }));
 */
export function createNodeHandler(server: Server, options: NodeHandlerOptions = {}): NodeHandler {
  const paths = createNodePaths(server, options);
  return Object.assign(nodeListener(paths, server.limits.streamBytes), { close: () => paths.close() });
}

/** What a server answers on `node:http`. @param health it does so unless that is turned off */
export function createNodePaths(server: Server, options: NodeHandlerOptions, health = false): Paths {
  const { sse = server.http.sse === true } = options;
  const others = new Map<string, Endpoint>();
  if (sse) {
    const old = new SseEndpoint(server, options);
    for (const each of Object.values(SSE_PATHS)) others.set(each, old);
  }
  return createPaths(server, options, { others, health });
}

export function nodeListener(paths: Paths, streamBytes: number): NodeListener {
  return (request: FrameworkRequest, response, next) => {
    const exchange = new NodeExchange(request, response, streamBytes);
    if (next !== undefined && paths.find(exchange.target) === undefined) return next();
    const problem = framingProblem(request);
    if (problem === undefined) return paths.handle(exchange);
    exchange.headers.connection = "close";
    refuse(exchange, 400, problem);
  };
}

/** Headers that a request may have once, by their lower-case names. */
const LONE_HEADERS = new Map(
  ["Host", "Content-Type", "Authorization"].map((name) => [name.toLowerCase(), name]),
);

/** Most headers are told from them by their length alone. */
const LONE_HEADER_LENGTHS = new Set([...LONE_HEADERS.keys()].map(({ length }) => length));

/** The host of a whole URL as the target of a request, as clients send it to proxies. */
const HOST_OF_TARGET = /^https?:\/\/([^/?#]*)/i;

/** Names and values, counted one by one: from here on Node may have left some out. */
const MOST_HEADERS = 2000;

/**
 * What a proxy before the server may have understood in another way. Of some headers Node keeps the first and forgets the
 * rest; and a URL as the target counts more than `Host` does (RFC 9112, section 3.2.2), which is what is checked.
 */
function framingProblem(request: IncomingMessage): string | undefined {
  const { rawHeaders, headers, url = "" } = request;
  const [, host] = url.startsWith("/") ? [] : (HOST_OF_TARGET.exec(url) ?? []);
  if (host !== undefined && host.toLowerCase() !== headers.host?.toLowerCase()) {
    return "The Host header is not the host of the URL.";
  }
  if (rawHeaders.length >= MOST_HEADERS) return "The request has too many headers.";
  return repeatedHeader(rawHeaders);
}

function repeatedHeader(rawHeaders: readonly string[]): string | undefined {
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
