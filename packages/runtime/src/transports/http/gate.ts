/**
 * What every request passes before its transport looks at it: who may call at all, and on whose behalf.
 * @module
 */
import { createIncident, neutralSentence } from "../../connection/internal-errors.js";
import type { Server } from "../../server.js";
import type { HttpExchange } from "./exchange.js";
import { createGuard, type GuardOptions } from "./guard.js";
import { refuse } from "./refusal.js";

/** Takes a request in. */
export type Gate = (exchange: HttpExchange) => void;

/** What answers requests, whatever carries them. */
export interface Endpoint {
  readonly handle: Gate;
  close(): Promise<void>;
}

/** Hands on the requests that may be served, and answers the others. */
export function createGate(server: Server, options: GuardOptions, serve: Gate): Gate {
  const { principal: principalOf } = server.http;
  const refusal = createGuard(server.http, options);

  return (exchange) => {
    const { method, header, headers } = exchange;
    const origin = header("origin");
    const problem = refusal(header("host"), origin);
    if (problem !== undefined) return refuse(exchange, 403, problem);
    if (origin !== undefined) {
      // Lets a page of an accepted origin read the answer.
      headers["access-control-allow-origin"] = origin;
      headers["access-control-expose-headers"] = "mcp-session-id, www-authenticate";
      headers.vary = "origin";
      if (method === "OPTIONS") return allowRequest(exchange);
    }
    if (principalOf === undefined) return serve(exchange);
    Promise.resolve({ method, header })
      .then(principalOf)
      .then(
        (principal) => {
          exchange.principal = principal;
          serve(exchange);
        },
        (error: unknown) => {
          const incident = createIncident("http.principal", error);
          server.onIncident(incident);
          refuse(exchange, 500, neutralSentence(incident));
        },
      );
  };
}

/** Lets a page of an accepted origin send the request that it asks about. */
function allowRequest(exchange: HttpExchange): void {
  const { header, headers } = exchange;
  const wanted = header("access-control-request-headers");
  headers["access-control-allow-methods"] = "GET, POST, DELETE";
  headers["access-control-max-age"] = "86400";
  if (wanted !== undefined) headers["access-control-allow-headers"] = wanted;
  exchange.respond(204);
}
