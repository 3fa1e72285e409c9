import { createHttpHandler, type HttpHandler } from "@tenon/runtime/http";
import {
  apiKeys,
  InvalidToken,
  introspection,
  jwt,
  oauth,
  type Auth,
  type OAuthOptions,
} from "@tenon/runtime/auth";
import { createServer } from "@tenon/runtime/server";
import { base64url, SignJWT } from "jose";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createFixture } from "../fixture/application.js";
import { type Issuer, startIssuer } from "./issuer.js";

const RESOURCE = "https://mcp.example.com/mcp";
const METADATA = "https://mcp.example.com/.well-known/oauth-protected-resource/mcp";

let issuer: Issuer;
let reports: unknown[];
beforeEach(async () => {
  reports = [];
  issuer = await startIssuer();
});
afterEach(() => issuer.close());

function protectedBy(auth: Auth): HttpHandler {
  const server = createServer(createFixture({ auth }), { onInternalError: (report) => reports.push(report) });
  return createHttpHandler(server);
}

function protectedServer(more: Partial<OAuthOptions> = {}): HttpHandler {
  return protectedBy(oauth({ issuer: issuer.url, resource: RESOURCE, ...more }));
}

async function call(
  handle: HttpHandler,
  headers: Record<string, string> = {},
): Promise<{ status: number; challenge: string | null; text: string }> {
  const request = new Request(RESOURCE, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tools/call",
      "mcp-name": "add",
      ...headers,
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: {
        name: "add",
        arguments: { a: 1, b: 2 },
        _meta: {
          "io.modelcontextprotocol/protocolVersion": "2026-07-28",
          "io.modelcontextprotocol/clientCapabilities": {},
        },
      },
    }),
  });
  const response = await handle(request);
  return {
    status: response.status,
    challenge: response.headers.get("www-authenticate"),
    text: await response.text(),
  };
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

describe("a request", () => {
  test("with a token for this server is served", async () => {
    const { status, text } = await call(protectedServer(), bearer(await issuer.token(RESOURCE)));
    expect(text).toContain('"structuredContent":3');
    expect(status).toBe(200);
  });

  test("without credentials gets a bare challenge", async () => {
    expect(await call(protectedServer())).toMatchObject({
      status: 401,
      challenge: expect.stringContaining(`Bearer resource_metadata="${METADATA}", DPoP algs=`) as string,
    });
  });

  test("is told what to begin with", async () => {
    const { challenge } = await call(
      protectedServer({ scopes: { read: {}, write: {} }, initialScopes: ["read"] }),
    );
    expect(challenge).toContain(`Bearer scope="read", resource_metadata="${METADATA}", `);
  });

  test.each(["Basic YTpi", "Bearer", "Bearer a, Bearer b"])(
    "with `%s` is malformed",
    async (authorization) => {
      const { status, challenge } = await call(protectedServer(), { authorization });
      expect(status).toBe(400);
      expect(challenge).toContain('error="invalid_request"');
    },
  );

  const refused: [string, () => Promise<string>, string][] = [
    ["that is no JWT", async () => "abc", "not a JWT"],
    ["of another issuer", () => issuer.token(RESOURCE, { iss: "https://evil.example" }), "another issuer"],
    ["for another server", () => issuer.token("https://other.example/mcp"), "not for this server"],
    ["for nobody in particular", () => issuer.token(RESOURCE, { aud: undefined }), "not for this server"],
    ["that has expired", () => issuer.token(RESOURCE, { exp: 1 }), "has expired"],
    ["that never ends", () => issuer.token(RESOURCE, { exp: undefined }), "when it expires"],
    ["that is not valid yet", () => issuer.token(RESOURCE, { nbf: 1e11 }), "not valid yet"],
    ["of nobody", () => issuer.token(RESOURCE, { sub: undefined }), "whose it is"],
    ["of another type", () => issuer.token(RESOURCE, {}, { typ: "logout+jwt" }), "another type"],
    ["with an unknown key", () => issuer.token(RESOURCE, {}, { kid: "key-9" }), "key that its issuer"],
    [
      "that was changed",
      async () => {
        const [header, , signature] = (await issuer.token(RESOURCE)).split(".");
        const claims = base64url.encode(
          JSON.stringify({ iss: issuer.url, aud: RESOURCE, sub: "eve", exp: 1e11 }),
        );
        return [header, claims, signature].join(".");
      },
      "signature is wrong",
    ],
    [
      "without a signature",
      async () => {
        const [, claims] = (await issuer.token(RESOURCE)).split(".");
        return `${base64url.encode('{"alg":"none"}')}.${claims}.`;
      },
      "not a JWT|algorithm",
    ],
    [
      "signed with a public key as if it were a secret",
      async () => {
        const { keys } = (await (await fetch(`${issuer.url}/keys`)).json()) as { keys: object[] };
        return new SignJWT({ iss: issuer.url, aud: RESOURCE, sub: "eve", exp: 1e11 })
          .setProtectedHeader({ alg: "HS256", kid: "key-1" })
          .sign(new TextEncoder().encode(JSON.stringify(keys[0])));
      },
      "algorithm",
    ],
  ];

  test.each(refused)("with a token %s is refused, and told why", async (_, create, reason) => {
    const token = await create();
    const { status, challenge, text } = await call(protectedServer(), bearer(token));
    expect(status).toBe(401);
    expect(challenge).toMatch(
      new RegExp(`^Bearer error="invalid_token", error_description="[^"]*(?:${reason})`),
    );
    expect(challenge).toContain(`resource_metadata="${METADATA}"`);
    expect(`${challenge}${text}`).not.toContain(token);
    expect(reports).toEqual([]);
  });

  test("takes an audience that is not the resource", async () => {
    const handle = protectedServer({ audience: ["api://123", "api://456"] });
    expect((await call(handle, bearer(await issuer.token("api://456")))).status).toBe(200);
    expect((await call(handle, bearer(await issuer.token(RESOURCE)))).status).toBe(401);
  });
});

