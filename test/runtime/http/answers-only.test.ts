/**
 * A server that sends only responses needs no streams that can be resumed. These tests show what its clients receive over HTTP.
 */
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as HttpV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { createNotifier, type ServerConfig, UrlElicitationRequiredError } from "@tenon/runtime";
import { createHttpHandler, type HttpHandler } from "@tenon/runtime/http";
import type { HandlerParameter, ToolEntry } from "@tenon/runtime/manifest";
import { listen } from "@tenon/runtime/node";
import type { Server } from "@tenon/runtime/server";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { LATEST, LATEST_LEGACY, quietServer } from "../../support/describe-transports.js";
import { headersFor } from "../../support/wires.js";
import type { WireMessage } from "../../wire/schemas.mjs";

/** Records the calls that the handlers of a server receive. */
class Calls {
  static stopped = 0;
  static finish: (() => void) | undefined;

  add(a: number, b: number): string {
    return String(a + b);
  }

  connect(): string {
    const url = "https://example.com/connect";
    throw new UrlElicitationRequiredError([{ message: "Connect.", url, id: "flow" }]);
  }

  wait(signal: AbortSignal): Promise<string> {
    return new Promise((resolve) => {
      Calls.finish = () => resolve("done");
      signal.addEventListener("abort", () => {
        Calls.stopped++;
      });
    });
  }
}

const tool = (method: string, ...parameters: HandlerParameter[]): ToolEntry => ({
  definition: { name: method, inputSchema: { type: "object" } },
  handler: { module: "src/calls.ts", export: "Calls", method, parameters },
  input: {},
  output: { kind: "text" },
});

function plainServer(config: ServerConfig = {}): Server {
  return quietServer({
    config,
    manifest: {
      manifestVersion: 1,
      server: { name: "plain", version: "1.0.0" },
      tools: [
        tool("add", { from: "argument", name: "a" }, { from: "argument", name: "b" }),
        tool("connect"),
        tool("wait", { from: "signal" }),
      ],
      prompts: [],
      resources: [],
      resourceTemplates: [],
    },
    classes: { "src/calls.ts": { Calls } },
    validators: {
      tools: { add: { input: () => true }, connect: { input: () => true }, wait: { input: () => true } },
      prompts: {},
      resourceTemplates: {},
    },
  });
}

const request = (id: number, method: string, params: object = {}): WireMessage => ({
  jsonrpc: "2.0",
  id,
  method,
  params: { ...params },
});

const call = (id: number, name: string): WireMessage =>
  request(id, "tools/call", { name, arguments: { a: 1, b: 2 } });

function send(handle: HttpHandler, message: WireMessage, headers: Record<string, string>): Promise<Response> {
  const body = JSON.stringify(message);
  const init = { method: "POST", headers: { ...headersFor(message), ...headers }, body };
  return handle(new Request("http://localhost/mcp", init));
}

const bare = (handle: HttpHandler, method: string, headers: Record<string, string>): Promise<Response> =>
  handle(
    new Request("http://localhost/mcp", { method, headers: { accept: "text/event-stream", ...headers } }),
  );

async function openSession(
  handle: HttpHandler,
  capabilities: object = {},
): Promise<{ "mcp-session-id": string }> {
  const clientInfo = { name: "test", version: "1" };
  const params = { protocolVersion: LATEST_LEGACY, capabilities, clientInfo };
  const response = await send(handle, request(0, "initialize", params), {});
  await response.text();
  return { "mcp-session-id": response.headers.get("mcp-session-id") ?? "" };
}

afterEach(() => {
  vi.useRealTimers();
});

