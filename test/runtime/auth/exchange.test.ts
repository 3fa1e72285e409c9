import { application as emitted } from "emitted:test/runtime/delegation/application.js";
import { createHash } from "node:crypto";
import {
  calculateJwkThumbprint,
  exportJWK,
  exportPKCS8,
  generateKeyPair,
  type JWTPayload,
  SignJWT,
} from "jose";
import type { LogEntry, Observer } from "@tenon/runtime";
import { oauth, tokenExchange, type TokenExchangeOptions, type TokenVerifier } from "@tenon/runtime/auth";
import { audit } from "@tenon/runtime/log";
import { allFeatures } from "@tenon/runtime/features";
import { connect } from "@tenon/runtime/testing";
import { createHttpHandler, type HttpHandler } from "@tenon/runtime/http";
import { createServer } from "@tenon/runtime/server";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { quietServer } from "../../support/describe-transports.js";
import { eventually } from "../../support/eventually.js";
import { withLoadedValidators } from "../../support/loaded-application.js";
import { headersFor, memoryWire } from "../../support/wires.js";
import { WireClient } from "../../support/wire-client.js";
import { Delegation } from "../delegation/src/delegation.js";
import { type ExchangingServer, startExchangingServer } from "./exchanging-server.js";
import { modern, openSession, pretendedToken, RESOURCE, send } from "./pretended-tokens.js";

const application = await withLoadedValidators(emitted);
const ORDERS = { audience: "orders", scope: "orders:read" };
const SECRET = "a secret: 50%";

let login: ExchangingServer;
let handle: HttpHandler | undefined;
let delegation: Delegation;
let log: LogEntry[];

const keys = await generateKeyPair("ES256", { extractable: true });

beforeAll(async () => {
  login = await startExchangingServer({
    resource: RESOURCE,
    clients: [
      { client_id: "mcp" },
      { client_id: "mcp post", token_endpoint_auth_method: "client_secret_post" },
      {
        client_id: "mcp-key",
        token_endpoint_auth_method: "private_key_jwt",
        jwks: { keys: [{ ...(await exportJWK(keys.publicKey)), alg: "ES256", kid: "1" }] } as never,
      },
    ],
  });
});
afterAll(() => login.close());
beforeEach(() => {
  login.exchanges.length = 0;
  login.lifetimes = { subject: 600, issued: 600 };
  login.patience = Promise.resolve();
  login.failure = undefined;
  delegation = new Delegation();
  log = [];
});
afterEach(async () => {
  vi.useRealTimers();
  await handle?.close();
});

function serve(
  options: Partial<TokenExchangeOptions> = {},
  { verify, observe = [] }: { verify?: TokenVerifier; observe?: Observer[] } = {},
): HttpHandler {
  const exchange = tokenExchange({ clientId: "mcp", clientSecret: SECRET, ...options });
  const auth = oauth({ issuer: login.issuer, resource: RESOURCE, exchange, verify });
  const config = { auth, provide: [delegation], observe, log: (entry: LogEntry) => void log.push(entry) };
  handle = createHttpHandler(createServer({ ...application, features: allFeatures, config }));
  return handle;
}

type Result = {
  content?: { text: string }[];
  isError?: boolean;
  _meta?: Record<string, unknown>;
  [member: string]: unknown;
};

interface Reply {
  readonly status: number;
  readonly challenge: string;
  readonly result: Result;
  readonly error: { code: number; message: string } | undefined;
}

