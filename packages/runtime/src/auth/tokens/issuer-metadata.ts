import { isObject } from "../../protocol/jsonrpc.js";
import { fetchJson } from "./fetch-json.js";

/** What an authorization server says of itself, as far as a resource needs it. */
export interface IssuerMetadata {
  readonly issuer: string;
  readonly jwks_uri: string;
}

/**
 * Fetches the metadata of an authorization server.
 *
 * @throws Error when none of its well-known addresses has any, or they are somebody else's
 * @see https://www.rfc-editor.org/rfc/rfc8414#section-3
 * @see https://openid.net/specs/openid-connect-discovery-1_0.html#ProviderConfig
 */
export async function fetchIssuerMetadata(issuer: string): Promise<IssuerMetadata> {
  const problems: string[] = [];
  for (const url of addressesOf(issuer)) {
    try {
      return await fetchOne(url, issuer);
    } catch (error) {
      problems.push(`${url}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  throw new Error(`The metadata of ${issuer} cannot be read. ${problems.join("; ")}`);
}

/** RFC 8414 puts the well-known part before the issuer's path, OpenID Connect after it. */
function addressesOf(issuer: string): string[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname === "/" ? "" : pathname.replace(/\/$/, "");
  const names = ["oauth-authorization-server", "openid-configuration"];
  const before = names.map((name) => `${origin}/.well-known/${name}${path}`);
  return path === "" ? before : [...before, `${origin}${path}/.well-known/openid-configuration`];
}

async function fetchOne(url: string, issuer: string): Promise<IssuerMetadata> {
  const found = await fetchJson(url);
  if (!isObject(found) || typeof found.jwks_uri !== "string") throw new Error("it names no `jwks_uri`");
  if (found.issuer !== issuer) throw new Error(`it is that of ${JSON.stringify(found.issuer)}`);
  // What anybody on the way could change says nothing of who has signed.
  if (issuer.startsWith("https:") && !found.jwks_uri.startsWith("https:"))
    throw new Error("its `jwks_uri` is no https: URL");
  return { issuer, jwks_uri: found.jwks_uri };
}
