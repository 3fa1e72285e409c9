import { bearer, type Expected, METADATA, type Row, type ServerName } from "./row.js";

/** The algorithms of JOSE with public keys, which alone may sign proofs. */
const PUBLIC_KEY_ALGORITHMS = [
  ...["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"],
  ...["ES256", "ES384", "ES512", "EdDSA", "Ed25519"],
];

const WELL_KNOWN = "/.well-known/oauth-protected-resource";

const metadata = (resource: string, more: object = {}): Expected => ({
  status: 200,
  headers: { "content-type": /^application\/json$/, "access-control-allow-origin": /^\*$/ },
  json: (issuer) => ({
    resource,
    authorization_servers: [issuer],
    scopes_supported: ["write"],
    bearer_methods_supported: ["header"],
    resource_name: "Fixture",
    ...more,
    dpop_signing_alg_values_supported: PUBLIC_KEY_ALGORITHMS,
  }),
});

const nothing: Expected = { status: 404 };

const read = (server: ServerName, path: string, expected: Expected, section = "3.1"): Row => ({
  section,
  title: `${path} of the ${server} server`,
  server,
  request: () => ({ method: "GET", path }),
  expected,
});

/** Returns the metadata URL in the challenge of a server. */
const challengeRow = (server: ServerName, url: string): Row => ({
  section: "5.1",
  title: `the challenge of the ${server} server`,
  server,
  // The Host header of the request makes no difference.
  request: () => ({ headers: { host: "localhost", "x-forwarded-host": "evil.example" } }),
  expected: {
    status: 401,
    challengeContains: [`resource_metadata="${url}"`],
    challengeOmits: ["localhost", "evil"],
  },
});

export const rows: Row[] = [
  read("plain", `${WELL_KNOWN}/mcp`, metadata("https://mcp.example.com/mcp"), "2 and 3.1"),
  read("root", WELL_KNOWN, metadata("https://mcp.example.com")),
  read("root with a slash", WELL_KNOWN, metadata("https://mcp.example.com/")),
  read("deep", `${WELL_KNOWN}/a/mcp`, metadata("https://mcp.example.com/a/mcp")),
  read("deep with a slash", `${WELL_KNOWN}/a/mcp/`, metadata("https://mcp.example.com/a/mcp/")),
  read(
    "requiring",
    `${WELL_KNOWN}/mcp`,
    metadata("https://mcp.example.com/mcp", {
      bearer_methods_supported: [],
      dpop_bound_access_tokens_required: true,
    }),
    "2",
  ),
  // A document names its resource, which clients compare with the address of the document.
  read("plain", WELL_KNOWN, nothing, "3.3"),
  read("plain", `${WELL_KNOWN}/`, nothing, "3.3"),
  read("plain", `${WELL_KNOWN}/other`, nothing, "3.3"),
  read("plain", `/mcp${WELL_KNOWN}`, nothing, "3.3"),
  read("root", `${WELL_KNOWN}/mcp`, nothing, "3.3"),
  read("deep", WELL_KNOWN, nothing, "3.3"),
  read("deep", `${WELL_KNOWN}/mcp`, nothing, "3.3"),
  {
    section: "3.1",
    title: "a request with a query",
    request: () => ({ method: "GET", path: `${WELL_KNOWN}/mcp?a=b` }),
    expected: { status: 200 },
  },
  {
    section: "3.1",
    title: "a request with another host and origin",
    request: () => ({
      method: "GET",
      path: `${WELL_KNOWN}/mcp`,
      headers: { host: "evil.example", origin: "https://inspector.example" },
    }),
    expected: metadata("https://mcp.example.com/mcp"),
  },
  {
    section: "3.1",
    title: "a request with a token, which is ignored",
    request: () => ({ ...bearer("wrong"), method: "GET", path: `${WELL_KNOWN}/mcp` }),
    expected: { status: 200 },
  },
  {
    section: "3.1",
    title: "the preflight request of a page",
    request: () => ({
      method: "OPTIONS",
      path: `${WELL_KNOWN}/mcp`,
      headers: {
        origin: "https://inspector.example",
        "access-control-request-headers": "mcp-protocol-version",
      },
    }),
    expected: { status: 204, headers: { "access-control-allow-headers": /^mcp-protocol-version$/ } },
  },
  {
    section: "3.1",
    title: "HEAD",
    request: () => ({ method: "HEAD", path: `${WELL_KNOWN}/mcp` }),
    expected: { status: 200, headers: { "content-type": /^application\/json$/ } },
  },
  {
    section: "3.1",
    title: "any method but GET and HEAD",
    request: () => ({ path: `${WELL_KNOWN}/mcp` }),
    expected: { status: 405, headers: { allow: /^GET, HEAD$/ } },
  },
  challengeRow("plain", METADATA),
  challengeRow("root", `https://mcp.example.com${WELL_KNOWN}`),
  challengeRow("root with a slash", `https://mcp.example.com${WELL_KNOWN}`),
  challengeRow("deep", `https://mcp.example.com${WELL_KNOWN}/a/mcp`),
  challengeRow("deep with a slash", `https://mcp.example.com${WELL_KNOWN}/a/mcp/`),
  challengeRow("requiring", METADATA),
  {
    section: "5.1",
    title: "the challenge for a rejected token",
    request: () => bearer("wrong"),
    expected: {
      status: 401,
      headers: { "cache-control": /^no-store$/ },
      challengeContains: [`resource_metadata="${METADATA}"`],
    },
  },
  {
    section: "5.1",
    title: "the challenge for a missing scope",
    request: async (given) => ({ ...bearer(await given.token()), tool: "conditions" }),
    expected: { status: 403, challengeContains: [`resource_metadata="${METADATA}"`] },
  },
];