/** Reads the last message of a response: JSON, or the last event. */
async function readReply(response: Response): Promise<Reply> {
  const text = await response.text();
  const json = text.startsWith("{")
    ? text
    : (text
        .match(/^data: (\{.*)$/gm)
        ?.at(-1)
        ?.slice(6) ?? "{}");
  const { result = {}, error } = JSON.parse(json) as { result?: Result; error?: Reply["error"] };
  return {
    status: response.status,
    challenge: response.headers.get("www-authenticate") ?? "",
    result,
    error,
  };
}

const getText = ({ result }: Reply): string => result.content?.[0]?.text ?? "";
const readClaims = (reply: Reply): Record<string, unknown> =>
  JSON.parse(getText(reply)) as Record<string, unknown>;

/** Calls a tool in a new session of 2025-11-25, or in a request of 2026-07-28. */
const eras = {
  "2025-11-25": async (token: string, name: string, args: object, meta: object = {}) => {
    const headers = await openSession(handle!, token);
    const params = { name, arguments: args, _meta: meta };
    return readReply(await send(handle!, { token, headers, message: { method: "tools/call", params } }));
  },
  "2026-07-28": async (token: string, name: string, args: object, meta: object = {}) => {
    const message = modern("tools/call", { name, arguments: args });
    const params = message.params as { _meta: object };
    params._meta = { ...params._meta, ...meta };
    return readReply(await send(handle!, { token, message }));
  },
};

const call = (token: string, request: object, path = "orders"): Promise<Reply> =>
  eras["2026-07-28"](token, "call", { url: `${login.apiUrl}/${path}`, request });

describe.each(Object.entries(eras))("in %s, a handler", (_, callTool) => {
  const callApi = (token: string, request: object = ORDERS): Promise<Reply> =>
    callTool(token, "call", { url: `${login.apiUrl}/orders`, request });

  test("calls an API on behalf of its caller, with a token for that API only", async () => {
    serve();
    const token = await login.signIn();
    const reply = await callApi(token);
    expect(readClaims(reply)).toMatchObject({
      sub: "ada",
      aud: "orders",
      scope: "orders:read",
      client_id: "mcp",
    });
    expect(login.exchanges).toEqual([
      {
        grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
        audience: "orders",
        scope: "orders:read",
        subject_token: token,
        subject_token_type: "urn:ietf:params:oauth:token-type:access_token",
        requested_token_type: "urn:ietf:params:oauth:token-type:access_token",
        authentication: "client_secret_basic",
      },
    ]);
  });

  test("shares the token with later and concurrent calls of the caller, and with no other request", async () => {
    serve();
    const token = await login.signIn();
    await Promise.all([callApi(token), callApi(token), callApi(token)]);
    await callApi(token);
    expect(login.exchanges).toHaveLength(1);
    await callApi(token, { audience: "orders", scope: ["orders:read", "orders:write"] });
    await callApi(token, { audience: "orders" });
    expect(login.exchanges).toHaveLength(3);
    await callApi(await login.signIn());
    expect(login.exchanges).toHaveLength(4);
  });

  test("rejects a token that its issuer no longer accepts, with a challenge", async () => {
    serve();
    const token = await login.signIn();
    await callApi(token, { audience: "mail" });
    await login.rotate();
    const reply = await callApi(token);
    expect(reply).toMatchObject({ status: 401, error: { message: expect.stringMatching(/Log in again/) } });
    expect(reply.challenge).toMatch(/^Bearer error="invalid_token", .*resource_metadata="https:\/\/mcp/);
    expect(JSON.stringify(reply)).not.toContain(token);
    expect(log.find(({ msg }) => msg.includes("invalid_request: invalid token …"))).toBeDefined();
    expect(JSON.stringify(log)).not.toContain(token);
    // The server fetches the new keys a few seconds later.
    vi.useFakeTimers({ toFake: ["Date"] });
    vi.advanceTimersByTime(6000);
    expect(readClaims(await callApi(await login.signIn()))).toMatchObject({ sub: "ada" });
  });
});

describe("a caller whose token expires during the call", () => {
  const begin = async (name: string, capabilities: object = {}) => {
    serve();
    login.lifetimes.subject = 1;
    let open = (): void => {};
    delegation.gate = new Promise((resolve) => {
      open = resolve;
    });
    const token = await login.signIn();
    const message = modern(
      "tools/call",
      { name, arguments: { url: `${login.apiUrl}/orders`, request: ORDERS } },
      capabilities,
    );
    (message.params as { _meta: Record<string, unknown> })._meta["progressToken"] = "p";
    return {
      token,
      open,
      reply: send(handle!, { token, message, headers: { accept: "application/json, text/event-stream" } }),
    };
  };
  const expire = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1100));

  test("receives a result with the challenge if the response has begun", async () => {
    const { reply, open } = await begin("callLater");
    const response = await reply;
    await expire();
    open();
    const { status, result } = await readReply(response);
    expect(status).toBe(200);
    expect(result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/has expired\. Log in again, and then repeat the call\.$/) }],
    });
    expect(result["_meta"]?.["mcp/www_authenticate"]).toEqual([
      expect.stringMatching(/^Bearer error="invalid_token".*resource_metadata=/),
    ]);
    expect(login.exchanges).toHaveLength(0);
  });

  const tasks = { extensions: { "io.modelcontextprotocol/tasks": {} } };
  const getTask = async (token: string, taskId: unknown): Promise<Result> => {
    const { result } = await readReply(
      await send(handle!, { token, message: modern("tasks/get", { taskId }, tasks) }),
    );
    return result;
  };

  test("receives the challenge as the result of a task, unless it logs in again meanwhile", async () => {
    const { reply, open } = await begin("callInTask", tasks);
    const { taskId } = (await readReply(await reply)).result;
    await expire();
    open();
    await delegation.gate;
    const renewed = await login.signIn();
    await eventually(async () => {
      const task = await getTask(renewed, taskId);
      expect(task["result"]).toMatchObject({
        isError: true,
        _meta: { "mcp/www_authenticate": [expect.stringMatching(/invalid_token/)] },
      });
    });
  });

  test("completes its task with its newer token", async () => {
    const { reply, open } = await begin("callInTask", tasks);
    const { taskId } = (await readReply(await reply)).result;
    login.lifetimes.subject = 600;
    const renewed = await login.signIn();
    await expire();
    await getTask(renewed, taskId);
    open();
    await eventually(async () => {
      const task = (await getTask(renewed, taskId)) as { result?: Result };
      expect(JSON.parse(task.result?.content?.[0]?.text ?? "{}")).toMatchObject({
        sub: "ada",
        aud: "orders",
      });
    });
    expect(login.exchanges[0]).toMatchObject({ subject_token: renewed });
  });

  test("does not complete it with a newer token that has more scopes", async () => {
    const { reply, open } = await begin("callInTask", tasks);
    const { taskId } = (await readReply(await reply)).result;
    login.lifetimes.subject = 600;
    const wider = await login.signIn("read write");
    await expire();
    await getTask(wider, taskId);
    open();
    await eventually(async () => {
      expect((await getTask(wider, taskId))["result"]).toMatchObject({ isError: true });
    });
    expect(login.exchanges).toHaveLength(0);
  });
});

