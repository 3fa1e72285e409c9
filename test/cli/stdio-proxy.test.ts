import { PassThrough } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { beforeEach, describe, expect, it } from "vitest";
// Internal: the proxy of `dev` alone, in front of servers that behave badly.
import { createStdioProxy, type StdioProxy } from "../../packages/cli/src/dev/proxy/stdio-proxy.js";

/** One end of a pipe, seen by a test: what came out so far, and whether it was closed. */
class FakeServer {
  readonly input = new PassThrough();
  readonly output = new PassThrough();
  readonly received: string[] = [];

  constructor() {
    this.input
      .setEncoding("utf8")
      .on("data", (text: string) => this.received.push(...text.trim().split("\n")));
    // A server whose input has ended leaves.
    this.input.on("end", () => this.output.end());
  }

  async says(message: object): Promise<void> {
    this.output.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    await settled();
  }
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await nextTurn();
}

let input: PassThrough;
let lines: string[];
let proxy: StdioProxy;
let standIn: FakeServer;

beforeEach(() => {
  input = new PassThrough();
  const output = new PassThrough();
  lines = [];
  output.setEncoding("utf8").on("data", (text: string) => lines.push(...text.trim().split("\n")));
  standIn = new FakeServer();
  proxy = createStdioProxy(input, output, () => Promise.resolve(standIn));
});

async function clientSays(message: object): Promise<void> {
  input.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  await settled();
}

const parsed = (lines: string[]): unknown[] => lines.map((line) => JSON.parse(line) as unknown);

describe("a stdio proxy between one client and several servers", () => {
  it("holds lines until there is a server", async () => {
    await clientSays({ id: 1, method: "ping" });
    const server = new FakeServer();
    proxy.swap(server, []);
    await settled();
    expect(parsed(server.received)).toEqual([{ jsonrpc: "2.0", id: 1, method: "ping" }]);
    await server.says({ id: 1, result: {} });
    expect(parsed(lines)).toEqual([{ jsonrpc: "2.0", id: 1, result: {} }]);
  });

  it("repeats the handshake for a new server and hides its response", async () => {
    const first = new FakeServer();
    proxy.swap(first, []);
    await clientSays({ id: 0, method: "initialize", params: { protocolVersion: "2025-11-25" } });
    await first.says({ id: 0, result: { protocolVersion: "2025-11-25", capabilities: { tools: {} } } });
    await clientSays({ method: "notifications/initialized" });
    expect(parsed(lines)).toEqual([
      {
        jsonrpc: "2.0",
        id: 0,
        result: { protocolVersion: "2025-11-25", capabilities: { tools: { listChanged: true } } },
      },
    ]);

    const second = new FakeServer();
    proxy.swap(second, [{ kind: "tool", name: "a", change: "added", details: [] }]);
    await clientSays({ id: 1, method: "tools/list" });
    expect(parsed(second.received).map((message) => (message as { method: string }).method)).toEqual([
      "initialize",
    ]);
    await second.says({ id: 0, result: { protocolVersion: "2025-11-25" } });
    expect(parsed(second.received).map((message) => (message as { method: string }).method)).toEqual([
      "initialize",
      "notifications/initialized",
      "tools/list",
    ]);
    expect(parsed(lines).slice(1)).toEqual([{ jsonrpc: "2.0", method: "notifications/tools/list_changed" }]);
  });

  it("lets the previous server finish what it has begun", async () => {
    const first = new FakeServer();
    proxy.swap(first, []);
    await clientSays({ id: 1, method: "tools/call" });
    const second = new FakeServer();
    proxy.swap(second, []);
    await clientSays({ id: 2, method: "tools/call" });
    expect(first.received).toHaveLength(1);
    expect(second.received).toHaveLength(1);
    expect(first.input.writableEnded).toBe(false);

    await first.says({ id: 1, result: {} });
    expect(first.input.writableEnded).toBe(true);
    expect(second.input.writableEnded).toBe(false);
  });

  it("routes responses and cancellations to the server they concern", async () => {
    const first = new FakeServer();
    proxy.swap(first, []);
    await clientSays({ id: "a", method: "tools/call" });
    await first.says({ id: 7, method: "elicitation/create" });
    const second = new FakeServer();
    proxy.swap(second, []);
    await second.says({ id: 7, method: "roots/list" });
    const [question, other] = parsed(lines) as { id: string }[];
    expect(question?.id).not.toBe(other?.id);

    await clientSays({ id: question?.id, result: { action: "accept" } });
    await clientSays({ method: "notifications/cancelled", params: { requestId: "a" } });
    expect(parsed(first.received).slice(1)).toEqual([
      { jsonrpc: "2.0", id: 7, result: { action: "accept" } },
      { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "a" } },
    ]);
    expect(second.received).toEqual([]);
  });

  it("responds on behalf of a server that died", async () => {
    const server = new FakeServer();
    proxy.swap(server, []);
    await clientSays({ id: 1, method: "tools/call" });
    await clientSays({ id: "1", method: "tools/call" });
    server.output.destroy();
    await settled();
    const error = { code: -32603, message: "The server stopped before it responded." };
    expect(parsed(lines)).toEqual([
      { jsonrpc: "2.0", id: 1, error },
      { jsonrpc: "2.0", id: "1", error },
    ]);
  });

  it("forwards lines that are not JSON, and line separators inside JSON", async () => {
    const server = new FakeServer();
    proxy.swap(server, []);
    input.write('nonsense\n{"jsonrpc":"2.0","id":1,"method":"a\u2028b"}\n');
    await settled();
    expect(server.received).toEqual(["nonsense", '{"jsonrpc":"2.0","id":1,"method":"a\u2028b"}']);
  });

  it("finishes when the client has disconnected and the last server has exited", async () => {
    const server = new FakeServer();
    proxy.swap(server, []);
    await clientSays({ id: 1, method: "tools/call" });
    input.end();
    await settled();
    expect(proxy.hasEnded).toBe(true);
    expect(server.input.writableEnded).toBe(true);
    await proxy.finished;
  });

  it("finishes when the client's terminal can no longer be read", async () => {
    const server = new FakeServer();
    proxy.swap(server, []);
    input.destroy(new Error("read EIO"));
    await settled();
    expect(server.input.writableEnded).toBe(true);
    await proxy.finished;
  });

  it("lets an error server respond until there is a server, then announces that all lists changed", async () => {
    const { received } = standIn;
    await clientSays({ id: 0, method: "initialize" });
    await proxy.explain("There is an error.");
    await settled();
    expect(parsed(received)).toEqual([{ jsonrpc: "2.0", id: 0, method: "initialize" }]);
    await standIn.says({ id: 0, result: { capabilities: { tools: {} } } });

    const server = new FakeServer();
    proxy.swap(server, []);
    await settled();
    expect(standIn.input.writableEnded).toBe(true);
    expect(parsed(server.received)).toEqual([{ jsonrpc: "2.0", id: 0, method: "initialize" }]);
    expect(parsed(lines).slice(1)).toEqual(
      ["tools", "prompts", "resources"].map((list) => ({
        jsonrpc: "2.0",
        method: `notifications/${list}/list_changed`,
      })),
    );
  });

  it("keeps a server that is already running", async () => {
    const server = new FakeServer();
    proxy.swap(server, []);
    await proxy.explain("There is an error.");
    await clientSays({ id: 1, method: "ping" });
    expect(server.received).toHaveLength(1);
    expect(standIn.input.writableEnded).toBe(true);
  });
});
