import { bearer, type Expected, RESOURCE, type Row, type ServerName } from "./row.js";

const served: Expected = { status: 200 };

const refused: Expected = {
  status: 401,
  challenge: 'Bearer error="invalid_token", error_description="The token is not for this server."',
};

/** A token that is for somebody, shown to a server. */
const audience = (aud: unknown, expected: Expected, server: ServerName = "plain"): Row => ({
  section: "2",
  title: `a token for ${JSON.stringify(aud) ?? "nobody in particular"}, shown to the ${server} server`,
  server,
  request: async (given) => bearer(await given.token({ aud })),
  expected,
});

export const rows: Row[] = [
  audience(RESOURCE, served),
  audience([RESOURCE], served),
  audience(["https://other.example", RESOURCE], served),
  audience(undefined, refused),
  audience(null, refused),
  audience("", refused),
  audience([], refused),
  audience({}, refused),
  audience([[RESOURCE]], refused),
  audience("https://other.example/mcp", refused),
  audience("https://mcp.example.com", refused),
  audience(`${RESOURCE}/`, refused),
  audience(`${RESOURCE}/other`, refused),
  audience(`${RESOURCE}?a=b`, refused),
  audience(RESOURCE.toUpperCase(), refused),
  audience(`${RESOURCE} https://other.example`, refused),
  audience("https://mcp.example.com/a/mcp", served, "deep"),
  // On one origin, each server is a resource of its own.
  audience(RESOURCE, refused, "deep"),
  audience("https://mcp.example.com", refused, "deep"),
  // An empty path is the path `/` (RFC 3986, section 6.2.3), and clients write either.
  audience("https://mcp.example.com", served, "root"),
  audience("https://mcp.example.com/", served, "root"),
  audience("https://mcp.example.com", served, "root with a slash"),
  audience("https://mcp.example.com/", served, "root with a slash"),
  audience(RESOURCE, refused, "root"),
  // Issuers that do not know the parameter `resource` have names of their own.
  audience("api://123", served, "entra"),
  audience(["api://456"], served, "entra"),
  audience("api://789", refused, "entra"),
  audience(RESOURCE, refused, "entra"),
];