describe("a token for another API", () => {
  test("is renewed before it expires", async () => {
    serve();
    const token = await login.signIn();
    vi.useFakeTimers({ toFake: ["Date"] });
    await call(token, ORDERS);
    vi.advanceTimersByTime(530_000);
    await call(token, ORDERS);
    expect(login.exchanges).toHaveLength(1);
    vi.advanceTimersByTime(15_000);
    const reply = await call(token, ORDERS);
    expect(login.exchanges).toHaveLength(2);
    expect(readClaims(reply)).toMatchObject({ aud: "orders" });
  });

  test("is used until it expires if the issuer is down when it should be renewed", async () => {
    serve();
    const token = await login.signIn();
    vi.useFakeTimers({ toFake: ["Date"] });
    await call(token, ORDERS);
    vi.advanceTimersByTime(550_000);
    login.failure = { status: 503, body: "down" };
    expect(readClaims(await call(token, ORDERS))).toMatchObject({ aud: "orders" });
  });

  test("is neither printed, written as JSON, nor stored", async () => {
    serve();
    const token = await login.signIn();
    const described = await eras["2026-07-28"](token, "describe", ORDERS);
    const { accessToken } = delegation.received!;
    expect(accessToken).toMatch(/^ey/);
    expect(getText(described)).toContain("tokenType");
    expect(getText(described)).not.toContain(accessToken);
    const stored = await eras["2026-07-28"](token, "store", ORDERS);
    expect(stored.result.isError).toBe(true);
  });

  test.each(["error", "cause", "message"])("is masked in the log and for observers: %s", async (how) => {
    serve({}, { observe: [audit({ arguments: true })] });
    const token = await login.signIn();
    login.failure = {
      status: 200,
      body: JSON.stringify({ access_token: "opaque 4711", token_type: "Bearer" }),
    };
    const { result } = await eras["2026-07-28"](token, "leak", { how, request: ORDERS });
    expect(result.isError).toBe(true);
    expect(JSON.stringify(log)).not.toContain("opaque 4711");
    expect(JSON.stringify(log)).toContain("rejected (secret)");
  });

  test("is not bound to the key of the caller's token, which the log reports once", async () => {
    const { publicKey, privateKey } = await generateKeyPair("ES256");
    const jwk = await exportJWK(publicKey);
    const cnf = { jkt: await calculateJwkThumbprint(jwk) };
    const verify = async (): Promise<JWTPayload> => JSON.parse(Buffer.from(token, "base64url").toString());
    serve({}, { verify });
    const token = pretendedToken({ iss: login.issuer, cnf });
    login.failure = { status: 200, body: JSON.stringify({ access_token: "opaque", token_type: "Bearer" }) };
    for (const audience of ["orders", "mail"]) {
      const ath = createHash("sha256").update(token).digest("base64url");
      const proof = await new SignJWT({ jti: audience, htm: "POST", htu: RESOURCE, ath })
        .setProtectedHeader({ alg: "ES256", typ: "dpop+jwt", jwk })
        .setIssuedAt()
        .sign(privateKey);
      const message = modern("tools/call", { name: "describe", arguments: { audience } });
      const body = { jsonrpc: "2.0" as const, id: 1, ...message };
      const headers = { ...headersFor(body as never), authorization: `DPoP ${token}`, dpop: proof };
      const response = await handle!(
        new Request(RESOURCE, { method: "POST", headers, body: JSON.stringify(body) }),
      );
      expect((await readReply(response)).result.isError).toBeUndefined();
    }
    expect(log.filter(({ msg }) => msg.includes("bound to a key of its client"))).toMatchObject([
      { level: "warn" },
    ]);
  });

  test("is rejected if it is bound to a key, which the server does not have", async () => {
    serve();
    const token = await login.signIn();
    login.failure = { status: 200, body: JSON.stringify({ access_token: "opaque", token_type: "DPoP" }) };
    const reply = await call(token, ORDERS);
    expect(getText(reply)).toContain("its operator must change the configuration");
    expect(JSON.stringify(log)).toContain("let the authorization server issue bearer tokens");
  });

  test("is obtained again in each round of a call, from the cache", async () => {
    serve();
    const token = await login.signIn();
    const params = { name: "callAsked", arguments: { url: `${login.apiUrl}/orders`, request: ORDERS } };
    const ask = (more: object = {}) =>
      send(handle!, { token, message: modern("tools/call", { ...params, ...more }, { elicitation: {} }) });
    const { result } = await readReply(await ask());
    const [key = ""] = Object.keys(result["inputRequests"] as object);
    const reply = await readReply(
      await ask({
        requestState: result["requestState"],
        inputResponses: { [key]: { action: "accept", content: {} } },
      }),
    );
    expect(readClaims(reply)).toMatchObject({ sub: "ada" });
    expect(login.exchanges).toHaveLength(1);
  });
});

