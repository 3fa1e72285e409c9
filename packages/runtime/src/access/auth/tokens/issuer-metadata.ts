import { isObject } from "../../../protocol/jsonrpc.js";
import { fetchJson } from "./fetch-json.js";

/** The metadata of an authorization server that a resource server needs. */
export interface IssuerMetadata {
  readonly issuer: string;
  readonly jwks_uri: string;
}

/**
 * Fetches the metadata of an authorization server.
 *
 * @throws Error if none of its well-known URLs returns any, or they belong to another issuer
 * @see https://www.rfc-editor.org/rfc/rfc8414#section-3
 * @see https://openid.net/specs/openid-connect-discovery-1_0.html#ProviderConfig
 */
export async function fetchIssuerMetadata(issuer: string): Promise<IssuerMetadata> {
  const problems: string[] = [];
  for (const url of getMetadataUrls(issuer)) {
    try {
      return await fetchMetadata(url, issuer);
    } catch (error) {
      problems.push(`${url}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  throw new Error(`The metadata of ${issuer} cannot be read. ${problems.join("; ")}`);
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

async function fetchMetadata(url: string, issuer: string): Promise<IssuerMetadata> {
  const found = await fetchJson(url);
  if (!isObject(found) || typeof found.jwks_uri !== "string") throw new Error("it has no `jwks_uri`");
  if (found.issuer !== issuer) throw new Error(`it belongs to ${JSON.stringify(found.issuer)}`);
  // Keys that could be changed in transit do not prove who signed a token.
  if (issuer.startsWith("https:") && !found.jwks_uri.startsWith("https:"))
    throw new Error("its `jwks_uri` is not an https: URL");
  return { issuer, jwks_uri: found.jwks_uri };
}
