/**
 * Reactions of official clients to broken streams and stopped servers, on which deployments with several processes
 * depend. The table of the page on scaling must match them.
 */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import { StreamableHTTPClientTransport as HttpV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { type Middleware, ProtocolError } from "@tenon/runtime";
import { createHttpHandler } from "@tenon/runtime/http";
import { listen, type Listener } from "@tenon/runtime/node";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { quietServer } from "../support/describe-transports.js";
import { eventually } from "../support/eventually.js";
import { createNotebook } from "./fixture/notebook.js";

const page = readFileSync(
  join(import.meta.dirname, "../../packages/docs/reference/scaling-and-stores.md"),
  "utf8",
);

/** The rows of the table: each event, with the reaction of each client by its name. */
const rows = new Map(
  [...page.matchAll(/^\| (.+?) +\| (.+?) +\| (.+?) +\|$/gm)].map(
    ([, what = "", v1 = "", v2 = ""]) => [what, { "SDK 1.x": v1, "client 2.x": v2 }] as const,
  ),
);

interface Client {
  call(): Promise<unknown>;
  close(): Promise<void>;
  readonly errors: readonly string[];
}

const info = { name: "broken", version: "1" };
const request = { name: "slow", arguments: {} };

const CLIENTS = {
  "SDK 1.x": async (url: URL): Promise<Client> => {
    const client = new ClientV1(info);
    const errors: string[] = [];
    Object.assign(client, { onerror: ({ message }: Error) => errors.push(message) });
    await client.connect(new HttpV1(url) as Parameters<typeof client.connect>[0]);
    return { errors, call: () => client.callTool(request), close: () => client.close() };
  },
  "client 2.x": async (url: URL): Promise<Client> => {
    const client = new ClientV2(info, { versionNegotiation: { mode: "legacy" } });
    const errors: string[] = [];
    Object.assign(client, { onerror: ({ message }: Error) => errors.push(message) });
    await client.connect(new HttpV2(url));
    return { errors, call: () => client.callTool(request), close: () => client.close() };
  },
};

/** A server that a test scripts, and that records the requests it receives. */
class ScriptedServer {
  readonly seen: { method: string; lastEventId: string | undefined; message: string | undefined }[] = [];
  /** Responds to a call. */
  onCall: (response: ServerResponse, id: unknown) => void = () => {};
  /** Responds to a GET request. The first one opens the standalone stream. */
  onGet: (response: ServerResponse, lastEventId: string | undefined) => void = (response) => {
    openStream(response);
  };
  readonly #server = createServer((received, response) => void this.#serve(received, response));

  async listen(): Promise<URL> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    return new URL(`http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/mcp`);
  }

  /** Closes all connections, like a process that was killed. */
  async kill(): Promise<void> {
    this.#server.closeAllConnections();
    if (!this.#server.listening) return;
    this.#server.close();
    await once(this.#server, "close");
  }

  gets(): (string | undefined)[] {
    return this.seen.flatMap(({ method, lastEventId }) => (method === "GET" ? [lastEventId] : []));
  }

  count(message: string): number {
    return this.seen.filter((each) => each.message === message).length;
  }

  async #serve(received: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "", headers } = received;
    let body = "";
    for await (const chunk of received) body += String(chunk);
    const message = body === "" ? {} : (JSON.parse(body) as { id?: unknown; method?: string });
    const lastEventId = headers["last-event-id"]?.toString();
    this.seen.push({ method, lastEventId, message: message.method });
    if (method === "GET") return this.onGet(response, lastEventId);
    if (message.method === "tools/call") return this.onCall(response, message.id);
    if (message.method !== "initialize") return void response.writeHead(202).end();
    const result = { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: info };
    response.writeHead(200, { "content-type": "application/json", "mcp-session-id": "the-session" });
    response.end(JSON.stringify({ jsonrpc: "2.0", id: message.id, result }));
  }
}

function openStream(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.write(": open\n\n");
}

const event = (id: string, data = ""): string => `id: ${id}\ndata: ${data}\n\n`;
const answer = (id: unknown, outcome: object): string => JSON.stringify({ jsonrpc: "2.0", id, ...outcome });
const done = { result: { content: [{ type: "text", text: "Done." }] } };

/** The delays with which clients reconnect, in milliseconds. They pass a hundred times as fast. */
const waits: number[] = [];
const realSetTimeout = globalThis.setTimeout;
beforeEach(() => {
  waits.length = 0;
  const quick = (callback: () => void, ms = 0, ...more: []): NodeJS.Timeout => {
    // This excludes the timeout of a call, which is a minute, and the timers of `fetch`.
    const caller = new Error().stack?.split("\n")[2] ?? "";
    const isWait = ms >= 1000 && ms <= 30_000 && /@modelcontextprotocol|\/eventsource\//.test(caller);
    if (isWait) waits.push(ms);
    return realSetTimeout(callback, isWait ? ms / 100 : ms, ...more);
  };
  globalThis.setTimeout = Object.assign(quick, realSetTimeout);
});

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  globalThis.setTimeout = realSetTimeout;
  for (const close of closers.splice(0).toReversed()) await close();
});