describe("an actor", () => {
  test("is sent to the issuer", async () => {
    serve();
    const token = await login.signIn();
    const actor = { token: await login.signIn() };
    expect(readClaims(await call(token, { ...ORDERS, actor }))).toMatchObject({ aud: "orders" });
    expect(login.exchanges[0]).toMatchObject({
      actor_token: actor.token,
      actor_token_type: "urn:ietf:params:oauth:token-type:access_token",
    });
  });
});

describe("the server authenticates to the issuer with", () => {
  test.each([
    ["client_secret_post", { clientId: "mcp post", clientAuthentication: "client_secret_post" }],
    ["private_key_jwt", { clientId: "mcp-key", privateKey: true }],
  ] as const)("%s", async (method, { ...options }) => {
    const pem = await exportPKCS8(keys.privateKey);
    const jwk = { ...(await exportJWK(keys.privateKey)), alg: "ES256", kid: "1" };
    for (const key of "privateKey" in options ? [pem, jwk] : [undefined]) {
      serve({
        clientId: options.clientId,
        ...("clientAuthentication" in options && { clientAuthentication: options.clientAuthentication }),
        ...(key !== undefined && { clientSecret: undefined, privateKey: { key } }),
      });
      expect(readClaims(await call(await login.signIn(), ORDERS))).toMatchObject({ aud: "orders" });
      expect(login.exchanges.at(-1)).toMatchObject({ authentication: method });
      await handle?.close();
    }
  });
});

