import type { LogSink } from "../../api/log.js";
import { parseUrl } from "../../protocol/parse-url.js";

const LOCAL_HOSTS: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * Checks that a browser can open a URL. Logs a warning for one that is not encrypted.
 *
 * @throws TypeError for text that is not an HTTP URL
 */
export function checkWebUrl(text: string, log: LogSink): void {
  const url = parseWebUrl(text);
  if (url.protocol === "https:" || LOCAL_HOSTS.has(url.hostname)) return;
  const msg = `A user is sent to ${url.origin}, which is not encrypted. Use https: except in development.`;
  log({ level: "warn", event: "warning", msg });
}

/**
 * Parses an HTTP URL.
 *
 * @throws TypeError for text that is not an HTTP URL
 */
export function parseWebUrl(text: string): URL {
  const url = parseUrl(text);
  if (url?.protocol === "https:" || url?.protocol === "http:") return url;
  throw new TypeError(
    `The URL for a user must be an absolute HTTP URL, such as "https://example.com/connect" (got ${JSON.stringify(text.slice(0, 200))}).`,
  );
}