describe("a session of a server that only responds", () => {
  test("has no stream to open or resume", async () => {
    const handle = createHttpHandler(plainServer());
    const session = await openSession(handle);
    for (const more of [{}, { "last-event-id": "0-0" }, { "mcp-protocol-version": LATEST_LEGACY }]) {
      const response = await bare(handle, "GET", { ...session, ...more } as Record<string, string>);
      expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"]);
    }
    expect((await send(handle, call(1, "add"), session)).status).toBe(200);
  });

  test("must be named and must exist", async () => {
    const handle = createHttpHandler(plainServer());
    const forged = { "mcp-session-id": "forged" };
    for (const method of ["GET", "DELETE"]) {
      expect((await bare(handle, method, forged)).status).toBe(404);
      expect((await bare(handle, method, { "mcp-protocol-version": LATEST_LEGACY })).status).toBe(400);
      expect((await bare(handle, method, { "mcp-protocol-version": LATEST })).status).toBe(405);
    }
    expect((await send(handle, call(1, "add"), forged)).status).toBe(404);
    expect((await send(handle, call(1, "add"), {})).status).toBe(400);
  });

  test("ends with DELETE", async () => {
    const handle = createHttpHandler(plainServer());
    const session = await openSession(handle);
    expect((await bare(handle, "PUT", session)).headers.get("allow")).toBe("POST, DELETE");
    expect((await bare(handle, "DELETE", session)).status).toBe(204);
    expect((await send(handle, call(1, "add"), session)).status).toBe(404);
  });

  test("serves a long call on a stream that comments keep open, without event IDs", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
    const handle = createHttpHandler(plainServer());
    const session = await openSession(handle);
    const answered = send(handle, call(1, "wait"), session);
    await expect.poll(() => Calls.finish).toBeDefined();
    vi.advanceTimersByTime(30_000);
    const response = await answered;
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    Calls.finish?.();
    expect(await response.text()).toMatch(/^: \n\n: \n\ndata: \{"jsonrpc":"2\.0","id":1,"result":.*\}\n\n$/);
  });

  test("responds without a stream to a call that arrives shortly before comments are sent", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
    const handle = createHttpHandler(plainServer());
    const session = await openSession(handle);
    vi.advanceTimersByTime(14_000);
    Calls.finish = undefined;
    const answered = send(handle, call(1, "wait"), session);
    await expect.poll(() => Calls.finish).toBeDefined();
    vi.advanceTimersByTime(2000);
    (Calls.finish as (() => void) | undefined)?.();
    expect((await answered).headers.get("content-type")).toBe("application/json");
  });

  test("responds with an event if its client accepts nothing else", async () => {
    const handle = createHttpHandler(plainServer());
    const session = await openSession(handle);
    const response = await send(handle, call(1, "add"), { ...session, accept: "text/event-stream" });
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    expect(await response.text()).toMatch(/^data: \{.*"text":"3".*\}\n\n$/);
  });

  test("allows cancellation by another request of the same session only", async () => {
    const handle = createHttpHandler(plainServer());
    const [mine, foreign] = [await openSession(handle), await openSession(handle)];
    Calls.finish = undefined;
    const answered = send(handle, call(7, "wait"), mine);
    await expect.poll(() => Calls.finish).toBeDefined();
    const before = Calls.stopped;
    const cancel = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 7 } };
    expect((await send(handle, cancel, foreign)).status).toBe(202);
    expect(Calls.stopped).toBe(before);
    expect((await send(handle, cancel, mine)).status).toBe(202);
    expect(Calls.stopped).toBe(before + 1);
    expect(await (await answered).text()).toBe("");
  });
});

describe("a server with a notifier but without Context", () => {
  test("notifies clients on a stream when a user has completed an interaction at a URL", async () => {
    const notifier = createNotifier();
    const handle = createHttpHandler(plainServer({ notifier }));
    const session = await openSession(handle, { elicitation: { url: {} } });
    const stream = await bare(handle, "GET", { ...session, "mcp-protocol-version": LATEST_LEGACY });
    expect([stream.status, stream.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
    const asked = await send(handle, call(1, "connect"), session);
    expect(await asked.json()).toMatchObject({
      error: { code: -32042, data: { elicitations: [{ elicitationId: "flow" }] } },
    });
    notifier.elicitationCompleted("flow");
    await bare(handle, "DELETE", session);
    expect(await stream.text()).toContain(
      '{"jsonrpc":"2.0","method":"notifications/elicitation/complete","params":{"elicitationId":"flow"}}',
    );
  });
});

describe("the official clients of a server that only responds", () => {
  test.each([
    ["1.x", () => new ClientV1({ name: "official", version: "1" }), (url: URL) => new HttpV1(url)],
    ["2.x", () => new ClientV2({ name: "official", version: "1" }), (url: URL) => new HttpV2(url)],
  ])("work: %s, including the end of the session", async (_, createClient, createTransport) => {
    const listener = await listen(plainServer(), { port: 0 });
    onTestFinished(() => listener.close());
    const client = createClient() as ClientV1;
    const errors: Error[] = [];
    Object.assign(client, { onerror: (error: Error) => errors.push(error) });
    const transport = createTransport(new URL(listener.url)) as HttpV1;
    await client.connect(transport as Parameters<ClientV1["connect"]>[0]);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["add", "connect", "wait"]);
    expect(await client.callTool({ name: "add", arguments: { a: 1, b: 2 } })).toMatchObject({
      content: [{ text: "3" }],
    });
    await transport.terminateSession();
    expect(listener.endpoint.sessions).toBe(0);
    await client.close();
    expect(errors).toEqual([]);
  });
});

describe("HTTP+SSE", () => {
  test("is served only if it is configured", async () => {
    const old = await listen(plainServer(), { port: 0, sse: true });
    onTestFinished(() => old.close());
    const opened = await fetch(new URL("/sse", old.url));
    expect([opened.status, opened.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
    await opened.body?.cancel();
    const listener = await listen(plainServer(), { port: 0 });
    onTestFinished(() => listener.close());
    expect((await fetch(new URL("/sse", listener.url))).status).toBe(404);
  });
});
