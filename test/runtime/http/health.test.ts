/**
 * Health requests of orchestrators and load balancers.
 */
import { once } from "node:events";
import { Agent, type IncomingMessage, request as send } from "node:http";
import { connect as connectSocket } from "node:net";
import type { HealthConfig, ServerConfig } from "@tenon/runtime";
import { apiKeys } from "@tenon/runtime/auth";
import { createHttpHandler } from "@tenon/runtime/http";
import { listen, type Listener } from "@tenon/runtime/node";
import { routes } from "@tenon/runtime/routes";
import { createServer } from "@tenon/runtime/server";
import { afterEach, describe, expect, test, vi } from "vitest";
import { LATEST, quietServer } from "../../support/describe-transports.js";
import { headersFor } from "../../support/wires.js";
import type { WireMessage } from "../../wire/schemas.mjs";
import { createFixture } from "../fixture/application.js";
import { createNotebook } from "../fixture/notebook.js";

const listeners: Listener[] = [];
afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  await Promise.all(listeners.splice(0).map((listener) => listener.close()));
});

async function start(health: HealthConfig | false | undefined, more: ServerConfig = {}): Promise<Listener> {
  const http = health === undefined ? {} : { health };
  const listener = await listen(quietServer(createFixture({ ...more, http })), { port: 0 });
  listeners.push(listener);
  return listener;
}

/** Returns the whole response to a request with these lines. */
async function raw({ port }: Listener, ...lines: string[]): Promise<string> {
  const socket = connectSocket(port, "127.0.0.1");
  socket.end(`${[...lines, "Connection: close", "", ""].join("\r\n")}`);
  let text = "";
  for await (const chunk of socket) text += String(chunk);
  return text;
}

const status = async ({ url }: Listener, path: string, method = "GET"): Promise<number> =>
  (await fetch(new URL(path, url), { method })).status;

/** Returns a function that requests the readiness of a server with this configuration. */
function readiness(health: HealthConfig): () => Promise<number> {
  const handle = createHttpHandler(quietServer(createFixture({ http: { health } })));
  return async () => (await handle(new Request("http://localhost/readyz"))).status;
}

