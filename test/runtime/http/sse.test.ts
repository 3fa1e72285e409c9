import { spawn } from "node:child_process";
import { once } from "node:events";
import type { HttpConfig, Limits } from "@tenon/runtime";
import { listen, type Listener } from "@tenon/runtime/node";
import { createHttpHandler } from "@tenon/runtime/http";
import { createServer } from "@tenon/runtime/server";
import { createSseHandler } from "@tenon/runtime/sse";
import { afterEach, describe, expect, onTestFinished, test } from "vitest";
import { quietServer, REVISIONS } from "../../support/describe-transports.js";
import { serverProgram } from "../../support/server-program.js";
import type { WireMessage } from "../../wire/schemas.mjs";
import { pretendedToken, trustingAuth } from "../auth/pretended-tokens.js";
import { createFixture } from "../fixture/application.js";
import { heldCalls, release } from "../fixture/src/handlers.js";
import { FIXTURE_ENTRY } from "../fixture/programs.js";

const listeners: Listener[] = [];
afterEach(async () => {
  await Promise.all(listeners.splice(0).map((listener) => listener.close()));
});

async function start(limits: Partial<Limits> = {}, http: HttpConfig = { sse: true }): Promise<Listener> {
  const listener = await listen(
    quietServer(createFixture({ limits: { drainTimeoutMs: 200, ...limits }, http })),
    {
      port: 0,
    },
  );
  listeners.push(listener);
  return listener;
}

test("a handler of web requests warns that it does not serve HTTP+SSE", () => {
  const warnings: string[] = [];
  const log = ({ msg }: { msg: string }): void => void warnings.push(msg);
  for (const sse of [true, false]) createHttpHandler(createServer(createFixture({ log, http: { sse } })));
  expect(warnings).toEqual([
    "`http: { sse: true }` has no effect on createHttpHandler and workers. Serve createSseHandler(server) of @tenon/runtime/sse at /sse and /messages.",
  ]);
});

/** Yields the events of a stream as they arrive, with their kind and data. */
async function* events(response: Response): AsyncGenerator<[event: string, data: string]> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
      const [, event = "", data = ""] = /^event: (.*)\ndata: (.*)$/.exec(text.slice(0, end)) ?? [];
      text = text.slice(end + 2);
      if (event !== "") yield [event, data];
    }
  }
}

/** A client of 2024-11-05, message by message. */
class SseClient {
  readonly #events: AsyncGenerator<[string, string]>;

  private constructor(
    stream: Response,
    readonly endpoint: URL,
    rest: AsyncGenerator<[string, string]>,
    readonly controller: AbortController,
    readonly revision: string,
  ) {
    this.headers = stream.headers;
    this.#events = rest;
  }

  readonly headers: Headers;

  static async open(
    listener: Listener,
    revision = "2024-11-05",
    headers: Record<string, string> = {},
  ): Promise<SseClient> {
    const controller = new AbortController();
    const stream = await fetch(new URL("/sse", listener.url), { headers, signal: controller.signal });
    const rest = events(stream);
    const { value } = await rest.next();
    const [kind, data] = value as [string, string];
    expect(kind).toBe("endpoint");
    return new SseClient(stream, new URL(data, listener.url), rest, controller, revision);
  }

  post(message: unknown, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(this.endpoint, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: typeof message === "string" ? message : JSON.stringify(message),
    });
  }

  async next(): Promise<WireMessage> {
    const { value } = await this.#events.next();
    const [kind, data] = value as [string, string];
    expect(kind).toBe("message");
    const message = JSON.parse(data) as WireMessage;
    return message;
  }

  async request(method: string, params: object = {}, id: string | number = 1): Promise<WireMessage> {
    const response = await this.post({ jsonrpc: "2.0", id, method, params });
    expect(response.status).toBe(202);
    return this.next();
  }

  async initialize(): Promise<WireMessage> {
    const clientInfo = { name: "old", version: "1" };
    return this.request("initialize", { protocolVersion: this.revision, capabilities: {}, clientInfo });
  }

  /** Returns whether the server has ended the stream. */
  async isDone(): Promise<boolean> {
    return (await this.#events.next()).done === true;
  }
}

