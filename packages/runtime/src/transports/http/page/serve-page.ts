/**
 * The page for people who open the URL of a server in a browser. Only its first visitor loads the code that builds it.
 * @module
 */
import { createReport, formatPublicMessage } from "../../../data/results/internal-error.js";
import { createTextSanitizer } from "../../../data/results/sanitize.js";
import type { Server } from "../../../server.js";
import type { HttpExchange } from "../exchange/exchange.js";
import { findPublicUrl } from "../exchange/public-url.js";
import { reject } from "../exchange/rejection.js";
import { getRequestPath } from "../exchange/request-path.js";

/** Returns whether a browser opens the URL. MCP clients do not accept HTML. */
export function wantsPage({ method, header }: HttpExchange): boolean {
  if (method !== "GET" && method !== "HEAD") return false;
  return /\btext\/html\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(header("accept") ?? "");
}

/** Adds `Accept` to the headers on which a response depends. */
export function varyByAccept({ headers }: HttpExchange): void {
  headers.vary = headers.vary === undefined ? "accept" : `${headers.vary}, accept`;
}

/** Responds with the page, which shows only what a caller without a login may see. Never rejects. */
export async function servePage(exchange: HttpExchange, server: Server): Promise<void> {
  const { method, header, headers, target } = exchange;
  const { info, auth, http } = server;
  const found = findPublicUrl(exchange, getRequestPath(target), auth);
  if (found === undefined) return reject(exchange, 400, "The request has no valid URL.");
  try {
    const { renderPage } = await import("./page.js");
    const { text, tag, policy } = await renderPage({
      info,
      ...found,
      login: auth && (auth.documents([]).size > 0 ? "page" : "credentials"),
      tools: server.listPublicTools(),
      sanitize: createTextSanitizer("remove"),
    });
    varyByAccept(exchange);
    Object.assign(headers, {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": policy,
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      // Some caches ignore `Vary`. They must not send the page to a client that opens a stream.
      "cache-control": http.principal === undefined ? "no-cache" : "private, no-cache",
      etag: tag,
    });
    if (header("if-none-match")?.includes(tag) === true) exchange.respond(304);
    else exchange.respond(200, method === "HEAD" ? undefined : text);
  } catch (error) {
    const report = createReport("the page for browsers", error);
    server.onInternalError(report);
    reject(exchange, 500, formatPublicMessage(report));
  }
}
