import type { LogEntry } from "@tenon/runtime";
import { createHttpHandler, type HttpHandler } from "@tenon/runtime/http";
import {
  apiKeys,
  InvalidTokenError,
  introspection,
  jwt,
  oauth,
  type Auth,
  type OAuthOptions,
} from "@tenon/runtime/auth";
import { createServer } from "@tenon/runtime/server";
import { type JWTPayload, jwtVerify, SignJWT } from "jose";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createFixture } from "../fixture/application.js";
import { type Issuer, startIssuer } from "./issuer.js";

const RESOURCE = "https://mcp.example.com/mcp";

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

describe("issuer keys", () => {
  const keyRequests = () => issuer.requests.filter((path) => path === "/keys").length;

  test("are fetched once, with the first token", async () => {
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

  test("are never fetched from an address in a token", async () => {
    const other = await startIssuer();
    try {
      const { status } = await call(protectedServer(), bearer(await other.token(RESOURCE)));
      expect(status).toBe(401);
      expect(other.requests).toEqual([]);
    } finally {
      await other.close();
    }
  });

  test("reject calls with 503 while the issuer is down, without refetching each time", async () => {
    const handle = protectedServer();
    const token = await issuer.token(RESOURCE);
    issuer.isUp = false;
    const answers = [await call(handle, bearer(token)), await call(handle, bearer(token))];
    expect(answers.map(({ status }) => status)).toEqual([503, 503]);
    expect(answers[0]?.text).toContain('"code":-32603');
    const asked = issuer.requests.length;
    await call(handle, bearer(token));
    expect(issuer.requests.length).toBe(asked);
    expect(reports).toHaveLength(3);
    expect(
      JSON.stringify(reports, (_, value: unknown) => (value instanceof Error ? value.message : value)),
    ).not.toContain(token);
  });

  test("continue to work from the cache while the issuer is down", async () => {
    const handle = protectedServer();
    expect((await call(handle, bearer(await issuer.token(RESOURCE)))).status).toBe(200);
    issuer.isUp = false;
    expect((await call(handle, bearer(await issuer.token(RESOURCE, { jti: 2 })))).status).toBe(200);
  });

  test("must belong to an issuer of exactly this name", async () => {
    const handle = protectedBy(oauth({ issuer: `${issuer.url}/`, resource: RESOURCE }));
    const token = await issuer.token(RESOURCE, { iss: `${issuer.url}/` });
    expect((await call(handle, bearer(token))).status).toBe(503);
  });

  test("may be published at a configured address", async () => {
    const handle = protectedServer({ verify: jwt({ jwksUri: `${issuer.url}/keys` }) });
    expect((await call(handle, bearer(await issuer.token(RESOURCE)))).status).toBe(200);
    expect(issuer.requests).toEqual(["/keys"]);
  });

  test("verify tokens of a configured type in any spelling", async () => {
    const handle = protectedServer({ verify: jwt({ types: ["application/AT+jwt"] }) });
    const statuses = ["at+jwt", "application/at+JWT", "jwt"].map(async (typ) => {
      const token = await issuer.token(RESOURCE, { jti: typ }, { typ });
      return (await call(handle, bearer(token))).status;
    });
    expect(await Promise.all(statuses)).toEqual([200, 200, 401]);
  });

  test("published by one issuer do not verify tokens of another", async () => {
    const handle = protectedServer({
      issuer: [issuer.url, "https://other.example"],
      verify: jwt({ jwksUri: `${issuer.url}/keys` }),
    });
    const forged = await issuer.token(RESOURCE, { iss: "https://other.example" });
    expect((await call(handle, bearer(forged))).status).toBe(503);
    expect(reports).toMatchObject([{ error: { message: expect.stringContaining("several") as string } }]);
  });

  test("must be public", () => {
    for (const algorithm of ["HS256", "none"])
      expect(() => jwt({ algorithms: [algorithm] })).toThrow("has no public key");
  });
});

describe("token introspection", () => {
  const serveWithIntrospection = () =>
    protectedServer({
      verify: introspection({ url: `${issuer.url}/introspect`, clientId: "mcp", clientSecret: "a secret" }),
    });

  test("determines whether a token is active", async () => {
    issuer.introspected.set("good", { active: true, sub: "ada", aud: RESOURCE });
    issuer.introspected.set("foreign", { active: true, sub: "ada", aud: "https://other.example" });
    const handle = serveWithIntrospection();
    expect((await call(handle, bearer("good"))).status).toBe(200);
    expect((await call(handle, bearer("gone"))).challenge).toContain("not active");
    expect((await call(handle, bearer("foreign"))).challenge).toContain("not for this server");
  });

  test("happens once per token, and for a limited number of tokens at the same time", async () => {
    issuer.introspected.set("good", { active: true, sub: "ada", aud: RESOURCE });
    const verify = introspection({
      url: `${issuer.url}/introspect`,
      clientId: "mcp",
      clientSecret: "a secret",
      concurrency: 2,
    });
    const handle = protectedServer({ verify });
    let answer = (): void => {};
    issuer.patience = new Promise((resolve) => (answer = resolve));
    const waiting = ["good", "made-up", "good"].map((token) => call(handle, bearer(token)));
    await expect.poll(() => issuer.requests.length).toBe(2);
    expect((await call(handle, bearer("made-up-too"))).status).toBe(503);
    answer();
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([200, 401, 200]);
    expect(issuer.requests).toHaveLength(2);
    expect((await call(handle, bearer("made-up-too"))).status).toBe(401);
    for (const concurrency of [0, 1.5, Number.NaN])
      expect(() => introspection({ url: "", clientId: "", clientSecret: "", concurrency })).toThrow(
        TypeError,
      );
  });

  test("with a malformed response admits no caller, and reveals none of its text", async () => {
    for (const text of ["<html>", "[]", "null", "x".repeat(2 << 20)]) {
      issuer.introspectionText = text;
      const { status, text: body } = await call(serveWithIntrospection(), bearer("good"));
      expect(status).toBe(503);
      expect(body).toMatch(/internal error \(reference /);
    }
  });

  test("admits no caller while the endpoint is down", async () => {
    issuer.isUp = false;
    expect((await call(serveWithIntrospection(), bearer("good"))).status).toBe(503);
  });
});

describe("a custom verifier", () => {
  test("is called once per token, and cannot skip the checks", async () => {
    let asked = 0;
    const verify: OAuthOptions["verify"] = async (token) => {
      asked += 1;
      if (token === "bad") throw new InvalidTokenError("The token is bad.");
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

describe("a verifier that calls a library", () => {
  const key = new TextEncoder().encode("a secret of thirty-two characters");
  const sign = (claims: JWTPayload, expires = "1h", by = key): Promise<string> =>
    new SignJWT({ sub: "ada", iss: issuer.url, aud: RESOURCE, ...claims })
      .setProtectedHeader({ alg: "HS256" })
      .setExpirationTime(expires)
      .sign(by);
  const serveWithJose = (): HttpHandler =>
    protectedServer({
      verify: async (token) => (await jwtVerify(token, key, { issuer: issuer.url })).payload,
    });

  test("admits the callers that the library admits", async () => {
    expect((await call(serveWithJose(), bearer(await sign({})))).status).toBe(200);
  });

  test.each([
    ["expired", async () => sign({}, "-1h"), "The token has expired."],
    ["forged", async () => sign({}, "1h", key.slice(1)), "The token's signature is wrong."],
    ["of another issuer", async () => sign({ iss: "https://evil.example" }), "missing or wrong"],
    ["nonsense", async () => "nonsense", "The token is not a JWT."],
    ["for another server", async () => sign({ aud: "https://other.example" }), "not for this server"],
  ])("rejects a token that is %s like any other invalid token", async (_, make, reason) => {
    const { status, challenge } = await call(serveWithJose(), bearer(await make()));
    expect({ status, challenge }).toEqual({
      status: 401,
      challenge: expect.stringContaining(reason) as string,
    });
    expect(challenge).toContain('error="invalid_token"');
    expect(reports).toEqual([]);
  });

  const createError = (fields: object): Error => Object.assign(new Error(), fields);
  test.each([
    [createError({ name: "TokenExpiredError", message: "jwt expired" }), 401],
    [createError({ name: "JsonWebTokenError", message: "invalid signature" }), 401],
    [createError({ name: "JsonWebTokenError", message: "jwt audience invalid. expected: x" }), 401],
    [createError({ name: "JsonWebTokenError", message: "secret or public key must be provided" }), 503],
    [createError({ name: "TokenError", code: "FAST_JWT_INVALID_SIGNATURE" }), 401],
    [createError({ name: "TokenError", code: "FAST_JWT_KEY_FETCHING_ERROR" }), 503],
    [createError({ name: "JWKSTimeout", code: "ERR_JWKS_TIMEOUT" }), 503],
  ])("distinguishes an invalid token from other errors: %o", async (error, expected) => {
    const { status } = await call(protectedServer({ verify: () => Promise.reject(error) }), bearer("a.b.c"));
    expect(status).toBe(expected);
  });
});

test("tokens may name scopes in a shorter form, as Entra's do", async () => {
  const verify = jwt();
  const { authenticate } = oauth({
    issuer: issuer.url,
    resource: RESOURCE,
    audience: "ID",
    scopes: { "api://ID/files.read": {} },
    verify: async (token, context) => {
      const { scp = "", ...claims } = await verify(token, context);
      return { ...claims, scope: String(scp).replaceAll(/\S+/g, (name) => `api://ID/${name}`) };
    },
  });
  const token = await issuer.token("ID", { scp: "files.read other", appid: "an app" });
  const header = (name: string) => (name === "authorization" ? `Bearer ${token}` : undefined);
  expect(await authenticate({ method: "POST", header })).toMatchObject({
    scopes: ["api://ID/files.read", "api://ID/other"],
    client: "an app",
  });
});

describe("an API key", () => {
  const handle = () =>
    protectedBy(
      apiKeys({ "a-key-of-ada-0123456789": "ada", "a-key-of-grace-0123456": { subject: "grace" } }),
    );
  const served = { host: "localhost" };

  test.each([bearer("a-key-of-ada-0123456789"), { "x-api-key": "a-key-of-grace-0123456" }])(
    "is accepted as %j",
    async (headers) => {
      expect((await call(handle(), { ...served, ...headers })).status).toBe(200);
    },
  );

  test("is required, and a wrong one is rejected", async () => {
    expect(await call(handle(), served)).toMatchObject({ status: 401, challenge: "Bearer" });
    const wrong = await call(handle(), { ...served, ...bearer("a-key-of-ada-012345678") });
    expect(wrong.status).toBe(401);
    expect(wrong.challenge).toContain('error="invalid_token"');
  });

  test("is rejected at startup if it can be guessed", () => {
    expect(() => apiKeys({ hunter2: "ada" })).toThrow("at least 16 characters");
    expect(() => apiKeys({})).toThrow("at least one key");
  });

  test.each([
    [" a-key-of-ada-0123456789", "a space or a line break"],
    ["a-key-of-ada 0123456789", "a space or a line break"],
    ["a-key-of-ada-0123456789\n", "a space or a line break"],
    ["a-key-of-adä-0123456789", "a character outside ASCII"],
  ])("is rejected at startup if no client can send it: %j", (key, found) => {
    expect(() => apiKeys({ [key]: "ada" })).toThrow(`apiKeys: a key contains ${found}`);
  });

  test.each([(key: string) => bearer(key), (key: string) => ({ "x-api-key": key })])(
    "may contain all visible characters of ASCII",
    async (send) => {
      const key = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";
      const response = await call(protectedBy(apiKeys({ [key]: "ada" })), { ...served, ...send(key) });
      expect(response.status).toBe(200);
    },
  );

  // A string would be a list of its characters. A key without a user has the value undefined.
  test.each([{ subject: "ada", scopes: "files:read" }, {}, undefined, null])(
    "needs a caller with a subject, and scopes in a list: %j",
    (principal) => {
      expect(() => apiKeys({ "a-key-of-ada-0123456789": principal as never })).toThrow(
        "A principal needs a non-empty string as `subject`; `scopes` must be a list, and `expiresAt` a Date.",
      );
    },
  );
});

test("handlers cannot change the cached claims of a token", async () => {
  const claims = { groups: ["readers"], nested: { roles: ["none"] } };
  const verify = async () => ({ iss: "https://a", aud: RESOURCE, sub: "ada", exp: 1e11, ...claims });
  const { authenticate } = oauth({ issuer: "https://a", resource: RESOURCE, verify });
  const header = (name: string) => (name === "authorization" ? "Bearer a" : undefined);
  const principal = (await authenticate({ method: "POST", header })) as unknown as { claims: typeof claims };
  expect(() => principal.claims.groups.push("owners")).toThrow(TypeError);
  expect(() => principal.claims.nested.roles.push("all")).toThrow(TypeError);
  expect(() => Object.assign(principal.claims, { admin: true })).toThrow(TypeError);
});

test.each(["", "login.example.com", "file:///keys", []])("an issuer %j is rejected at startup", (given) => {
  expect(() => oauth({ issuer: given, resource: RESOURCE })).toThrow("oauth: `issuer` must");
});

test.each(["", "files read", "files\tread"])(
  "the scope %j, which no token can contain, is rejected",
  (scope) => {
    const given = { issuer: "https://login.example.com", resource: RESOURCE, scopes: { [scope]: {} } };
    expect(() => oauth(given)).toThrow(
      `oauth: the scope ${JSON.stringify(scope)} must be a name without spaces`,
    );
  },
);

test("a verifier that is not a function is rejected at startup", () => {
  const given = { issuer: "https://login.example.com", resource: RESOURCE, verify: {} as never };
  expect(() => oauth(given)).toThrow("oauth: `verify` must be a function");
});

test.each([
  [{ types: [] }, "`types` must not be empty"],
  [{ algorithms: [] }, "`algorithms` must not be empty"],
  [{ jwksUri: "keys.json" }, '`jwksUri` must be a URL (got "keys.json")'],
])("jwt(%j), which would accept no token, is rejected at startup", (options, problem) => {
  expect(() => jwt(options)).toThrow(`jwt: ${problem}`);
});

test("an issuer that another machine can pretend to be is reported", () => {
  const issuers = ["http://login.example.com", "https://login.example.com", "http://127.0.0.1:8080"];
  const entries: LogEntry[] = [];
  oauth({ issuer: issuers, resource: RESOURCE }).logProblems?.([], (entry) => entries.push(entry));
  expect(entries).toEqual([
    {
      level: "warn",
      event: "access",
      msg: expect.stringContaining("the issuer http://login.example.com does not use https") as string,
    },
  ]);
});

test.each([
  [{ url: "" }, "`url` must not be empty"],
  [{ clientId: "" }, "`clientId` must not be empty"],
  [{ clientSecret: "" }, "`clientSecret` must not be empty"],
  [{ url: "login.example.com" }, '`url` must be a URL (got "login.example.com")'],
])("introspection with %j is rejected at startup", (options, problem) => {
  const valid = { url: "https://login.example.com/introspect", clientId: "mcp", clientSecret: "a secret" };
  expect(() => introspection({ ...valid, ...options })).toThrow(`introspection: ${problem}`);
});

test("a server may not identify callers in two ways", () => {
  const auth = apiKeys({ "a-key-of-ada-0123456789": "ada" });
  expect(() => createServer(createFixture({ auth, http: { principal: () => "ada" } }))).toThrow("remove one");
});
