import { isLoopback } from "../../data/options/host-and-origin-values.js";
import { parseUrl } from "../../protocol/parse-url.js";

const WELL_KNOWN = "/.well-known/oauth-protected-resource";

/** The metadata document of a protected resource, and its location. */
export interface ResourceMetadata {
  /** The paths of the document on the resource's own origin, the canonical one first. */
  readonly paths: readonly string[];
  readonly url: string;
  readonly text: string;
}

/**
 * Creates the document in which clients find the authorization servers of a resource. Its URL is derived from that of
 * the resource, so that several resources may share an origin.
 *
 * @param resource the canonical URL of the server, such as `https://mcp.example.com/mcp`
 * @param more additional members of the document
 * @throws TypeError if `resource` is not an `https:` URL (or `http:` of this machine), or has a query or a fragment
 * @see https://www.rfc-editor.org/rfc/rfc9728#section-3
 * @example
 * createResourceMetadata("https://example.com/mcp", ["https://login.example.com"], ["read"]).paths
 * // ["/.well-known/oauth-protected-resource/mcp"]
 */
export function createResourceMetadata(
  resource: string,
  issuers: readonly string[],
  scopes: readonly string[],
  more: object = {},
): ResourceMetadata {
  const { origin, pathname } = parseResource(resource);
  const path = `${WELL_KNOWN}${pathname === "/" ? "" : pathname}`;
  // Some clients omit a trailing slash when they derive the URL themselves.
  const paths = [...new Set([path, path.replace(/\/$/, "")])];
  const document = {
    resource,
    authorization_servers: issuers,
    ...(scopes.length > 0 && { scopes_supported: scopes }),
    bearer_methods_supported: ["header"],
    ...more,
  };
  return { paths, url: `${origin}${path}`, text: JSON.stringify(document) };
}

function parseResource(resource: string): URL {
  const createProblem = (what: string): TypeError =>
    new TypeError(`oauth: \`resource\` ${what} (got ${JSON.stringify(resource)}).`);
  if (parseUrl(resource) === undefined)
    throw createProblem('must be the URL of this server, such as "https://mcp.example.com/mcp"');
  const url = new URL(resource);
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isLoopback(url.hostname)))
    throw createProblem("must be an https: URL");
  if (/[?#]/.test(resource)) throw createProblem("must have neither a query nor a fragment");
  return url;
}
