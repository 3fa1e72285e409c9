/**
 * Access control, before a request is read: which callers may send requests, and on whose behalf.
 * @module
 */
import type { Principal } from "../../api/caller.js";
import { isProtocolError } from "../../api/errors.js";
import type { Rejection } from "../../api/auth.js";
import { createReport, formatPublicMessage } from "../../data/results/internal-error.js";
import * as ErrorCode from "../../protocol/error-codes.js";
import { getUnexpired, toPrincipal } from "../../access/principal.js";
import { limitPerMinute } from "../rejection-log.js";
import type { Server } from "../../server.js";
import type { ExchangeHandler, HttpExchange } from "./exchange/exchange.js";
import { type AccessOptions, createHostAndOriginCheck } from "./host-and-origin.js";
import { reject, rejectAndReport, rejectFor } from "./exchange/rejection.js";
import { getRequestPath } from "./exchange/request-path.js";
import { createProxyReader } from "./exchange/trusted-proxies.js";

/** The access rules of one path. */
export interface AccessRules {
  /** Whether callers may omit credentials. */
  readonly isOpen?: boolean;
  /** The methods that pages of accepted origins may use. */
  readonly methods?: string;
  /** Whether pages of any origin may send requests. `serve` then sets the headers for them. */
  readonly isForAnyOrigin?: boolean;
  /** Whether requests are sent to a different path than the URL that clients connect to. */
  readonly hasOwnPath?: boolean;
}

/** Forwards the requests that may be served, and responds to the others. */
export function withAccessControl(
  server: Server,
  options: AccessOptions,
  serve: ExchangeHandler,
  {
    isOpen = false,
    isForAnyOrigin = false,
    methods = "GET, POST, DELETE",
    hasOwnPath = false,
  }: AccessRules = {},
): ExchangeHandler {
  const { auth } = server;
  const documents = auth?.documents(server.scopes, server.info);
  const findCaller = isOpen ? undefined : createCallerFinder(server, hasOwnPath);
  const proxies = createProxyReader(server.http.trustedProxies, options.trustedProxies);
  const findProblem = createHostAndOriginCheck(server, options);
  const mayReport = limitPerMinute((suppressedCount) => {
    const msg = `${suppressedCount} more requests failed before their callers were identified.`;
    server.log({ level: "error", event: "internal-error", msg, suppressedCount });
  });

  return (exchange) => {
    const { method, header, headers } = exchange;
    exchange.proxies = proxies;
    exchange.rejections = server.rejections;
    exchange.onInternalError = server.onInternalError;
    const origin = isForAnyOrigin ? undefined : header("origin");
    const document = documents?.get(getRequestPath(exchange.target));
    if (document !== undefined) return respondWithDocument(exchange, document);
    const problem = findProblem(header("host"), origin);
    if (problem !== undefined) {
      return rejectAndReport(exchange, 403, problem);
    }
    if (origin !== undefined) {
      // Lets a page of an accepted origin read the response.
      headers["access-control-allow-origin"] = origin;
      headers["access-control-expose-headers"] = "mcp-session-id, retry-after, www-authenticate, dpop-nonce";
      headers.vary = "origin";
      if (method === "OPTIONS") return respondToPreflight(exchange, methods);
    }
    if (findCaller === undefined) return serve(exchange);
    findCaller(exchange).then(
      (found) => {
        if (found !== undefined && "challenge" in found) return rejectCaller(exchange, found);
        exchange.principal = found;
        serve(exchange);
      },
      (error: unknown) => {
        if (isProtocolError(error)) return rejectFor(exchange, error);
        const report = createReport(auth === undefined ? "http.principal" : "authentication", error);
        if (mayReport()) server.onInternalError(report);
        headers["retry-after"] = "5";
        reject(
          exchange,
          auth === undefined ? 500 : 503,
          formatPublicMessage(report),
          ErrorCode.InternalError,
        );
      },
    );
  };
}

type FindCaller = (exchange: HttpExchange) => Promise<Principal | Rejection | undefined>;

/** Returns the function that identifies the caller of a request; undefined if the server identifies none. */
function createCallerFinder(
  { auth, http: { principal }, usedProofs }: Server,
  hasOwnPath: boolean,
): FindCaller | undefined {
  if (auth !== undefined) {
    return async (exchange) => {
      const { method, header, target } = exchange;
      const path = hasOwnPath ? getRequestPath(target) : undefined;
      return auth.authenticate({ method, header, path, usedProofs });
    };
  }
  if (principal === undefined) return undefined;
  return async ({ method, address, header }) => {
    const given = await principal({ method, address, header });
    return given === undefined ? undefined : getUnexpired(toPrincipal(given));
  };
}

function rejectCaller(exchange: HttpExchange, { status, reason, challenge, headers }: Rejection): void {
  Object.assign(exchange.headers, headers, { "www-authenticate": challenge, "cache-control": "no-store" });
  // Every client begins without a token or a nonce, so that is not reported.
  const isReported = /error="(?!use_dpop_nonce")/.test(challenge);
  (isReported ? rejectAndReport : reject)(exchange, status, reason);
}

/** Responds with a document that clients read before they have a token, including pages of any origin. */
function respondWithDocument(exchange: HttpExchange, text: string): void {
  const { headers, method } = exchange;
  headers["access-control-allow-origin"] = "*";
  if (method === "OPTIONS") return respondToPreflight(exchange, "GET, HEAD");
  if (method === "GET") return exchange.respond(200, text);
  if (method === "HEAD") {
    headers["content-type"] = "application/json";
    return exchange.respond(200);
  }
  headers.allow = "GET, HEAD";
  reject(exchange, 405, "Use GET.");
}

/** Lets a page of an accepted origin send the request for which its browser asks permission. */
function respondToPreflight(exchange: HttpExchange, methods: string): void {
  const { header, headers } = exchange;
  const wanted = header("access-control-request-headers");
  headers["access-control-allow-methods"] = methods;
  headers["access-control-max-age"] = "86400";
  if (wanted !== undefined) headers["access-control-allow-headers"] = wanted;
  exchange.respond(204);
}