describe("the keys of the issuer", () => {
  const keyRequests = () => issuer.requests.filter((path) => path === "/keys").length;

  test("are fetched once, and not before there is a token", async () => {
    const handle = protectedServer();
    await call(handle);
    expect(issuer.requests).toEqual([]);
    const tokens = await Promise.all(
      Array.from({ length: 20 }, (_, index) => issuer.token(RESOURCE, { jti: index })),
    );
    const answers = await Promise.all(tokens.map((token) => call(handle, bearer(token))));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(keyRequests()).toBe(1);
  });

  test("are never fetched from whom a token names", async () => {
    const other = await startIssuer();
    try {
      const { status } = await call(protectedServer(), bearer(await other.token(RESOURCE)));
      expect(status).toBe(401);
      expect(other.requests).toEqual([]);
    } finally {
      await other.close();
    }
  });

  test("that cannot be fetched let nobody in, and keep nobody waiting", async () => {
    const handle = protectedServer();
    const token = await issuer.token(RESOURCE);
    issuer.isUp = false;
    const answers = [await call(handle, bearer(token)), await call(handle, bearer(token))];
    expect(answers.map(({ status }) => status)).toEqual([503, 503]);
    const asked = issuer.requests.length;
    await call(handle, bearer(token));
    expect(issuer.requests.length).toBe(asked);
    expect(reports).toHaveLength(3);
    expect(
      JSON.stringify(reports, (_, value: unknown) => (value instanceof Error ? value.message : value)),
    ).not.toContain(token);
  });

  test("that are known serve on while the issuer is down", async () => {
    const handle = protectedServer();
    expect((await call(handle, bearer(await issuer.token(RESOURCE)))).status).toBe(200);
    issuer.isUp = false;
    expect((await call(handle, bearer(await issuer.token(RESOURCE, { jti: 2 })))).status).toBe(200);
  });

  test("must be those of an issuer of this very name", async () => {
    const handle = protectedBy(oauth({ issuer: `${issuer.url}/`, resource: RESOURCE }));
    const token = await issuer.token(RESOURCE, { iss: `${issuer.url}/` });
    expect((await call(handle, bearer(token))).status).toBe(503);
  });

  test("may be published where the options say", async () => {
    const handle = protectedServer({ verify: jwt({ jwksUri: `${issuer.url}/keys` }) });
    expect((await call(handle, bearer(await issuer.token(RESOURCE)))).status).toBe(200);
    expect(issuer.requests).toEqual(["/keys"]);
  });

  test("are public ones", () => {
    for (const algorithm of ["HS256", "none"])
      expect(() => jwt({ algorithms: [algorithm] })).toThrow("is not one with a public key");
  });
});

