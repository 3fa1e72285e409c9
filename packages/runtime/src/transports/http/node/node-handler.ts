/// <reference types="node" preserve="true" />
/**
 * Streamable HTTP as a listener of `node:http`, for custom servers and for every framework that forwards its requests
 * and responses.
 * @module
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";
import type { Server } from "../../../server.js";
import { checkOptions } from "../../../data/options/check-options.js";
import { createServingRule } from "../../../data/options/serving-rules.js";
import type { Endpoint } from "../exchange/exchange.js";
import { type FrameworkRequest, NodeExchange } from "./node-exchange.js";
import { createPaths, type PathOptions, type Paths } from "../paths.js";
import { rejectAndReport } from "../exchange/rejection.js";
import { SseEndpoint, SSE_PATHS } from "../sse/endpoint.js";

export interface NodeHandlerOptions extends PathOptions {
  /** Whether to serve HTTP+SSE, the transport of 2024-11-05, at `/sse` and `/messages` too. Default: as configured. */
  sse?: boolean | undefined;
}

/**
 * Serves a request of `node:http` or `node:http2`.
 *
 * @param next receives requests to paths that the server does not serve. Without it, they receive 404
 */
export type NodeListener = (
  request: IncomingMessage | Http2ServerRequest,
  response: ServerResponse | Http2ServerResponse,
  next?: () => void,
) => void;

export type NodeHandler = NodeListener & {
  /** Waits for calls in progress, then ends every session. */
  close(): Promise<void>;
};

/**
 * Creates a listener of `node:http` for Streamable HTTP, which is also a middleware of Express and similar frameworks.
 * It compares whole paths, wherever it is mounted, and forwards requests to other paths to `next`.
 *
 * @throws TypeError for an invalid option, or if the server's `http` configuration cannot be served
 * @example
 * app.use(createNodeHandler(server, { allowedHosts: ["mcp.example.com"] }));
 */
export function createNodeHandler(server: Server, options: NodeHandlerOptions = {}): NodeHandler {
  checkOptions(options, createServingRule("sse"));
  const paths = createNodePaths(server, options);
  const listener = createNodeListener(paths, server);
  let hasSeenPrefix = false;
  const handle: NodeListener = (request, response, next) => {
    const { originalUrl = "", url = "" } = request as FrameworkRequest;
    if (!hasSeenPrefix && originalUrl.length > url.length && originalUrl.endsWith(url)) {
      hasSeenPrefix = true;
      const msg = describeUnreachable(originalUrl.slice(0, -url.length), paths, options.path);
      if (msg !== undefined) server.log({ level: "warn", event: "warning", msg });
    }
    listener(request, response, next);
  };
  return Object.assign(handle, { close: () => paths.close() });
}

/** Describes the paths that are not below the prefix of a framework, which forwards only requests below it. */
function describeUnreachable(prefix: string, { served }: Paths, path = "/mcp"): string | undefined {
  const unreachable = served.filter((each) => !each.startsWith(`${prefix}/`));
  if (unreachable.length === 0) return undefined;
  const complete = JSON.stringify(unreachable.includes(path) ? prefix + path : path);
  return (
    `The server is mounted at "${prefix}", so it does not receive requests to ${unreachable.join(", ")}. ` +
    `Mount it without a prefix, and set the complete path: app.use(createNodeHandler(server, { path: ${complete} })).`
  );
}

/**
 * Creates the paths that a server serves on `node:http`.
 *
 * @param health whether health checks are on by default
 */
export function createNodePaths(server: Server, options: NodeHandlerOptions, health = false): Paths {
  const { sse = server.http.sse === true } = options;
  const others = new Map<string, Endpoint>();
  if (sse) {
    const endpoint = new SseEndpoint(server, options);
    for (const each of Object.values(SSE_PATHS)) others.set(each, endpoint);
  }
  return createPaths(server, options, { others, health });
}

/** Creates the listener for the `request` event of an HTTP server, which is also a middleware for frameworks. */
export function createNodeListener(paths: Paths, { limits, rejections }: Server): NodeListener {
  return (anyRequest, anyResponse, next) => {
    // The requests and responses of HTTP/2 have the same interface, as far as it is used here.
    const request = anyRequest as FrameworkRequest;
    const exchange = new NodeExchange(request, anyResponse as ServerResponse, limits.maxStreamBufferBytes);
    if (next !== undefined && paths.find(exchange.target) === undefined) return next();
    const problem = findFramingProblem(request);
    if (problem === undefined) return paths.handle(exchange);
    exchange.headers.connection = "close";
    exchange.rejections = rejections;
    rejectAndReport(exchange, 400, problem);
  };
}

/** Headers that a request may contain at most once, by their lower-case names. */
const SINGLE_HEADERS = new Map(
  ["Host", "Content-Type", "Authorization"].map((name) => [name.toLowerCase(), name]),
);

/** The lengths of their names, which rule out most headers quickly. */
const SINGLE_HEADER_LENGTHS = new Set([...SINGLE_HEADERS.keys()].map(({ length }) => length));

/** The host in a request target that is a whole URL, as clients send it to proxies. */
const HOST_OF_TARGET = /^https?:\/\/([^/?#]*)/i;

/** Maximum number of names and values of headers. At this number, Node may have dropped some. */
const MAX_HEADERS = 2000;

/**
 * Returns the reason to reject a request that a proxy before the server may have interpreted differently, if there is
 * one. Node keeps only the first of some repeated headers. A URL as the target overrides `Host` (RFC 9112, section
 * 3.2.2), which is the header that is checked.
 */
function findFramingProblem(request: IncomingMessage): string | undefined {
  const { rawHeaders, headers, url = "" } = request;
  const [, targetHost] = url.startsWith("/") ? [] : (HOST_OF_TARGET.exec(url) ?? []);
  const authority = headers.host === undefined ? undefined : headers[":authority"];
  const host = targetHost ?? authority?.toString();
  if (host !== undefined && host.toLowerCase() !== headers.host?.toLowerCase()) {
    return "The Host header differs from the host of the URL.";
  }
  if (rawHeaders.length >= MAX_HEADERS) return "The request has too many headers.";
  return findRepeatedHeader(rawHeaders);
}

function findRepeatedHeader(rawHeaders: readonly string[]): string | undefined {
  const seen: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? "";
    if (!SINGLE_HEADER_LENGTHS.has(name.length)) continue;
    const single = SINGLE_HEADERS.get(name.toLowerCase());
    if (single === undefined) continue;
    if (seen.includes(single)) return `The request has several ${single} headers.`;
    seen.push(single);
  }
  return undefined;
}