/** Returns whether a promise is neither fulfilled nor rejected after a few turns of the event loop. */
async function isPending(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  const settle = (): void => void (settled = true);
  promise.then(settle, settle);
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
  return !settled;
}

const seconds = (): string => waits.map((ms) => `${ms / 1000} s`).join(" and ");

describe.each(Object.keys(CLIENTS) as (keyof typeof CLIENTS)[])("%s", (name) => {
  const findCell = (what: string): string | undefined => rows.get(what)?.[name];

  async function start(): Promise<{ server: ScriptedServer; client: Client }> {
    const server = new ScriptedServer();
    const client = await CLIENTS[name](await server.listen());
    closers.push(
      () => server.kill(),
      () => client.close(),
    );
    await eventually(() => expect(server.gets()).toHaveLength(1));
    return { server, client };
  }

  test("recovers when the stream of a call breaks before an event with an ID", async () => {
    const { server, client } = await start();
    server.onCall = (response) => {
      openStream(response);
      setImmediate(() => response.destroy());
    };
    const call = client.call();
    await eventually(() => expect(client.errors.join()).toContain("SSE stream disconnected"));
    expect(await isPending(call)).toBe(true);
    expect([waits, server.gets()]).toEqual([[], [undefined]]);
    expect(findCell("a call's stream breaks before an event with an ID")).toBe(
      "does not reconnect; the call waits for its timeout",
    );
  });

  test("recovers when the stream of a call breaks after an event with an ID", async () => {
    const { server, client } = await start();
    server.onCall = (response, id) => {
      openStream(response);
      response.write(event("7-1"));
      setImmediate(() => response.destroy());
      server.onGet = (resumed) => {
        openStream(resumed);
        resumed.end(event("7-2", answer(id, done)));
      };
    };
    expect(await client.call()).toMatchObject({ content: [{ text: "Done." }] });
    expect(server.gets()).toEqual([undefined, "7-1"]);
    expect(findCell("a call's stream breaks after an event with an ID")).toBe(
      `\`Last-Event-ID\` after ${seconds()}`,
    );
  });

  test("reports a rejected reconnection", async () => {
    const { server, client } = await start();
    server.onCall = (response) => {
      openStream(response);
      response.write(event("7-1"));
      setImmediate(() => response.destroy());
      server.onGet = (response) => response.writeHead(503, { "retry-after": "7" }).end();
    };
    const call = client.call();
    await eventually(() => expect(client.errors.join()).toContain("Maximum reconnection attempts"));
    expect(server.gets()).toEqual([undefined, "7-1", "7-1"]);
    expect(await isPending(call)).toBe(true);
    expect(findCell("the reconnection fails (404, 503, server down)")).toBe(
      `tries ${waits.length} times, after ${seconds()}; the call waits for its timeout`,
    );
  });

  test("waits for as long as the server specifies", async () => {
    const { server, client } = await start();
    server.onCall = (response) => {
      openStream(response);
      response.end(`retry: 4000\n${event("7-1")}`);
      server.onGet = (response) => response.writeHead(503).end();
    };
    const call = client.call();
    await eventually(() => expect(client.errors.join()).toContain("Maximum reconnection attempts"));
    expect(await isPending(call)).toBe(true);
    // A client of an earlier test in the same process may still wait, which takes at most 1.5 seconds.
    expect(waits.filter((ms) => ms > 1500)).toEqual([4000, 4000]);
    expect(findCell("a stream has sent `retry: 4000`")).toBe("then waits 4 s each time");
  });

  test("recovers when the resumed stream breaks before an event", async () => {
    const { server, client } = await start();
    server.onCall = (response) => {
      openStream(response);
      response.write(event("7-1"));
      setImmediate(() => response.destroy());
      server.onGet = (resumed) => {
        openStream(resumed);
        setImmediate(() => resumed.destroy());
        server.onGet = openStream;
      };
    };
    const call = client.call();
    await eventually(() => expect(server.gets()).toHaveLength(3));
    expect(server.gets()).toEqual([undefined, "7-1", undefined]);
    expect(await isPending(call)).toBe(true);
    expect(findCell("the resumed stream breaks before an event with an ID")).toBe(
      "reconnects without `Last-Event-ID`",
    );
  });

  test("receives an error that ends the resumed stream", async () => {
    const { server, client } = await start();
    server.onCall = (response, id) => {
      openStream(response);
      response.write(event("7-1"));
      setImmediate(() => response.destroy());
      server.onGet = (resumed, lastEventId) => {
        openStream(resumed);
        const error = { code: -32603, message: "No." };
        resumed.end(lastEventId === "7-1" ? event("7-2", answer(id, { error })) : "");
        server.onGet = (again) => again.writeHead(204).end();
      };
    };
    await expect(client.call()).rejects.toThrow("No.");
    const asksAgain = name === "SDK 1.x";
    if (asksAgain) await eventually(() => expect(server.gets()).toHaveLength(3));
    expect(server.gets().slice(1)).toEqual(asksAgain ? ["7-1", "7-2"] : ["7-1"]);
    await new Promise(setImmediate);
    expect(waits).toHaveLength(asksAgain ? 2 : 1);
    expect(findCell("a stream ends with an error response")).toBe(
      asksAgain ? "reconnects until it receives an error or `204`" : "does not reconnect",
    );
  });

  test.each([
    ["before", "", undefined],
    ["after", event("0-1"), "0-1"],
  ])(
    "recovers when the standalone stream breaks %s an event with an ID",
    async (_when, sent, lastEventId) => {
      const server = new ScriptedServer();
      server.onGet = (response) => {
        server.onGet = openStream;
        openStream(response);
        response.write(sent);
        setImmediate(() => response.destroy());
      };
      const client = await CLIENTS[name](await server.listen());
      closers.push(
        () => server.kill(),
        () => client.close(),
      );
      await eventually(() => expect(server.gets()).toHaveLength(2));
      expect(server.gets()).toEqual([undefined, lastEventId]);
      expect(findCell("the standalone stream breaks")).toBe(
        `reconnects after ${seconds()}, with \`Last-Event-ID\` if an event had one`,
      );
    },
  );

  test.each([
    [404, "reports it to the caller; does not initialize again"],
    [503, "reports it to the caller; does not retry, even with `Retry-After`"],
  ])("reports a call's status %i", async (status, words) => {
    const { server, client } = await start();
    const body = answer(undefined, { error: { code: -32600, message: "Not here." } });
    server.onCall = (response) =>
      response.writeHead(status, { "content-type": "application/json", "retry-after": "1" }).end(body);
    await expect(client.call()).rejects.toThrow("Not here.");
    expect([server.count("tools/call"), server.count("initialize"), waits]).toEqual([1, 1, []]);
    expect(findCell(`a call receives ${status}`)).toBe(words);
  });

  test("reports a killed process", async () => {
    const { server, client } = await start();
    await server.kill();
    await expect(client.call()).rejects.toThrow("fetch failed");
    await eventually(() => expect(client.errors.join()).toContain("Maximum reconnection attempts"));
    expect(findCell("the server is down")).toBe(
      "the call fails at once; the client gives up the standalone stream after 2 tries",
    );
  });

  test("closes cleanly", async () => {
    const { server, client } = await start();
    await client.close();
    await new Promise(setImmediate);
    expect(server.seen.some(({ method }) => method === "DELETE")).toBe(false);
    expect(findCell("the client closes")).toBe("sends no `DELETE`, unless asked to");
  });
});

