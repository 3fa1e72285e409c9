/**
 * Access control, before anything else looks at a request: who may call at all, and on whose behalf.
 * @module
 */
import type { Principal } from "../../api/caller.js";
import { isProtocolError } from "../../api/errors.js";
import { isRefusal, type Refusal } from "../../auth/authenticator.js";
import { createReport, publicMessage } from "../../connection/internal-errors.js";
import { toPrincipal } from "../../connection/principal.js";
import { limitedPerMinute } from "../../log/refusal-log.js";
import type { Server } from "../../server.js";
import type { ExchangeHandler, HttpExchange } from "./exchange/exchange.js";
import { type AccessOptions, createHostAndOriginCheck } from "./host-and-origin.js";
import { refuse, refuseAndReport, refuseFor } from "./exchange/refusal.js";
import { requestPath } from "./exchange/request-path.js";
import { createProxyReader } from "./exchange/trusted-proxies.js";

export interface AccessRules {
  /** Nobody is asked who they are. */
  readonly isOpen?: boolean;
  /** What pages of accepted origins may do. */
  readonly methods?: string;
  /** The path of a request that did not go to the URL at which clients connect. */
  readonly pathOf?: (exchange: HttpExchange) => string;
}

/** Hands on the requests that may be served, and answers the others. */
export function withAccessControl(
  server: Server,
  options: AccessOptions,
  serve: ExchangeHandler,
  { isOpen = false, methods = "GET, POST, DELETE", pathOf }: AccessRules = {},
): ExchangeHandler {
  const { auth } = server;
  const documents = auth?.documents(server.scopes);
  const findOut = isOpen ? undefined : callerFinder(server, pathOf);
  const proxies = createProxyReader(server.http.trustedProxies, options.trustedProxies);
  const problemOf = createHostAndOriginCheck(server, options);
  const isToBeTold = limitedPerMinute((more) => {
    const msg = `${more} more requests failed before it was known who sends them.`;
    server.log({ level: "error", event: "internal-error", msg, more });
  });

  return (exchange) => {
    const { method, header, headers } = exchange;
    exchange.proxies = proxies;
    exchange.refusals = server.refusals;
    const origin = header("origin");
    const document = documents?.get(requestPath(exchange.target));
    if (document !== undefined) return answerDocument(exchange, document);
    const problem = problemOf(header("host"), origin);
    if (problem !== undefined) {
      return refuseAndReport(exchange, 403, problem);
    }
    if (origin !== undefined) {
      // Lets a page of an accepted origin read the answer.
      headers["access-control-allow-origin"] = origin;
      headers["access-control-expose-headers"] = "mcp-session-id, retry-after, www-authenticate, dpop-nonce";
      headers.vary = "origin";
      if (method === "OPTIONS") return answerPreflight(exchange, methods);
    }
    if (findOut === undefined) return serve(exchange);
    findOut(exchange).then(
      (found) => {
        if (found !== undefined && isRefusal(found)) return refuseCaller(exchange, found);
        exchange.principal = found;
        serve(exchange);
      },
      (error: unknown) => {
        if (isProtocolError(error)) return refuseFor(exchange, error);
        const report = createReport(auth === undefined ? "http.principal" : "authentication", error);
        if (isToBeTold()) server.onInternalError(report);
        headers["retry-after"] = "5";
        refuse(exchange, auth === undefined ? 500 : 503, publicMessage(report));
      },
    );
  };
}

type FindCaller = (exchange: HttpExchange) => Promise<Principal | Refusal | undefined>;

/** How the server finds out who sends a request; undefined where it does not. */
function callerFinder(
  { auth, http: { principal }, usedProofs }: Server,
  pathOf?: (exchange: HttpExchange) => string,
): FindCaller | undefined {
  if (auth !== undefined) {
    return async (exchange) => {
      const { method, header } = exchange;
      return auth.authenticate({ method, header, path: pathOf?.(exchange), usedProofs });
    };
  }
  if (principal === undefined) return undefined;
  return async ({ method, address, header }) => {
    const named = await principal({ method, address, header });
    return named === undefined ? undefined : toPrincipal(named);
  };
}

function refuseCaller(exchange: HttpExchange, { status, reason, challenge, headers }: Refusal): void {
  Object.assign(exchange.headers, headers, { "www-authenticate": challenge });
  // How every client begins that has yet to get a token, or a nonce, is nothing to tell of.
  const isTold = /error="(?!use_dpop_nonce")/.test(challenge);
  (isTold ? refuseAndReport : refuse)(exchange, status, reason);
}

/** What clients read before they have a token, be they pages of any origin. */
function answerDocument(exchange: HttpExchange, text: string): void {
  const { headers, method } = exchange;
  headers["access-control-allow-origin"] = "*";
  if (method === "OPTIONS") return answerPreflight(exchange, "GET");
  if (method === "GET") return exchange.respond(200, text);
  headers.allow = "GET";
  refuse(exchange, 405, "Use GET.");
}

/** Lets a page of an accepted origin send the request that its browser asks about first. */
function answerPreflight(exchange: HttpExchange, methods: string): void {
  const { header, headers } = exchange;
  const wanted = header("access-control-request-headers");
  headers["access-control-allow-methods"] = methods;
  headers["access-control-max-age"] = "86400";
  if (wanted !== undefined) headers["access-control-allow-headers"] = wanted;
  exchange.respond(204);
}
