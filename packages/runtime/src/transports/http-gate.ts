/**
 * What every request passes before its transport looks at it: who may call at all, and on whose behalf.
 * @module
 */
import { createIncident, neutralSentence } from "../incidents.js";
import type { Server } from "../server.js";
import type { Headers, HttpIncoming, HttpOutgoing } from "./http-exchange.js";
import { createGuard, type GuardOptions } from "./http-guard.js";
import { corsHeaders, preflight, refuse } from "./http-refusal.js";

/** A request that may be served, with all that is known of it before its body. */
export interface Arrival {
  readonly incoming: HttpIncoming;
  readonly outgoing: HttpOutgoing;
  /** Headers that every answer carries. */
  readonly headers: Headers;
  readonly principal: string | undefined;
}

/** Takes a request in. */
export type Gate = (incoming: HttpIncoming, outgoing: HttpOutgoing) => void;

/** Hands on the requests that may be served, and answers the others. */
export function createGate(server: Server, options: GuardOptions, serve: (arrival: Arrival) => void): Gate {
  const { principal: principalOf, allowedHosts = [], allowedOrigins = [] } = server.http;
  const guard = createGuard({
    ...options,
    allowedHosts: [...allowedHosts, ...(options.allowedHosts ?? [])],
    allowedOrigins: [...allowedOrigins, ...(options.allowedOrigins ?? [])],
  });

  return (incoming, outgoing) => {
    const origin = incoming.header("origin");
    const refusal = guard.refuses(incoming.header("host"), origin);
    if (refusal !== undefined) return refuse(outgoing, 403, refusal);
    const headers = corsHeaders(origin);
    if (incoming.method === "OPTIONS" && origin !== undefined) return preflight(incoming, outgoing, headers);
    if (principalOf === undefined) return serve({ incoming, outgoing, headers, principal: undefined });
    const { method, header } = incoming;
    Promise.resolve({ method, header })
      .then(principalOf)
      .then(
        (principal) => serve({ incoming, outgoing, headers, principal }),
        (error: unknown) => {
          const incident = createIncident("http.principal", error);
          server.onIncident(incident);
          refuse(outgoing, 500, neutralSentence(incident), headers);
        },
      );
  };
}
