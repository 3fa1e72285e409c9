import { bearer, type Expected, METADATA, now, RESOURCE, type Row, withClaims } from "./row.js";

const served: Expected = { status: 200 };

/** A client without credentials receives no error code. */
const bare: Expected = {
  status: 401,
  challenge: `Bearer resource_metadata="${METADATA}", DPoP algs="`,
  challengeOmits: ["error"],
};

const malformed: Expected = {
  status: 400,
  challenge: 'Bearer error="invalid_request", error_description="The Authorization header must consist of',
};

const invalid = (description: string): Expected => ({
  status: 401,
  challenge: `Bearer error="invalid_token", error_description="${description}`,
  challengeContains: [`resource_metadata="${METADATA}"`],
});

const insufficient: Expected = {
  status: 403,
  challenge: 'Bearer error="insufficient_scope", error_description="This request needs the scope `write`',
  challengeContains: ['scope="write"', `resource_metadata="${METADATA}"`],
  challengeOmits: ["DPoP"],
};

/** Creates a row for a genuine token, in a header that `write` formats. */
const tokenRow = (title: string, write: (token: string) => string, expected: Expected): Row => ({
  section: "2.1",
  title,
  request: async (given) => ({ headers: { authorization: write(await given.token()) } }),
  expected,
});

/** Creates a row for a call that needs the scope `write`, with a token that has these claims. */
const scopeRow = (claims: object, expected: Expected): Row => ({
  section: "3.1",
  title: `a call that needs the scope write, with ${JSON.stringify(claims)}`,
  request: async (given) => ({ ...bearer(await given.token(claims)), tool: "conditions" }),
  expected,
});

export const rows: Row[] = [
  tokenRow("a token in the header", (token) => `Bearer ${token}`, served),
  tokenRow("a scheme in any case", (token) => `bEARER ${token}`, served),
  tokenRow("several spaces", (token) => `Bearer   ${token}`, served),
  tokenRow("a tab instead of a space", (token) => `Bearer\t${token}`, malformed),
  tokenRow("no scheme", (token) => token, malformed),
  tokenRow("another scheme, which gets a challenge without an error code", (token) => `Basic ${token}`, bare),
  tokenRow("a scheme named like an object's inherited member", (token) => `constructor ${token}`, bare),
  tokenRow("a scheme alone", () => "Bearer", malformed),
  tokenRow("a quoted token", (token) => `Bearer "${token}"`, malformed),
  tokenRow("two tokens", (token) => `Bearer ${token} ${token}`, malformed),
  tokenRow("two headers that were joined", (token) => `Bearer ${token}, Bearer ${token}`, malformed),
  tokenRow("padding inside", (token) => `Bearer =${token}`, malformed),
  tokenRow("padding, which no JWT has", (token) => `Bearer ${token}==`, invalid("The token is not a JWT.")),
  tokenRow("an empty header", () => "", bare),
  {
    section: "2",
    title: "several headers, of which a proxy may have read another",
    request: async (given) => {
      const headers = [`Bearer ${await given.token()}`, "Bearer another"];
      return { headers: { authorization: headers } };
    },
    expected: { status: 400 },
  },
  {
    section: "2.2",
    title: "a token in a body",
    request: () => ({ headers: { "content-type": "application/x-www-form-urlencoded" } }),
    expected: bare,
  },
  {
    section: "2.3",
    title: "a token in the query, which logs and proxies record",
    request: async (given) => ({ path: `/mcp?access_token=${await given.token()}` }),
    expected: bare,
  },
  { section: "3", title: "no credentials", request: () => ({}), expected: bare },
  {
    section: "3",
    title: "no credentials, with any other method",
    request: () => ({ method: "DELETE", headers: { "mcp-session-id": "a" } }),
    expected: bare,
  },
  {
    section: "3",
    title: "no credentials, with initial scopes",
    server: "initial",
    request: () => ({}),
    expected: { status: 401, challenge: `Bearer scope="read", resource_metadata="${METADATA}"` },
  },
  {
    section: "3.1",
    title: "an expired token",
    request: withClaims(() => ({ exp: now() - 60 })),
    expected: invalid("The token has expired."),
  },
  {
    section: "3.1",
    title: "a token in an unknown format",
    request: () => bearer("mF_9.B5f-4.1JqM"),
    expected: invalid("The token is not a JWT."),
  },
  {
    section: "3.1",
    title: "an expired token, with initial scopes",
    server: "initial",
    request: withClaims(() => ({ exp: now() - 60 })),
    expected: { status: 401, challengeContains: ['scope="read"'] },
  },
  {
    section: "3.1",
    title: "a revoked token (RFC 7662, section 2.2)",
    server: "introspecting",
    request: ({ issuer }) => {
      issuer.introspected.set("withdrawn", { active: false, sub: "ada", aud: RESOURCE });
      return bearer("withdrawn");
    },
    expected: invalid("The token is not active."),
  },
  scopeRow({ scope: "write" }, served),
  scopeRow({ scope: "read write" }, served),
  scopeRow({ scope: "admin" }, served),
  scopeRow({ scp: ["read", "write"] }, served),
  scopeRow({ scp: "write" }, served),
  scopeRow({}, insufficient),
  scopeRow({ scope: "read" }, insufficient),
  scopeRow({ scope: "Write" }, insufficient),
  scopeRow({ scope: "write:all" }, insufficient),
  scopeRow({ scope: "read,write" }, insufficient),
  scopeRow({ scope: "" }, insufficient),
  scopeRow({ scope: { write: true } }, insufficient),
  scopeRow({ scope: "read", scp: ["write"] }, insufficient),
];
