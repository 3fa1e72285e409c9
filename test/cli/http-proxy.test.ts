import { createServer, request, type IncomingMessage, type Server } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
// Internal: the proxy of `dev` alone, in front of servers that behave badly.
import { createHttpProxy, type HttpProxy } from "../../packages/cli/src/dev/proxy/http-proxy.js";

/** Message of `tenon dev` about a project with errors. */
const PROBLEM = "src/secret.ts:1 const password = 7;";

let proxy: HttpProxy;
beforeEach(async () => {
  proxy = await createHttpProxy(0);
  await proxy.explain(PROBLEM);
});
afterEach(() => proxy.close());

async function send(
  headers: Record<string, string>,
  chunks: Iterable<string | Buffer> = ['{"jsonrpc":"2.0","id":1,"method":"ping"}'],
): Promise<{ status: number | undefined; text: string }> {
  const outgoing = request({ port: proxy.port, host: "127.0.0.1", method: "POST", path: "/mcp", headers });
  for (const chunk of chunks) if (!outgoing.write(chunk)) await once(outgoing, "drain");
  outgoing.end();
  const [answer] = (await once(outgoing, "response")) as [IncomingMessage];
  let text = "";
  for await (const chunk of answer) text += String(chunk);
  return { status: answer.statusCode, text };
}

describe("tenon dev over HTTP, while the project has errors", () => {
  test.each([
    ["no Origin", {}],
    ["a Host with another port", { host: "localhost:1" }],
    ["a page of this machine", { origin: "http://localhost:5173" }],
  ])("shows them for %s", async (_, headers) => {
    const { status, text } = await send(headers as Record<string, string>);
    expect([status, JSON.parse(text)]).toMatchObject([503, { id: 1, error: { message: PROBLEM } }]);
  });

  test.each([
    ["a foreign Host, as after rebinding", { host: "evil.example" }],
    ["a Host that only begins like this machine", { host: "localhost.evil.example" }],
    ["a page of another origin", { origin: "https://evil.example" }],
    ["a sandboxed page", { origin: "null" }],
    ["an Origin with user information", { origin: "https://localhost@evil.example" }],
  ])("hides them from %s", async (_, headers) => {
    const { status, text } = await send(headers as Record<string, string>);
    expect(status).toBe(403);
    expect(text).not.toContain("password");
  });

  test("bounds the size of request bodies", async () => {
    const chunk = Buffer.alloc(1024 * 1024);
    const { status } = await send(
      {},
      Array.from({ length: 65 }, () => chunk),
    );
    expect(status).toBe(413);
  });
});

describe("tenon dev over HTTP, while a client reconnects", () => {
  const INFO = { name: "sample", version: "1.0.0" };
  const PARAMS = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: INFO };
  const RESULT = { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: INFO };
  const servers: Server[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) server.close().closeAllConnections();
  });

  /** Starts a server that opens sessions and streams. */
  async function startBackend(): Promise<{ port: number }> {
    const server = createServer(async (incoming, reply) => {
      let body = "";
      for await (const chunk of incoming) body += String(chunk);
      if (incoming.method === "GET") {
        reply.writeHead(200, { "content-type": "text/event-stream" });
        reply.write(": opened\n\n");
      } else if (body.includes('"initialize"')) {
        reply.writeHead(200, { "content-type": "application/json", "mcp-session-id": "session" });
        reply.end(JSON.stringify({ jsonrpc: "2.0", id: 1, result: RESULT }));
      } else {
        reply.writeHead(202).end();
      }
    });
    servers.push(server.listen(0, "127.0.0.1"));
    await once(server, "listening");
    return { port: (server.address() as AddressInfo).port };
  }

  /** Opens a stream, and returns its events up to the first of the server. */
  async function readStream(): Promise<string> {
    const response = await fetch(`http://127.0.0.1:${proxy.port}/mcp`, {
      headers: { accept: "text/event-stream", "mcp-session-id": "session" },
    });
    let text = "";
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk).toString();
      if (text.includes("opened")) break;
    }
    return text;
  }

  test("the next stream begins with the changes that its session has missed", async () => {
    proxy.swap(await startBackend(), []);
    await send({}, [JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: PARAMS })]);
    proxy.swap(await startBackend(), [{ kind: "tool", name: "greet", change: "added", details: [] }]);
    expect(await readStream()).toContain('"method":"notifications/tools/list_changed"');
    expect(await readStream()).toBe(": opened\n\n");
  });
});
