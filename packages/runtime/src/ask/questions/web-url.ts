import type { LogSink } from "../../api/log.js";

const LOCAL_HOSTS: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * Checks that a browser can open a URL. One that is sent over the network in plain text is warned of.
 *
 * @throws TypeError when it is no URL, or none of the web
 */
export function checkWebUrl(text: string, log: LogSink): void {
  const url = parseWebUrl(text);
  if (url.protocol === "https:" || LOCAL_HOSTS.has(url.hostname)) return;
  const msg = `A user is sent to ${url.origin}, which is not encrypted. Use https: outside of development.`;
  log({ level: "warn", event: "warning", msg });
}

/** @throws TypeError when it is no URL, or none of the web */
export function parseWebUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === "https:" || url?.protocol === "http:") return url;
  throw new TypeError(
    `A user can only be sent to a whole URL of the web, such as "https://example.com/connect" (got ${JSON.stringify(text.slice(0, 200))}).`,
  );
}
