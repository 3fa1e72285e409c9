import { isObject } from "../../../protocol/jsonrpc.js";
import { fetchJson } from "./fetch-json.js";

/** The members of an authorization server's metadata that contain a URL which a resource server needs. */
export type IssuerEndpoint = "jwks_uri" | "token_endpoint";

/**
 * Fetches the metadata of an authorization server, and returns one of its URLs.
 *
 * @param signal replaces the time limit of five seconds for each of its well-known URLs
 * @throws Error if none of its well-known URLs returns metadata, or the metadata belongs to another issuer
 * @see https://www.rfc-editor.org/rfc/rfc8414#section-3
 * @see https://openid.net/specs/openid-connect-discovery-1_0.html#ProviderConfig
 * @example
 * await fetchIssuerEndpoint("https://login.example.com", "jwks_uri") // "https://login.example.com/keys"
 */
export async function fetchIssuerEndpoint(
  issuer: string,
  endpoint: IssuerEndpoint,
  signal?: AbortSignal,
): Promise<string> {
  const problems: string[] = [];
  for (const url of getMetadataUrls(issuer)) {
    try {
      return readEndpoint(await fetchJson(url, { ...(signal && { signal }) }), issuer, endpoint);
    } catch (error) {
      problems.push(`${url}: ${describe(error as Error)}`);
    }
  }
  throw new Error(`The metadata of ${issuer} cannot be read. ${problems.join("; ")}`);
}

/** Describes a failed request: "fetch failed" and the reason, which Node puts into the cause. */
function describe({ message, cause }: Error): string {
  const { message: text, code } = (cause ?? {}) as { message?: string; code?: string };
  // Several failed addresses have only a code in common.
  const reason = text || code;
  return reason ? `${message} (${reason})` : message;
}

/**
 * Returns the URLs of the metadata. RFC 8414 puts the well-known part before the issuer's path, OpenID Connect after
 * it.
 */
function getMetadataUrls(issuer: string): string[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname === "/" ? "" : pathname.replace(/\/$/, "");
  const names = ["oauth-authorization-server", "openid-configuration"];
  const before = names.map((name) => `${origin}/.well-known/${name}${path}`);
  return path === "" ? before : [...before, `${origin}${path}/.well-known/openid-configuration`];
}

function readEndpoint(metadata: unknown, issuer: string, endpoint: IssuerEndpoint): string {
  const found = isObject(metadata) ? metadata[endpoint] : undefined;
  if (!isObject(metadata) || typeof found !== "string") throw new Error(`it has no \`${endpoint}\``);
  if (metadata.issuer !== issuer) throw new Error(`it belongs to ${JSON.stringify(metadata.issuer)}`);
  // Keys that could be changed in transit do not prove who signed a token, and tokens must not be readable in transit.
  if (issuer.startsWith("https:") && !found.startsWith("https:"))
    throw new Error(`its \`${endpoint}\` is not an https: URL`);
  return found;
}