test("a stream that ended with an error is not reopened by SDK 1.x", async () => {
  const fail: Middleware = async (call, next) => {
    const result = await next();
    if (call.arguments["ms"] === 2) throw new ProtocolError(-32603, "No.");
    return result;
  };
  const handle = createHttpHandler(quietServer(createNotebook({ use: [fail] })));
  const gets: (string | null)[] = [];
  const statuses: number[] = [];
  const fetchWith = async (url: URL | string, init?: RequestInit): Promise<Response> => {
    const response = await handle(new Request(url, init));
    if (init?.method === "GET") {
      gets.push(new Headers(init.headers).get("last-event-id"));
      statuses.push(response.status);
    }
    return response;
  };
  const client = new ClientV1(info);
  const transport = new HttpV1(new URL("http://localhost/mcp"), { fetch: fetchWith });
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  closers.push(
    () => handle.close(),
    () => client.close(),
  );
  await eventually(() => expect(statuses).toEqual([200]));
  const poll = (ms: number): Promise<unknown> => client.callTool({ name: "poll", arguments: { ms } });
  await expect(poll(2)).rejects.toThrow("No.");
  await eventually(() => expect(statuses).toEqual([200, 200, 204]));
  expect(await poll(1)).toMatchObject({ content: [{ text: "Worth the wait." }] });
  expect(statuses).toEqual([200, 200, 204, 200]);
  // It requested the events that it had missed, but did not open the standalone stream again.
  expect(gets.map((id) => id === null)).toEqual([true, false, false, false]);
});

test("a client of HTTP+SSE reconnects by itself, with a session of another process", async () => {
  const serve = async (port: number): Promise<Listener> => {
    const server = quietServer(createNotebook({ limits: { drainTimeoutMs: 100 } }));
    const listener = await listen(server, { port, sse: true });
    closers.push(() => listener.close());
    return listener;
  };
  const first = await serve(0);
  const client = new ClientV1(info);
  const transport = new SSEClientTransport(new URL("/sse", first.url));
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  closers.push(() => client.close());
  const call = { name: "write", arguments: { id: "1", text: "Two" } };
  expect(await client.callTool(call)).toMatchObject({ content: [{ text: "Changed." }] });
  await first.close();
  await serve(first.port);
  await eventually(async () => {
    expect(await client.callTool(call, undefined, { timeout: 500 })).toMatchObject({
      content: [{ text: "Changed." }],
    });
  });
  expect(new Set(waits)).toEqual(new Set([3000]));
});