describe("an introspection endpoint", () => {
  const verified = () =>
    protectedServer({
      verify: introspection({ url: `${issuer.url}/introspect`, clientId: "mcp", clientSecret: "a secret" }),
    });

  test("says whether a token is in force", async () => {
    issuer.introspected.set("good", { active: true, sub: "ada", aud: RESOURCE });
    issuer.introspected.set("foreign", { active: true, sub: "ada", aud: "https://other.example" });
    const handle = verified();
    expect((await call(handle, bearer("good"))).status).toBe(200);
    expect((await call(handle, bearer("gone"))).challenge).toContain("not in force");
    expect((await call(handle, bearer("foreign"))).challenge).toContain("not for this server");
  });

  test("that is down lets nobody in", async () => {
    issuer.isUp = false;
    expect((await call(verified(), bearer("good"))).status).toBe(503);
  });
});

describe("a verifier of one's own", () => {
  test("is asked once for a token, and cannot forget what is checked", async () => {
    let asked = 0;
    const verify: OAuthOptions["verify"] = async (token) => {
      asked += 1;
      if (token === "bad") throw new InvalidToken("The token is bad.");
      return { iss: issuer.url, sub: "ada", exp: 1e11, ...(token === "good" && { aud: RESOURCE }) };
    };
    const handle = protectedServer({ verify });
    expect((await call(handle, bearer("good"))).status).toBe(200);
    expect((await call(handle, bearer("good"))).status).toBe(200);
    expect(asked).toBe(1);
    expect((await call(handle, bearer("forgets"))).challenge).toContain("not for this server");
    expect((await call(handle, bearer("bad"))).challenge).toContain("The token is bad.");
  });
});

describe("the resource's metadata", () => {
  const read = (method: string, headers = {}) =>
    protectedServer()(new Request(METADATA, { method, headers }));

  test("is read by anybody, from a page as well", async () => {
    const response = await read("GET", { origin: "https://inspector.example" });
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(await response.json()).toEqual({
      resource: RESOURCE,
      authorization_servers: [issuer.url],
      bearer_methods_supported: ["header"],
      dpop_signing_alg_values_supported: expect.arrayContaining(["ES256", "EdDSA"]) as string[],
    });
    const preflight = await read("OPTIONS", {
      origin: "https://inspector.example",
      "access-control-request-headers": "mcp-protocol-version",
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-headers")).toBe("mcp-protocol-version");
  });

  test("is not written", async () => {
    expect((await read("POST")).status).toBe(405);
  });
});

describe("an API key", () => {
  const handle = () =>
    protectedBy(
      apiKeys({ "a-key-of-ada-0123456789": "ada", "a-key-of-grace-0123456": { subject: "grace" } }),
    );
  const served = { host: "localhost" };

  test.each([bearer("a-key-of-ada-0123456789"), { "x-api-key": "a-key-of-grace-0123456" }])(
    "is taken as %j",
    async (headers) => {
      expect((await call(handle(), { ...served, ...headers })).status).toBe(200);
    },
  );

  test("that is absent or wrong is refused", async () => {
    expect(await call(handle(), served)).toMatchObject({ status: 401, challenge: "Bearer" });
    const wrong = await call(handle(), { ...served, ...bearer("a-key-of-ada-012345678") });
    expect(wrong.status).toBe(401);
    expect(wrong.challenge).toContain('error="invalid_token"');
  });

  test("that can be guessed is no key", () => {
    expect(() => apiKeys({ hunter2: "ada" })).toThrow("at least 16 characters");
    expect(() => apiKeys({})).toThrow("nobody could call");
  });
});

test("a server says in one way who calls", () => {
  const auth = apiKeys({ "a-key-of-ada-0123456789": "ada" });
  expect(() => createServer(createFixture({ auth, http: { principal: () => "ada" } }))).toThrow(
    "remove one of them",
  );
});
