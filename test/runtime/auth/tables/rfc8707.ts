import { bearer, type Expected, RESOURCE, type Row, type ServerName } from "./row.js";

const served: Expected = { status: 200 };

const rejected: Expected = {
  status: 401,
  challenge: 'Bearer error="invalid_token", error_description="The token is not for this server."',
};

/** Creates a row for a token with an audience, sent to a server. */
const audience = (aud: unknown, expected: Expected, server: ServerName = "plain"): Row => ({
  section: "2",
  title: `a token for ${JSON.stringify(aud) ?? "no audience"}, sent to the ${server} server`,
  server,
  request: async (given) => bearer(await given.token({ aud })),
  expected,
});

export const rows: Row[] = [
  audience(RESOURCE, served),
  audience([RESOURCE], served),
  audience(["https://other.example", RESOURCE], served),
  audience(undefined, rejected),
  audience(null, rejected),
  audience("", rejected),
  audience([], rejected),
  audience({}, rejected),
  audience([[RESOURCE]], rejected),
  audience("https://other.example/mcp", rejected),
  audience("https://mcp.example.com", rejected),
  audience(`${RESOURCE}/`, rejected),
  audience(`${RESOURCE}/other`, rejected),
  audience(`${RESOURCE}?a=b`, rejected),
  audience(RESOURCE.toUpperCase(), rejected),
  audience(`${RESOURCE} https://other.example`, rejected),
  audience("https://mcp.example.com/a/mcp", served, "deep"),
  // On one origin, each server is a separate resource.
  audience(RESOURCE, rejected, "deep"),
  audience("https://mcp.example.com", rejected, "deep"),
  // An empty path is the path `/` (RFC 3986, section 6.2.3), and clients write either.
  audience("https://mcp.example.com", served, "root"),
  audience("https://mcp.example.com/", served, "root"),
  audience("https://mcp.example.com", served, "root with a slash"),
  audience("https://mcp.example.com/", served, "root with a slash"),
  audience(RESOURCE, rejected, "root"),
  // Issuers that do not know the parameter `resource` have their own names.
  audience("api://123", served, "entra"),
  audience(["api://456"], served, "entra"),
  audience("api://789", rejected, "entra"),
  audience(RESOURCE, rejected, "entra"),
];
