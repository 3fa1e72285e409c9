import type { Implementation } from "../../../protocol/specification.js";
import type { HttpExchange } from "./exchange.js";

/** Returns whether a browser opens the address. MCP clients do not accept HTML. */
export function wantsPage({ method, header }: HttpExchange): boolean {
  return method === "GET" && /\btext\/html\b/i.test(header("accept") ?? "");
}

/** Responds with a page that explains how to connect. Its content does not depend on the request. */
export function respondWithPage(exchange: HttpExchange, { name, title = name }: Implementation): void {
  const escaped = escapeHtml(title);
  Object.assign(exchange.headers, {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  });
  const text = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escaped}</title><style>:root{color-scheme:light dark}body{font:1rem/1.5 system-ui;max-width:40rem;margin:3rem auto;padding:0 1rem}</style>
<h1>${escaped}</h1>
<p>This is an MCP server. It is used by programs such as Claude Code, Cursor and VS Code, not in a browser.</p>
<p>To connect one, add a server of type <b>HTTP</b> with the address of this page. In Claude Code:</p>
<pre>claude mcp add --transport http NAME ADDRESS</pre></html>`;
  exchange.respond(200, text);
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (each) => `&#${each.charCodeAt(0)};`);
}