describe("an exchange fails", () => {
  const configuration = (code: string): RegExp =>
    new RegExp(`may not act for the caller \\(${code}\\): its operator must change the configuration`);

  test.each([
    ["an unknown API", { audience: "unknown" }, "invalid_target", "there is no API unknown"],
    ["a scope that the API lacks", { audience: "orders", scope: "all" }, "invalid_scope", "not allowed"],
  ])("for %s, and the operator learns why", async (_, request, code, reason) => {
    serve();
    const reply = await call(await login.signIn(), request);
    expect(reply.result.isError).toBe(true);
    expect(getText(reply)).toMatch(configuration(code));
    expect(getText(reply)).not.toContain(reason);
    const logged = log.find(({ event }) => event === "tool-error");
    expect(JSON.stringify(logged)).toContain(reason);
  });

  test("for a wrong secret, which is not logged", async () => {
    serve({ clientSecret: "another secret" });
    const reply = await call(await login.signIn(), ORDERS);
    expect(getText(reply)).toMatch(configuration("invalid_client"));
    expect(JSON.stringify(log)).not.toContain("another secret");
  });

  test("when the issuer is slow, within the time limit, and reports when to try again", async () => {
    serve({ timeoutMs: 1000 });
    const token = await login.signIn();
    let respond = (): void => {};
    login.patience = new Promise((resolve) => {
      respond = resolve;
    });
    const startedAt = performance.now();
    const replies = await Promise.all([call(token, ORDERS), call(token, ORDERS)]);
    expect(performance.now() - startedAt).toBeLessThan(4500);
    for (const reply of replies) expect(getText(reply)).toMatch(/is unavailable.* Try again in 5 seconds\.$/);
    expect(JSON.stringify(log)).toContain("no response within 1000 ms");
    respond();
    login.patience = Promise.resolve();
    expect(readClaims(await call(token, ORDERS))).toMatchObject({ aud: "orders" });
  });

  test("when the issuer limits requests, and reports when to try again", async () => {
    serve();
    const token = await login.signIn();
    login.failure = { status: 429, headers: { "retry-after": "30" }, body: "{}" };
    expect(getText(await call(token, ORDERS))).toMatch(/Try again in 30 seconds\.$/);
    const date = new Date(Date.now() + 3_600_000).toUTCString();
    login.failure = { status: 503, headers: { "retry-after": date }, body: "{}" };
    expect(getText(await call(token, ORDERS))).toMatch(
      /Try again in (an hour|60 minutes|3[56]\d\d seconds)\.$/,
    );
  });

  test.each([
    ["no token", "{}", /has no `access_token`/],
    ["a token that is not an access token", '{"access_token":"x","token_type":"N_A"}', /not an access token/],
    [
      "a refresh token",
      '{"access_token":"x","token_type":"Bearer","issued_token_type":"urn:ietf:params:oauth:token-type:refresh_token"}',
      /not an access token/,
    ],
    ["text that is not JSON", "<html>", /has no `access_token`/],
  ])("when the issuer responds with %s", async (_, body, reason) => {
    serve();
    const token = await login.signIn();
    login.failure = { status: 200, body };
    expect(getText(await call(token, ORDERS))).toMatch(/operator must change the configuration/);
    expect(JSON.stringify(log)).toMatch(reason);
  });

  test("when the handler names no API", async () => {
    serve();
    const reply = await call(await login.signIn(), {});
    expect(getText(reply)).toMatch(/failed because of an internal error/);
  });

  test("for calls without a token, for example over stdio", async () => {
    const exchange = tokenExchange({ clientId: "mcp", clientSecret: SECRET });
    const auth = oauth({ issuer: login.issuer, resource: RESOURCE, exchange });
    const server = quietServer({ ...application, features: allFeatures, config: { auth, log: () => {} } });
    const client = new WireClient(memoryWire(server, "ada"), { revision: "2025-11-25" });
    await client.open();
    const result = await client.result("tools/call", {
      name: "call",
      arguments: { url: "http://a.example", request: ORDERS },
    });
    expect(result).toMatchObject({
      isError: true,
      content: [
        {
          text: expect.stringMatching(
            /this call has no access token of the caller.*Connect over HTTP, log in/,
          ),
        },
      ],
    });
    await server.close();
  });

  test("on a server that is not configured for it, and the log names the option", async () => {
    const auth = oauth({ issuer: login.issuer, resource: RESOURCE });
    const config = { auth, log: (entry: LogEntry) => void log.push(entry) };
    const errors: unknown[] = [];
    handle = createHttpHandler(
      quietServer(
        { ...application, features: allFeatures, config },
        { onInternalError: ({ error }) => errors.push(error) },
      ),
    );
    expect(getText(await call(await login.signIn(), ORDERS))).toMatch(/internal error/);
    expect(String(errors[0])).toContain("exchange: tokenExchange(");
  });
});

