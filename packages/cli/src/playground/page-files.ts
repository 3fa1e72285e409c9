import { readFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The files of the page, in `dist/playground/page/` of this package. */
const FILES = new Set(["index.html", "page.js", "page.css", "icon.svg"]);

const TYPES: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

/**
 * Returns the content security policy. It blocks other origins: content from an MCP server is shown, but neither runs nor
 * loads anything. Images and audio in it are `data:` URLs. Only views run, on a separate origin.
 *
 * @param sandbox the origin of views
 */
const createPolicy = (sandbox: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "media-src data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    `frame-src ${sandbox}`,
  ].join("; ");

/** The headers of every response. The page has a content security policy as well. */
export const SECURITY_HEADERS = {
  "content-security-policy": "default-src 'none'",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "cache-control": "no-store",
};

/**
 * Sends a file of the page.
 *
 * @param sandbox the origin of views
 * @returns false if the page has no such file
 */
export function sendPageFile(name: string, reply: ServerResponse, sandbox: string): boolean {
  const file = name === "" ? "index.html" : name;
  if (!FILES.has(file)) return false;
  const folder = fileURLToPath(new URL("../../dist/playground/page", import.meta.url));
  reply.writeHead(200, {
    ...SECURITY_HEADERS,
    "content-security-policy": createPolicy(sandbox),
    "content-type": TYPES[extname(file)] ?? "",
  });
  reply.end(readFileSync(join(folder, file)));
  return true;
}
