/**
 * HTTP+SSE for runtimes with web-standard requests and responses.
 * @module
 */
import { checkOptions } from "../../../data/options/check-options.js";
import { createServingRule } from "../../../data/options/serving-rules.js";
import type { Server } from "../../../server.js";
import { createWebHandler, type HttpHandler, type HttpHandlerOptions } from "../web/web-handler.js";
import { SseEndpoint } from "./endpoint.js";

/**
 * Creates a function from request to response for HTTP+SSE, at `/sse` and `/messages`. Serve it next to
 * `createHttpHandler` for as long as old clients need it.
 *
 * @example
 * const [streamable, sse] = [createHttpHandler(server), createSseHandler(server)];
 * const fetch = (request: Request, ...platform: unknown[]) =>
 *   (new URL(request.url).pathname === "/mcp" ? streamable : sse)(request, ...platform);
 */
export function createSseHandler<Platform extends unknown[] = unknown[]>(
  server: Server,
  options: HttpHandlerOptions<Platform> = {},
): HttpHandler<Platform> {
  checkOptions(options, createServingRule("address"));
  return createWebHandler(
    new SseEndpoint(server, options),
    server.limits.maxStreamBufferBytes,
    options.address,
  );
}
