import { PassThrough } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { beforeEach, describe, expect, it } from "vitest";
// Internal: the proxy of `dev` alone, in front of servers that behave badly.
import { createStdioProxy, type StdioProxy } from "../../packages/cli/src/dev/proxy/stdio-proxy.js";

/** A server in this process. It records the lines that it receives, and ends its output when its input ends. */
class FakeServer {
  readonly input = new PassThrough();
  readonly output = new PassThrough();
  readonly received: string[] = [];

  constructor() {
    this.input
      .setEncoding("utf8")
      .on("data", (text: string) => this.received.push(...text.trim().split("\n")));
    this.input.on("end", () => this.output.end());
  }

  async send(message: object): Promise<void> {
    this.output.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    await settle();
  }
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await nextTurn();
}

let input: PassThrough;
let lines: string[];
let proxy: StdioProxy;
let errorServer: FakeServer;

beforeEach(() => {
  input = new PassThrough();
  const output = new PassThrough();
  lines = [];
  output.setEncoding("utf8").on("data", (text: string) => lines.push(...text.trim().split("\n")));
  errorServer = new FakeServer();
  proxy = createStdioProxy(input, output, () => Promise.resolve(errorServer));
});

async function sendFromClient(message: object): Promise<void> {
  input.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  await settle();
}

const parse = (lines: string[]): unknown[] => lines.map((line) => JSON.parse(line) as unknown);

describe("a stdio proxy between one client and several servers", () => {
  it("holds lines until there is a server", async () => {
    await sendFromClient({ id: 1, method: "ping" });
    const server = new FakeServer();
    proxy.swap(server, []);
    await settle();
    expect(parse(server.received)).toEqual([{ jsonrpc: "2.0", id: 1, method: "ping" }]);
    await server.send({ id: 1, result: {} });
    expect(parse(lines)).toEqual([{ jsonrpc: "2.0", id: 1, result: {} }]);
  });

  it("repeats the handshake for a new server and hides its response", async () => {
    const first = new FakeServer();
    proxy.swap(first, []);
    await sendFromClient({ id: 0, method: "initialize", params: { protocolVersion: "2025-11-25" } });
    await first.send({ id: 0, result: { protocolVersion: "2025-11-25", capabilities: { tools: {} } } });
    await sendFromClient({ method: "notifications/initialized" });
    expect(parse(lines)).toEqual([
      {
        jsonrpc: "2.0",
        id: 0,
        result: { protocolVersion: "2025-11-25", capabilities: { tools: { listChanged: true } } },
      },
    ]);

    const second = new FakeServer();
    proxy.swap(second, [{ kind: "tool", name: "a", change: "added", details: [] }]);
    await sendFromClient({ id: 1, method: "tools/list" });
    expect(parse(second.received).map((message) => (message as { method: string }).method)).toEqual([
      "initialize",
    ]);
    await second.send({ id: 0, result: { protocolVersion: "2025-11-25" } });
    expect(parse(second.received).map((message) => (message as { method: string }).method)).toEqual([
      "initialize",
      "notifications/initialized",
      "tools/list",
    ]);
    expect(parse(lines).slice(1)).toEqual([{ jsonrpc: "2.0", method: "notifications/tools/list_changed" }]);
  });

  it("lets the previous server finish what it has begun", async () => {
    const first = new FakeServer();
    proxy.swap(first, []);
    await sendFromClient({ id: 1, method: "tools/call" });
    const second = new FakeServer();
    proxy.swap(second, []);
    await sendFromClient({ id: 2, method: "tools/call" });
    expect(first.received).toHaveLength(1);
    expect(second.received).toHaveLength(1);
    expect(first.input.writableEnded).toBe(false);

    await first.send({ id: 1, result: {} });
    expect(first.input.writableEnded).toBe(true);
    expect(second.input.writableEnded).toBe(false);
  });

  it("routes responses and cancellations to the server they concern", async () => {
    const first = new FakeServer();
    proxy.swap(first, []);
    await sendFromClient({ id: "a", method: "tools/call" });
    await first.send({ id: 7, method: "elicitation/create" });
    const second = new FakeServer();
    proxy.swap(second, []);
    await second.send({ id: 7, method: "roots/list" });
    const [question, other] = parse(lines) as { id: string }[];
    expect(question?.id).not.toBe(other?.id);

    await sendFromClient({ id: question?.id, result: { action: "accept" } });
    await sendFromClient({ method: "notifications/cancelled", params: { requestId: "a" } });
    expect(parse(first.received).slice(1)).toEqual([
      { jsonrpc: "2.0", id: 7, result: { action: "accept" } },
      { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "a" } },
    ]);
    expect(second.received).toEqual([]);
  });

  it("responds on behalf of a server that died", async () => {
    const server = new FakeServer();
    proxy.swap(server, []);
    await sendFromClient({ id: 1, method: "tools/call" });
    await sendFromClient({ id: "1", method: "tools/call" });
    server.output.destroy();
    await settle();
    const error = { code: -32603, message: "The server stopped before it responded." };
    expect(parse(lines)).toEqual([
      { jsonrpc: "2.0", id: 1, error },
      { jsonrpc: "2.0", id: "1", error },
    ]);
  });

  it("forwards lines that are not JSON, and line separators inside JSON", async () => {
    const server = new FakeServer();
    proxy.swap(server, []);
    input.write('nonsense\n{"jsonrpc":"2.0","id":1,"method":"a\u2028b"}\n');
    await settle();
    expect(server.received).toEqual(["nonsense", '{"jsonrpc":"2.0","id":1,"method":"a\u2028b"}']);
  });

  it("finishes when the client has disconnected and the last server has exited", async () => {
    const server = new FakeServer();
    proxy.swap(server, []);
    await sendFromClient({ id: 1, method: "tools/call" });
    input.end();
    await settle();
    expect(proxy.hasEnded).toBe(true);
    expect(server.input.writableEnded).toBe(true);
    await proxy.finished;
  });

  it("finishes when the client's terminal can no longer be read", async () => {
    const server = new FakeServer();
    proxy.swap(server, []);
    input.destroy(new Error("read EIO"));
    await settle();
    expect(server.input.writableEnded).toBe(true);
    await proxy.finished;
  });

  it("lets an error server respond until there is a server, then announces that all lists changed", async () => {
    const { received } = errorServer;
    await sendFromClient({ id: 0, method: "initialize" });
    await proxy.explain("There is an error.");
    await settle();
    expect(parse(received)).toEqual([{ jsonrpc: "2.0", id: 0, method: "initialize" }]);
    await errorServer.send({ id: 0, result: { capabilities: { tools: {} } } });

    const server = new FakeServer();
    proxy.swap(server, []);
    await settle();
    expect(errorServer.input.writableEnded).toBe(true);
    expect(parse(server.received)).toEqual([{ jsonrpc: "2.0", id: 0, method: "initialize" }]);
    expect(parse(lines).slice(1)).toEqual(
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
    await sendFromClient({ id: 1, method: "ping" });
    expect(server.received).toHaveLength(1);
    expect(errorServer.input.writableEnded).toBe(true);
  });
});
