/**
 * Requests that reach a mounted server in a state that only an application can cause.
 */
import { once } from "node:events";
import { createServer as createHttp, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { createHttpHandler } from "@tenon/runtime/http";
import { createNodeHandler, type NodeHandler } from "@tenon/runtime/node";
import { routes } from "@tenon/runtime/routes";
import { createServer } from "@tenon/runtime/server";
import { createSseHandler } from "@tenon/runtime/sse";
import { describe, expect, onTestFinished, test } from "vitest";
import { quietServer } from "../../support/describe-transports.js";
import { headersFor } from "../../support/wires.js";
import { ADDRESS_CALL } from "../fixture/address-call.js";
import { createFixture } from "../fixture/application.js";

const BODY = JSON.stringify(ADDRESS_CALL);
const POST = { method: "POST", headers: headersFor(ADDRESS_CALL) };
const CONSUMED = "The request body was already read.";

const request = (body: RequestInit["body"] = BODY, more: RequestInit = {}): Request =>
  new Request("http://localhost/mcp", { ...POST, body, duplex: "half", ...more } as RequestInit);

describe("the web handler", () => {
  const handle = createHttpHandler(quietServer(createFixture()));

  test("rejects a request whose body was read", async () => {
    const read = request();
    await read.text();
    const response = await handle(read);
    expect(response.status).toBe(500);
    expect(await response.text()).toContain(CONSUMED);
  });

  test("rejects a request whose body is being read", async () => {
    const locked = request();
    locked.body?.getReader();
    expect((await handle(locked)).status).toBe(500);
  });

  test("responds even if the client disconnects while it is sending its body", async () => {
    const body = new ReadableStream({ pull: (controller) => controller.error(new Error("Gone.")) });
    expect((await handle(request(body))).status).toBe(499);
  });

  test("responds even if the client disconnects while a handler is working", async () => {
    const { params, ...rest } = ADDRESS_CALL;
    const message = { ...rest, params: { ...params, name: "wait" } };
    const stopping = new AbortController();
    const { signal } = stopping;
    const more = { headers: headersFor(message), signal };
    const response = handle(request(JSON.stringify(message), more));
    setTimeout(() => stopping.abort(), 20);
    expect((await response).status).toBe(499);
  });
});

describe("on Bun, which ends connections that are idle", () => {
  const timeouts: [Request, number][] = [];
  const bun = {
    requestIP: () => null,
    timeout(this: unknown, each: Request, seconds: number): void {
      expect(this).toBe(bun);
      timeouts.push([each, seconds]);
    },
  };
  const eventsOnly = { ...POST.headers, accept: "text/event-stream" };
  const platforms: [string, object][] = [
    ["Bun's server", bun],
    ["a context of Hono", { env: bun }],
  ];

  test.each(platforms)("a stream stays open, with %s", async (_, platform) => {
    timeouts.length = 0;
    const streamed = request(BODY, { headers: eventsOnly });
    const response = await createHttpHandler(quietServer(createFixture()))(streamed, platform);
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    expect(timeouts).toEqual([[streamed, 0]]);
  });

  test("a stream of HTTP+SSE stays open", async () => {
    timeouts.length = 0;
    const opened = new Request("http://localhost/sse", { headers: { accept: "text/event-stream" } });
    const response = await createSseHandler(quietServer(createFixture()))(opened, bun);
    expect(timeouts).toEqual([[opened, 0]]);
    await response.body?.cancel();
  });

  test("other requests keep the time limit of Bun", async () => {
    timeouts.length = 0;
    const response = await createHttpHandler(quietServer(createFixture()))(request(), bun);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(timeouts).toEqual([]);
  });
});

/** Serves requests that an application has changed. */
async function send(
  path: string,
  serve: (...parameters: Parameters<NodeHandler>) => void,
): Promise<Response> {
  const http = createHttp((incoming, outgoing) => serve(incoming, outgoing, () => outgoing.end("next")));
  await once(http.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void http.close());
  const { port } = http.address() as AddressInfo;
  return fetch(`http://127.0.0.1:${port}${path}`, { ...POST, body: BODY });
}

describe("the handler for node:http", () => {
  const circular: Record<string, unknown> = {};
  circular["self"] = circular;

  test.each<[string, unknown]>([
    ["has no value", undefined],
    ["contains itself", circular],
    ["contains a bigint", { id: 5n }],
  ])("rejects a request whose parsed body %s", async (_name, body) => {
    const handle = createNodeHandler(quietServer(createFixture()));
    const response = await send("/mcp", (incoming, outgoing, next) => {
      const parsed = incoming as IncomingMessage & { body?: unknown };
      parsed.body = body;
      parsed.on("data", () => {}).on("end", () => handle(parsed, outgoing, next));
    });
    expect(response.status).toBe(500);
    expect(await response.text()).toContain(CONSUMED);
  });

  test("uses a parsed body that arrived compressed", async () => {
    const handle = createNodeHandler(quietServer(createFixture()));
    const response = await send("/mcp", (incoming, outgoing, next) => {
      incoming.headers["content-encoding"] = "gzip";
      const parsed = Object.assign(incoming, { body: ADDRESS_CALL });
      parsed.on("data", () => {}).on("end", () => handle(parsed, outgoing, next));
    });
    expect(response.status).toBe(200);
  });

  test.each([
    ["the path for clients", {}, "/mcp", "/mcp"],
    [
      "other paths than that for clients",
      { path: "/api/mcp", http: { routes: routes({ "GET /hello": () => new Response("Hello.") }) } },
      "/mcp",
      "/hello",
    ],
  ])(
    "warns once if a framework that removes a prefix cannot forward %s",
    async (_name, given, url, missing) => {
      const warnings: string[] = [];
      const { path, ...config } = given as { path?: string };
      const server = createServer(createFixture({ ...config, log: ({ msg }) => warnings.push(msg) }));
      const handle = createNodeHandler(server, { path });
      for (let count = 0; count < 2; count++) {
        await send(`/api${url}?x=1`, (incoming, outgoing, next) => {
          handle(Object.assign(incoming, { originalUrl: incoming.url, url: `${url}?x=1` }), outgoing, next);
        });
      }
      expect(warnings.filter((each) => each.includes("mounted"))).toEqual([
        `The server is mounted at "/api", so it does not receive requests to ${missing}. ` +
          'Mount it without a prefix, and set the complete path: app.use(createNodeHandler(server, { path: "/api/mcp" })).',
      ]);
    },
  );

  test("does not warn of a prefix if everything is below it", async () => {
    const warnings: string[] = [];
    const server = createServer(createFixture({ log: ({ msg }) => warnings.push(msg) }));
    const handle = createNodeHandler(server, { path: "/api/mcp" });
    await send("/api/mcp", (incoming, outgoing, next) => {
      handle(Object.assign(incoming, { originalUrl: incoming.url, url: "/mcp" }), outgoing, next);
    });
    expect(warnings.filter((each) => each.includes("mounted"))).toEqual([]);
  });
});