describe("the on-behalf-of flow", () => {
  test("sends the parameters that Microsoft documents", async () => {
    serve({ grant: "on-behalf-of", clientAuthentication: "client_secret_post" });
    const token = await login.signIn();
    const fetched = vi.spyOn(globalThis, "fetch");
    const reply = await call(token, { scope: ["api://orders/.default", "offline_access"] });
    const [, init] = fetched.mock.calls.find(([url]) => String(url).endsWith("/token")) ?? [];
    fetched.mockRestore();
    expect(Object.fromEntries(init?.body as URLSearchParams)).toEqual({
      grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer",
      assertion: token,
      requested_token_use: "on_behalf_of",
      scope: "api://orders/.default offline_access",
      client_id: "mcp",
      client_secret: SECRET,
    });
    // oidc-provider has no such grant.
    expect(getText(reply)).toMatch(/configuration/);
  });
});

test("a call that another process has received asks its caller to log in", async () => {
  const exchange = tokenExchange({ clientId: "mcp", clientSecret: SECRET });
  const auth = oauth({ issuer: login.issuer, resource: RESOURCE, exchange });
  const server = quietServer({ ...application, features: allFeatures, config: { auth, log: () => {} } });
  const client = await connect(server, { principal: { subject: "ada", issuer: login.issuer } });
  expect(await client.callTool("call", { url: login.apiUrl, request: ORDERS })).toMatchObject({
    isError: true,
    content: [{ text: expect.stringMatching(/has not received an access token.*Log in again/) }],
    _meta: { "mcp/www_authenticate": [expect.stringMatching(/^Bearer error="invalid_token"/)] },
  });
  await server.close();
});

test("the credentials for one issuer are not sent to another", () => {
  const configure = (options: Partial<TokenExchangeOptions>) => () =>
    oauth({
      issuer: [login.issuer, "https://login.example.org"],
      resource: RESOURCE,
      exchange: tokenExchange({ clientId: "mcp", clientSecret: SECRET, ...options }),
    });
  expect(configure({})).toThrow("with several issuers, `tokenExchange` needs the option `issuer`");
  expect(configure({ issuer: login.issuer })).not.toThrow();
});

describe("tokenExchange rejects", () => {
  test.each<[object, RegExp]>([
    [{ clientId: "" }, /`clientId` must not be empty/],
    [{ clientSecret: undefined }, /pass either `clientSecret` or `privateKey`/],
    [{ privateKey: { key: "x" } }, /pass either `clientSecret` or `privateKey`/],
    ...[
      "key.pem",
      "-----BEGIN RSA PRIVATE KEY-----\nMIIB\n-----END RSA PRIVATE KEY-----",
      // Environment files without quotes keep the backslash.
      "-----BEGIN PRIVATE KEY-----\\nMIIB\\n-----END PRIVATE KEY-----",
      { kty: "EC", x: "public" },
      null,
    ].map((key): [object, RegExp] => [
      { clientSecret: undefined, privateKey: { key } },
      /`privateKey\.key` must be PKCS #8/,
    ]),
    [{ clientSecret: "" }, /`clientSecret` must not be empty\. Is its environment variable set\?/],
    [{ clientAuthentication: "none" }, /`clientAuthentication` must be/],
    [{ issuer: "login" }, /`issuer` must be a URL \(got "login"\)/],
    [{ tokenEndpoint: "/token" }, /`tokenEndpoint` must be a URL/],
    [{ grant: "obo" }, /`grant` must be "token-exchange" or "on-behalf-of"/],
    [{ timeoutMs: 0 }, /`timeoutMs` must be a whole number/],
  ])("%j", (options, message) => {
    expect(() => tokenExchange({ clientId: "mcp", clientSecret: SECRET, ...options })).toThrow(message);
  });
});
