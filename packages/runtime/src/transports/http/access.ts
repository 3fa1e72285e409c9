/**
 * Access control, before anything else looks at a request: who may call at all, and on whose behalf.
 * @module
 */
import { createReport, publicMessage } from "../../connection/internal-errors.js";
import { toPrincipal } from "../../connection/principal.js";
import type { Server } from "../../server.js";
import type { ExchangeHandler, HttpExchange } from "./exchange.js";
import { type AccessOptions, createHostAndOriginCheck } from "./host-and-origin.js";
import { refuse } from "./refusal.js";

/** Hands on the requests that may be served, and answers the others. */
export function withAccessControl(
  server: Server,
  options: AccessOptions,
  serve: ExchangeHandler,
): ExchangeHandler {
  const { principal: principalOf } = server.http;
  const problemOf = createHostAndOriginCheck(server.http, options);

  return (exchange) => {
    const { method, header, headers } = exchange;
    const origin = header("origin");
    const problem = problemOf(header("host"), origin);
    if (problem !== undefined) return refuse(exchange, 403, problem);
    if (origin !== undefined) {
      // Lets a page of an accepted origin read the answer.
      headers["access-control-allow-origin"] = origin;
      headers["access-control-expose-headers"] = "mcp-session-id, www-authenticate";
      headers.vary = "origin";
      if (method === "OPTIONS") return answerPreflight(exchange);
    }
    if (principalOf === undefined) return serve(exchange);
    Promise.resolve({ method, header })
      .then(principalOf)
      .then((named) => (named === undefined ? undefined : toPrincipal(named)))
      .then(
        (principal) => {
          exchange.principal = principal;
          serve(exchange);
        },
        (error: unknown) => {
          const report = createReport("http.principal", error);
          server.onInternalError(report);
          refuse(exchange, 500, publicMessage(report));
        },
      );
  };
}

/** Lets a page of an accepted origin send the request that its browser asks about first. */
function answerPreflight(exchange: HttpExchange): void {
  const { header, headers } = exchange;
  const wanted = header("access-control-request-headers");
  headers["access-control-allow-methods"] = "GET, POST, DELETE";
  headers["access-control-max-age"] = "86400";
  if (wanted !== undefined) headers["access-control-allow-headers"] = wanted;
  exchange.respond(204);
}
