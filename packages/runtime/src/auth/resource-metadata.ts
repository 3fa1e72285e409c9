const WELL_KNOWN = "/.well-known/oauth-protected-resource";

/** A protected resource, and where to read about it. */
export interface ResourceMetadata {
  /** The paths of the document on the resource's own origin, the right one first. */
  readonly paths: readonly string[];
  readonly url: string;
  readonly text: string;
}

/**
 * The document by which clients find the authorization servers of a resource. Its address is made of the resource's own,
 * so that several resources may share an origin.
 *
 * @param resource the canonical URL of the server, such as `https://mcp.example.com/mcp`
 * @param more what else it says
 * @throws TypeError when it is no `https:` URL (or `http:` of this machine), or has a query or a fragment
 * @see https://www.rfc-editor.org/rfc/rfc9728#section-3
 * @example
 * resourceMetadata("https://example.com/mcp", ["https://login.example.com"], ["read"]).paths
 * // ["/.well-known/oauth-protected-resource/mcp"]
 */
export function resourceMetadata(
  resource: string,
  issuers: readonly string[],
  scopes: readonly string[],
  more: object = {},
): ResourceMetadata {
  const { origin, pathname } = parseResource(resource);
  const path = `${WELL_KNOWN}${pathname === "/" ? "" : pathname}`;
  // Some clients leave out a slash at the end when they make the address themselves.
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
  const problem = (what: string): TypeError =>
    new TypeError(`oauth: \`resource\` ${what} (got ${JSON.stringify(resource)}).`);
  if (!URL.canParse(resource))
    throw problem('must be the URL of this server, such as "https://mcp.example.com/mcp"');
  const url = new URL(resource);
  const isLocal = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(url.hostname);
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isLocal))
    throw problem("must be an https: URL");
  if (/[?#]/.test(resource)) throw problem("must have neither a query nor a fragment");
  return url;
}