describe("HTTP+SSE", () => {
  test.each(REVISIONS.slice(0, -1))("carries a whole conversation at %s", async (revision) => {
    const client = await SseClient.open(await start(), revision);
    expect(client.headers.get("content-type")).toBe("text/event-stream");
    expect((await client.initialize()).result).toMatchObject({ protocolVersion: revision });
    expect((await client.post({ jsonrpc: "2.0", method: "notifications/initialized" })).status).toBe(202);
    const progress = { name: "countdown", arguments: { steps: 1 }, _meta: { progressToken: "p" } };
    expect((await client.request("tools/call", progress, "c")).method).toBe("notifications/progress");
    expect((await client.next()).method).toBe("notifications/message");
    expect((await client.next()).id).toBe("c");
    expect((await client.request("nothing/here")).error?.code).toBe(-32601);
  });

  test("reports invalid messages on the stream", async () => {
    const client = await SseClient.open(await start());
    await client.initialize();
    await client.post({ jsonrpc: "2.0", id: 5 });
    expect(await client.next()).toMatchObject({ id: 5, error: { code: -32600 } });
    expect((await client.post("{")).status).toBe(400);
    expect((await client.post("{}", { "content-type": "text/plain" })).status).toBe(415);
  });

  test("is not served by default", async () => {
    const listener = await start({}, {});
    for (const path of ["/sse", "/messages"]) {
      expect((await fetch(new URL(path, listener.url))).status).toBe(404);
    }
  });

  test("keeps its sessions separate from each other and from those at the other URL", async () => {
    const listener = await start();
    const [one, two] = [await SseClient.open(listener), await SseClient.open(listener)];
    await one.initialize();
    await two.initialize();
    await one.request("tools/call", { name: "add", arguments: { a: 1, b: 1 } });
    expect(
      (await two.request("tools/call", { name: "add", arguments: { a: 2, b: 2 } })).result,
    ).toMatchObject({
      content: [{ text: "4" }],
    });
    const id = one.endpoint.searchParams.get("sessionId") ?? "";
    const asSession = await fetch(listener.url, {
      method: "POST",
      headers: { "content-type": "application/json", "mcp-session-id": id },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" }),
    });
    expect(asSession.status).toBe(404);
  });

  test.each(["", "?sessionId=", "?sessionId=forged", "?sessionId=__proto__"])(
    "rejects a message without a valid session: /messages%s",
    async (query) => {
      const listener = await start();
      const response = await fetch(new URL(`/messages${query}`, listener.url), {
        method: "POST",
        body: "{}",
      });
      expect(response.status).toBe(404);
    },
  );

  test("rejects other methods, hosts, and origins", async () => {
    const listener = await start();
    const client = await SseClient.open(listener);
    expect((await fetch(new URL("/sse", listener.url), { method: "POST" })).status).toBe(405);
    expect((await fetch(client.endpoint)).status).toBe(405);
    const headers = { origin: "https://evil.example.com" };
    expect((await fetch(new URL("/sse", listener.url), { headers })).status).toBe(403);
    expect((await client.post({ jsonrpc: "2.0", id: 1, method: "ping" }, headers)).status).toBe(403);
  });

  test.each(["//", "///", "//sse"])("does not exist at %s, with and without authentication", async (path) => {
    for (const auth of [undefined, trustingAuth()]) {
      const server = quietServer(createFixture(auth && { auth }));
      const handle = createSseHandler(server);
      const headers = { authorization: `Bearer ${pretendedToken()}` };
      const response = await handle(new Request(`http://localhost${path}`, { headers }));
      expect(response.status).toBe(404);
      await handle.close();
    }
  });

  test("ends a session with its stream, and aborts its calls", async () => {
    const listener = await start();
    const client = await SseClient.open(listener);
    await client.initialize();
    await client.post({ jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "wait" } });
    client.controller.abort();
    await expect
      .poll(async () => (await client.post({ jsonrpc: "2.0", id: 1, method: "ping" })).status)
      .toBe(404);
    const other = await SseClient.open(listener);
    await other.initialize();
    expect((await other.request("tools/call", { name: "aborted" })).result).toMatchObject({
      content: [{ text: "1" }],
    });
  });

  test("limits the number of streams", async () => {
    const listener = await start({ maxSessions: 1 });
    const client = await SseClient.open(listener);
    expect((await fetch(new URL("/sse", listener.url))).status).toBe(503);
    client.controller.abort();
    await expect
      .poll(async () => {
        const controller = new AbortController();
        const { status } = await fetch(new URL("/sse", listener.url), { signal: controller.signal });
        controller.abort();
        return status;
      })
      .toBe(200);
  });

  test("accepts messages to a session only from the principal that opened it", async () => {
    const principal: HttpConfig["principal"] = ({ header }) => header("authorization");
    const listener = await start({}, { sse: true, principal });
    const client = await SseClient.open(listener, "2024-11-05", { authorization: "Bearer ada" });
    const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
    expect((await client.post(ping)).status).toBe(404);
    expect((await client.post(ping, { authorization: "Bearer eve" })).status).toBe(404);
    expect((await client.post(ping, { authorization: "Bearer ada" })).status).toBe(202);
  });

  test("finishes calls in progress before it closes", async () => {
    const listener = await start({ drainTimeoutMs: 5000 });
    listeners.length = 0;
    const client = await SseClient.open(listener);
    await client.initialize();
    await client.post({
      jsonrpc: "2.0",
      id: 2,
      method: "tools/call",
      params: { name: "hold" },
    });
    await expect.poll(heldCalls).toBe(1);
    const closing = listener.close();
    release();
    await closing;
    expect((await client.next()).result).toMatchObject({ content: [{ text: "Let go." }] });
    expect(await client.isDone()).toBe(true);
  });

  test("is served by a process that enables it, until it stops", async () => {
    const program = await serverProgram(FIXTURE_ENTRY);
    const child = spawn(process.execPath, [program, "--http", "--sse", "--port", "0"]);
    onTestFinished(() => void child.kill("SIGKILL"));
    const [output] = (await once(child.stderr, "data")) as [Buffer];
    const url = /http:\S+/.exec(output.toString())?.[0] ?? "";
    const client = await SseClient.open({ url } as Listener);
    expect((await client.initialize()).result).toMatchObject({ protocolVersion: "2024-11-05" });
    const exited = once(child, "exit");
    child.kill("SIGTERM");
    expect(await client.isDone()).toBe(true);
    expect(await exited).toEqual([0, null]);
  });

  test("is available as a function from request to response, without a Node server", async () => {
    const handle = createSseHandler(quietServer(createFixture()));
    const stream = await handle(new Request("http://localhost/sse"));
    const rest = events(stream);
    const [, endpoint] = (await rest.next()).value as [string, string];
    const accepted = await handle(
      new Request(new URL(endpoint, "http://localhost"), {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" }),
      }),
    );
    expect(accepted.status).toBe(202);
    expect((await rest.next()).value).toEqual(["message", '{"jsonrpc":"2.0","id":1,"result":{}}']);
    expect((await handle(new Request("http://localhost/mcp"))).status).toBe(404);
    await handle.close();
    expect((await rest.next()).done).toBe(true);
  });
});
