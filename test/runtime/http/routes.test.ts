/**
 * The author's own routes, next to MCP.
 */
import { once } from "node:events";
import { request as httpRequest, type IncomingMessage } from "node:http";
import type { ServerConfig } from "@tenon/runtime";
import { apiKeys, oauth } from "@tenon/runtime/auth";
import { createHttpHandler } from "@tenon/runtime/http";
import { listen, type Listener } from "@tenon/runtime/node";
import { openAiChallenge, type RouteHandler, routes } from "@tenon/runtime/routes";
import { createServer, type Server } from "@tenon/runtime/server";
import { afterEach, describe, expect, test } from "vitest";
import { createFixture } from "../fixture/application.js";

const KEY = "a-key-of-ada-0123456789";

interface Sent {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** Sends a request to a path, and reads the whole response. */
type Send = (path: string, sent?: Sent) => Promise<{ status: number; headers: Headers; text: string }>;

const listeners: Listener[] = [];
const reports: { reference: string; subject: string }[] = [];
afterEach(async () => {
  reports.length = 0;
  await Promise.all(listeners.splice(0).map((listener) => listener.close()));
});

type Table = Parameters<typeof routes>[0];

function serverWith(table: Table, { http, ...more }: ServerConfig = {}): Server {
  const config = { limits: { drainTimeoutMs: 100 }, ...more, http: { ...http, routes: routes(table) } };
  return createServer(createFixture(config), { onInternalError: (report) => reports.push(report) });
}

async function node(server: Server): Promise<Send> {
  const listener = await listen(server, { port: 0 });
  listeners.push(listener);
  return async (path, { method = "GET", headers = {}, body } = {}) => {
    const request = httpRequest({ host: "127.0.0.1", port: listener.port, method, path, headers });
    request.end(body);
    const [response] = (await once(request, "response")) as [IncomingMessage];
    let text = "";
    for await (const chunk of response.setEncoding("utf8")) text += chunk as string;
    const pairs = Object.entries(response.headers).flatMap(([name, value = []]) =>
      [value].flat().map((each): [string, string] => [name, each]),
    );
    return { status: response.statusCode ?? 0, headers: new Headers(pairs), text };
  };
}

const web = (server: Server): Promise<Send> => {
  const handle = createHttpHandler(server, { address: () => "127.0.0.1" });
  return Promise.resolve(async (path, { method = "GET", headers = {}, body } = {}) => {
    const url = new URL(path, "http://localhost");
    const response = await handle(
      new Request(url, { method, headers, ...(body === undefined ? {} : { body }) }),
    );
    return { status: response.status, headers: response.headers, text: await response.text() };
  });
};

describe.each([
  ["the listener", node],
  ["the web handler", web],
])("routes of %s", (_, open) => {
  test("receive the request and its caller", async () => {
    const handle: RouteHandler = async (request, { principal, address }) =>
      new Response(
        JSON.stringify({
          method: request.method,
          url: request.url,
          body: await request.text(),
          type: request.headers.get("content-type"),
          subject: principal?.subject,
          address,
          key: request.headers.get("authorization"),
        }),
        {
          status: 201,
          headers: [
            ["set-cookie", "a=1"],
            ["set-cookie", "b=2"],
            ["x-mine", "yes"],
          ],
        },
      );
    const auth = apiKeys({ [KEY]: "ada" });
    const send = await open(serverWith({ "POST /hooks/github": handle }, { auth }));
    const headers = { authorization: `Bearer ${KEY}`, "content-type": "text/plain", host: "localhost:99" };
    const answer = await send("/hooks/github?a=1&a=2", { method: "POST", headers, body: "héllo" });
    expect(answer.status).toBe(201);
    expect(JSON.parse(answer.text)).toEqual({
      method: "POST",
      url: "http://localhost:99/hooks/github?a=1&a=2",
      body: "héllo",
      type: "text/plain",
      subject: "ada",
      address: "127.0.0.1",
      key: null,
    });
    expect(answer.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
    expect(answer.headers.get("x-mine")).toBe("yes");
    expect(answer.headers.get("content-type")).toBe("text/plain;charset=UTF-8");
  });

  test("respond to OpenAI's challenge with the token alone, without credentials", async () => {
    const send = await open(serverWith(openAiChallenge("token-1"), { auth: apiKeys({ [KEY]: "ada" }) }));
    const { status, headers, text } = await send("/.well-known/openai-apps-challenge");
    expect({ status, text }).toEqual({ status: 200, text: "token-1" });
    expect(headers.get("content-type")).toMatch(/^text\/plain/);
  });

  test("do not receive the key of an authenticated caller, in either header", async () => {
    const handle: RouteHandler = (request) => new Response(JSON.stringify([...request.headers]));
    const table: Table = { "GET /closed": handle, "GET /open": { auth: false, handle } };
    const send = await open(serverWith(table, { auth: apiKeys({ [KEY]: "ada" }) }));
    for (const headers of [{ "x-api-key": KEY }, { authorization: `Bearer ${KEY}` }])
      expect(await send("/closed", { headers })).toMatchObject({
        status: 200,
        text: expect.not.stringContaining(KEY) as string,
      });
    // The handler must authenticate the sender itself.
    expect((await send("/open", { headers: { "x-api-key": "mine" } })).text).toContain("mine");
  });

  test("require authentication unless configured otherwise", async () => {
    const seen: unknown[] = [];
    const handle: RouteHandler = (request, { principal }) => {
      seen.push(principal?.subject, request.headers.get("authorization"));
      return new Response(null, { status: 204 });
    };
    const table: Table = { "GET /closed": handle, "GET /open": { auth: false, handle } };
    const resource = "https://mcp.example.com/mcp";
    const verify = (): Promise<never> => Promise.reject(new Error("Nobody is verified."));
    for (const auth of [
      apiKeys({ [KEY]: "ada" }),
      oauth({ resource, issuer: "https://login.example.com", verify }),
    ]) {
      const send = await open(serverWith(table, { auth }));
      const rejected = await send("/closed");
      expect([rejected.status, rejected.headers.get("www-authenticate")]).toEqual([
        401,
        expect.stringMatching(/^Bearer/),
      ]);
      const wrong = await send("/closed", { headers: { authorization: "Bearer wrong" } });
      expect(wrong.status).toBeGreaterThanOrEqual(401);
      expect(seen).toEqual([]);
      expect((await send("/open", { headers: { authorization: "Basic c2VjcmV0" } })).status).toBe(204);
      expect(seen.splice(0)).toEqual([undefined, "Basic c2VjcmV0"]);
    }
  });

  test("respond with 405 and the methods that they support", async () => {
    const handle = (): Response => new Response("text", { headers: { "content-length": "4" } });
    const auth = apiKeys({ [KEY]: "ada" });
    const send = await open(
      serverWith({ "GET /page": { auth: false, handle }, "PUT /page": handle }, { auth }),
    );
    const head = await send("/page", { method: "HEAD" });
    expect([head.status, head.text, head.headers.get("content-length")]).toEqual([200, "", "4"]);
    for (const method of ["POST", "DELETE", "OPTIONS"]) {
      const answer = await send("/page", { method });
      expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, HEAD, PUT"]);
    }
    expect((await send("/page", { method: "PUT", body: "x" })).status).toBe(401);
    for (const path of ["/page/", "/Page", "//page", "/p%61ge", "/pages"]) {
      expect((await send(path)).status).toBe(404);
    }
  });

  test("check Host and Origin", async () => {
    const handle = (): Response => new Response("ok", { headers: { vary: "accept" } });
    const allowedOrigins = ["https://app.example.com"];
    const send = await open(serverWith({ "POST /hook": handle }, { http: { allowedOrigins } }));
    const post = (headers: Record<string, string>) => send("/hook", { method: "POST", headers, body: "" });
    expect((await post({ host: "evil.example.com" })).status).toBe(403);
    expect((await post({ origin: "https://evil.example.com" })).status).toBe(403);
    const answer = await post({ origin: "https://app.example.com" });
    expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([
      200,
      allowedOrigins[0],
    ]);
    expect(answer.headers.get("vary")).toBe("origin, accept");
    const preflight = await send("/hook", {
      method: "OPTIONS",
      headers: { origin: "https://app.example.com", "access-control-request-method": "POST" },
    });
    expect([preflight.status, preflight.headers.get("access-control-allow-methods")]).toEqual([204, "POST"]);
  });

  test("limit the size of request bodies", async () => {
    let calls = 0;
    const handle = (): Response => {
      calls++;
      return new Response("ok");
    };
    const send = await open(serverWith({ "POST /hook": handle }, { limits: { maxBodyBytes: 1000 } }));
    expect((await send("/hook", { method: "POST", body: "x".repeat(1001) })).status).toBe(413);
    expect(calls).toBe(0);
    expect((await send("/hook", { method: "POST", body: "x".repeat(1000) })).status).toBe(200);
  });

  test.each<[string, RouteHandler]>([
    ["throws", () => Promise.reject(new Error("secret of the database"))],
    [
      "throws at once",
      () => {
        throw new Error("secret of the database");
      },
    ],
    ["returns nothing", () => undefined as never],
    ["returns text", () => "secret" as never],
    ["returns a network error", () => Response.error()],
    [
      "returns a consumed response",
      async () => {
        const read = new Response("secret");
        await read.text();
        return read;
      },
    ],
  ])("respond with 500 and a reference if a handler %s", async (_name, handle) => {
    const send = await open(serverWith({ "GET /page": handle }));
    const answer = await send("/page");
    expect([answer.status, answer.headers.get("content-type")]).toEqual([500, "text/plain; charset=utf-8"]);
    expect(answer.text).toMatch(/^The route "GET \/page" failed .* \(reference [0-9a-f]{8}\)\.\n$/);
    expect(reports.map(({ reference }) => answer.text.includes(reference))).toEqual([true]);
  });

  test("receive the client's protocol behind a trusted proxy", async () => {
    const handle: RouteHandler = ({ url }, { address }) => new Response(JSON.stringify([url, address]));
    const trustedProxies = ["loopback"];
    const send = await open(serverWith({ "GET /page": handle }, { http: { trustedProxies } }));
    const headers = {
      host: "localhost",
      "x-forwarded-for": "203.0.113.9",
      "x-forwarded-proto": "http, HTTPS",
    };
    expect(JSON.parse((await send("/page", { headers })).text)).toEqual([
      "https://localhost/page",
      "203.0.113.9",
    ]);
    const untold = await open(serverWith({ "GET /page": handle }));
    expect(JSON.parse((await untold("/page", { headers })).text)).toEqual([
      "http://localhost/page",
      "127.0.0.1",
    ]);
  });

  test.each<[Record<string, unknown>, string]>([
    [{ "GET /mcp": () => new Response() }, "cannot be at /mcp: that is the path of MCP"],
    [{ "POST /readyz": () => new Response() }, "cannot be at /readyz: that is the path of http.health"],
    [{ "GET /.well-known/oauth-protected-resource/mcp": () => new Response() }, "that is the path of `auth`"],
    [{ "/callback": () => new Response() }, 'name each route like "GET /callback"'],
    [{ "get /callback": () => new Response() }, 'name each route like "GET /callback"'],
    [{ "OPTIONS /callback": () => new Response() }, 'name each route like "GET /callback"'],
    [{ "GET callback": () => new Response() }, 'name each route like "GET /callback"'],
    [{ "GET /users/:id": () => new Response() }, "without patterns or escapes"],
    [{ "GET /files/*": () => new Response() }, "without patterns or escapes"],
    [{ "GET /a/../mcp": () => new Response() }, "without patterns or escapes"],
    [{ "GET /%6dcp": () => new Response() }, "without patterns or escapes"],
    [{ "GET //mcp": () => new Response() }, "without patterns or escapes"],
    [{ "GET /page?x=1": () => new Response() }, "without patterns or escapes"],
    [{ "GET /page": "text" }, "must be a function, or { auth: false, handle: a function }"],
    [{ "GET /page": { auth: "no", handle: () => new Response() } }, "must be a function, or"],
    [{ "GET /page": null }, "must be a function, or"],
    [{ "GET /page": { atuh: false, handle: () => new Response() } }, "`atuh` is not an option"],
  ])("cannot be %j", async (table, problem) => {
    const auth = oauth({
      resource: "https://mcp.example.com/mcp",
      issuer: "https://login.example.com",
      verify: () => Promise.reject(new Error("Nobody is verified.")),
    });
    const opened = Promise.resolve().then(() =>
      open(serverWith(table as Table, { auth, http: { health: {} } })),
    );
    await expect(opened).rejects.toThrow(problem);
    await expect(opened).rejects.toBeInstanceOf(TypeError);
  });
});

test("a misspelled method does not compile", () => {
  // @ts-expect-error There is no such method.
  expect(() => routes({ "GTE /page": () => new Response() })).toThrow(TypeError);
});

test("an object of routes that `routes()` did not create is rejected", () => {
  const http = { routes: { "GET /page": () => new Response() } as never };
  const server = createServer(createFixture({ http }));
  expect(() => createHttpHandler(server)).toThrow(
    new TypeError("http.routes must be `routes({ … })` from @tenon/runtime/routes"),
  );
});

describe("a route on the listener", () => {
  async function start(table: Table): Promise<Listener> {
    const listener = await listen(serverWith(table), { port: 0 });
    listeners.push(listener);
    return listener;
  }

  test("sends a streamed body, and stops when its client disconnects", async () => {
    let send = (_text: string): void => {};
    const ended: string[] = [];
    const { url } = await start({
      "GET /stream": (request) => {
        request.signal.addEventListener("abort", () => ended.push("signal"));
        const body = new ReadableStream<Uint8Array>({
          start: (controller) => {
            send = (text) => controller.enqueue(new TextEncoder().encode(text));
          },
          cancel: () => void ended.push("body"),
        });
        return new Response(body, { headers: { "content-type": "text/event-stream" } });
      },
    });
    const controller = new AbortController();
    const response = await fetch(new URL("/stream", url), { signal: controller.signal });
    const reader = (response.body as ReadableStream<Uint8Array>)
      .pipeThrough(new TextDecoderStream())
      .getReader();
    send("one");
    expect((await reader.read()).value).toBe("one");
    send("two");
    expect((await reader.read()).value).toBe("two");
    controller.abort();
    await reader.read().catch(() => {});
    await expect.poll(() => ended.toSorted()).toEqual(["body", "signal"]);
    expect(reports).toEqual([]);
  });

  test("ends a body that fails, and logs the error", async () => {
    const { url } = await start({
      "GET /stream": () =>
        new Response(
          new ReadableStream({
            pull: () => Promise.reject(new Error("secret of the database")),
          }),
        ),
    });
    await expect(fetch(new URL("/stream", url)).then((response) => response.text())).rejects.toThrow();
    await expect.poll(() => reports).toMatchObject([{ subject: 'route "GET /stream"' }]);
  });

  test("is waited for and aborted when the server closes", async () => {
    let finish = (_response: Response): void => {};
    const signals: AbortSignal[] = [];
    const listener = await start({
      "GET /soon": ({ signal }) => {
        signals.push(signal);
        return new Promise<Response>((resolve) => {
          finish = resolve;
        });
      },
      "GET /never": ({ signal }) => {
        signals.push(signal);
        return new Promise<Response>(() => {});
      },
    });
    const soon = fetch(new URL("/soon", listener.url));
    const never = fetch(new URL("/never", listener.url));
    await expect.poll(() => signals.length).toBe(2);
    const closed = listener.close();
    finish(new Response("in time"));
    expect(await (await soon).text()).toBe("in time");
    expect((await never).status).toBe(503);
    await closed;
    expect(signals.map(({ aborted }) => aborted)).toEqual(expect.arrayContaining([true]));
  });
});

describe("the challenge of OpenAI", () => {
  test.each([undefined, ""])("has no route without a token: %j", (token) => {
    expect(openAiChallenge(token)).toEqual({});
  });

  test("receives nothing but a token", () => {
    expect(() => openAiChallenge("two words")).toThrow("must not contain spaces");
  });
});