describe("the health endpoint", () => {
  test("serves every caller, and reveals nothing else", async () => {
    const listener = await start(undefined, { auth: apiKeys({ "a-key-of-ada-0123456789": "ada" }) });
    for (const path of ["/healthz", "/readyz"]) {
      const answer = await raw(
        listener,
        `GET ${path}?verbose=1 HTTP/1.1`,
        "Host: 10.1.2.3:8080",
        "Origin: https://evil.example",
      );
      const [head = "", body] = answer.split("\r\n\r\n");
      const names = head.split("\r\n").map((line) => /^[\w-]+:|.*/.exec(line)?.[0].toLowerCase());
      expect(body).toBe("ok\n");
      expect(names).toEqual([
        "http/1.1 200 ok",
        "content-type:",
        "cache-control:",
        "content-length:",
        "date:",
        "connection:",
      ]);
      expect(await raw(listener, `GET ${path} HTTP/1.0`)).toMatch(/^HTTP\/1\.1 200 /);
      expect(await raw(listener, `HEAD ${path} HTTP/1.1`, "Host: x")).toMatch(/^HTTP\/1\.1 200 .*\r\n\r\n$/s);
    }
    expect(await status(listener, "/mcp", "POST")).toBe(401);
  });

  test.each(["POST", "PUT", "DELETE", "OPTIONS"])("does not serve %s", async (method) => {
    const listener = await start(undefined);
    const { status: code, headers } = await fetch(new URL("/healthz", listener.url), { method });
    expect([code, headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  });

  test("can be moved or disabled", async () => {
    const renamed = await start({ livePath: "/live", readyPath: "/health/ready" });
    expect(await status(renamed, "/live")).toBe(200);
    expect(await status(renamed, "/health/ready")).toBe(200);
    expect(await status(renamed, "/healthz")).toBe(404);
    const off = await start(false);
    expect(await status(off, "/healthz")).toBe(404);
    expect(await status(off, "/readyz")).toBe(404);
  });

  test("is left to the application if a handler is mounted, unless it is configured", async () => {
    const ask = async (config: ServerConfig): Promise<number> =>
      (await createHttpHandler(quietServer(createFixture(config)))(new Request("http://10.1.2.3/healthz")))
        .status;
    expect(await ask({})).toBe(404);
    expect(await ask({ http: { health: {} } })).toBe(200);
  });

  test.each<[HealthConfig, string]>([
    [{ livePath: "/mcp" }, "http.health cannot be at /mcp: that is the path of MCP"],
    [{ readyPath: "/healthz" }, "livePath and readyPath are both /healthz"],
    [{ livePath: "health" }, 'http.health.livePath must be a path such as "/healthz"'],
    [{ livePath: "/health/:id" }, 'needs a path such as "/mcp"'],
    [{ livePath: "/health/../x" }, 'needs a path such as "/mcp"'],
    [{ livePath: "//health" }, 'needs a path such as "/mcp"'],
    [
      { ready: true as never },
      "http.health.ready must be a function that returns whether the server is ready",
    ],
    [{ shutdownDelayMs: -1 }, "shutdownDelayMs must be a number of milliseconds"],
    [{ shutdownDelayMs: "5s" as never }, "shutdownDelayMs must be a number of milliseconds"],
  ])("cannot be configured as %j", async (health, problem) => {
    await expect(async () => start(health)).rejects.toThrow(problem);
    await expect(async () => start(health)).rejects.toBeInstanceOf(TypeError);
  });
});

describe("the readiness endpoint", () => {
  test.each<[string, () => boolean | Promise<boolean>, number]>([
    ["true", () => true, 200],
    ["true later", () => Promise.resolve(true), 200],
    ["false", () => Promise.resolve(false), 503],
    ["a value that is not a boolean", () => "yes" as never, 503],
  ])("has the right status if the author's check returns %s", async (_, ready, code) => {
    expect(await readiness({ ready })()).toBe(code);
  });

  test("fails if the check throws, which is logged once", async () => {
    const reports: unknown[] = [];
    const ready = vi.fn(() => Promise.reject(new Error("secret of the database")));
    const server = createServer(createFixture({ http: { health: { ready } } }), {
      onInternalError: ({ error }) => reports.push(error),
    });
    const handle = createHttpHandler(server);
    vi.spyOn(performance, "now").mockReturnValueOnce(0).mockReturnValueOnce(0).mockReturnValue(2000);
    for (let count = 0; count < 2; count++) {
      const response = await handle(new Request("http://localhost/readyz"));
      expect([response.status, await response.text()]).toEqual([503, "unavailable\n"]);
    }
    expect(reports).toHaveLength(1);
  });

  test("runs one check for concurrent requests, and caches it for a second", async () => {
    let runs = 0;
    let finish = (_ready: boolean): void => {};
    const ask = readiness({
      ready: () => {
        runs++;
        return new Promise((resolve) => {
          finish = resolve;
        });
      },
    });
    const many = Array.from({ length: 50 }, ask);
    finish(true);
    expect(new Set(await Promise.all(many))).toEqual(new Set([200]));
    expect(await ask()).toBe(200);
    expect(runs).toBe(1);
    const now = performance.now();
    vi.spyOn(performance, "now").mockReturnValue(now + 1001);
    const later = ask();
    finish(false);
    expect([await later, runs]).toEqual([503, 2]);
  });

  test("fails if the check does not end", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    let runs = 0;
    const ask = readiness({
      ready: () => {
        runs++;
        return new Promise(() => {});
      },
    });
    const answers = [ask(), ask()];
    await vi.advanceTimersByTimeAsync(5000);
    expect([...(await Promise.all(answers)), runs]).toEqual([503, 503, 1]);
  });

  test("fails first when the server stops, while calls continue", async () => {
    const listener = await start({ shutdownDelayMs: 60_000 });
    const call = (): Promise<number> =>
      fetch(listener.url, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: "{",
      }).then((response) => response.status);
    const { headers: before } = await fetch(new URL("/readyz", listener.url));
    expect(before.get("connection")).toBe("keep-alive");
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const closed = listener.close();
    const { status: code, headers } = await fetch(new URL("/readyz", listener.url));
    expect([code, headers.get("connection")]).toEqual([503, "close"]);
    expect(await status(listener, "/healthz")).toBe(200);
    expect(await call()).toBe(400);
    listeners.length = 0;
    await vi.advanceTimersByTimeAsync(60_000);
    vi.useRealTimers();
    await closed;
    const socket = connectSocket(listener.port, "127.0.0.1");
    const [error] = (await once(socket, "error")) as [{ code: string }];
    expect(error.code).toBe("ECONNREFUSED");
  });
});

test("connections close when their streams end during a shutdown, while other calls continue", async () => {
  let finish = (): void => {};
  const slow = new Promise<Response>((resolve) => {
    finish = () => resolve(new Response("done"));
  });
  const http = { routes: routes({ "GET /slow": () => slow }) };
  const listener = await listen(quietServer(createNotebook({ http })), { port: 0 });
  listeners.push(listener);
  const route = fetch(new URL("/slow", listener.url));
  const message: WireMessage = {
    jsonrpc: "2.0",
    id: 1,
    method: "subscriptions/listen",
    params: {
      notifications: { toolsListChanged: true },
      _meta: {
        "io.modelcontextprotocol/protocolVersion": LATEST,
        "io.modelcontextprotocol/clientCapabilities": {},
      },
    },
  };
  const agent = new Agent({ keepAlive: true });
  const request = send(listener.url, { method: "POST", agent, headers: headersFor(message) });
  request.end(JSON.stringify(message));
  const [response] = (await once(request, "response")) as [IncomingMessage];
  await once(response, "data");
  const disconnected = once(response.socket, "close");
  const closed = listener.close();
  await once(response.resume(), "end");
  expect(response.headers.connection).toBe("keep-alive");
  await disconnected;
  finish();
  expect(await (await route).text()).toBe("done");
  await closed;
});
