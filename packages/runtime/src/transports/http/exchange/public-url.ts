import type { Auth } from "../../../api/auth.js";
import type { HttpExchange } from "./exchange.js";
import { parseUrl } from "../../../protocol/parse-url.js";

/** A URL of the server as clients know it. */
export interface PublicUrl {
  readonly url: string;
  /** Whether it is configured. Otherwise, a proxy that changes the path or the scheme may make it wrong. */
  readonly isConfigured: boolean;
}

/**
 * Finds the URL at which clients connect: the `resource` option of `oauth`, as in the metadata of the protected resource. Without
 * it, the URL consists of `Host`, the path for clients, and the scheme that the proxies report.
 *
 * @param path the path for clients, such as `/mcp`
 * @returns undefined if the request has no valid host
 * @see https://www.rfc-editor.org/rfc/rfc9728#section-3
 */
export function findPublicUrl(
  { scheme, header }: Pick<HttpExchange, "scheme" | "header">,
  path: string,
  auth: Auth | undefined,
): PublicUrl | undefined {
  const configured = auth?.resource;
  if (configured !== undefined) return { url: configured, isConfigured: true };
  const text = `${scheme}://${header("host") ?? ""}${path}`;
  const url = parseUrl(text)?.href;
  return url === undefined ? undefined : { url, isConfigured: false };
}
