/** Arguments with the tag `@header` over HTTP, where the headers of a call must repeat them. */
import { createHttpHandler, type HttpHandler } from "@tenon/runtime/http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildServer, type BuiltServer } from "../support/built-server.js";
import { headersFor } from "../support/wires.js";

const SOURCE = `
  import { Tool } from "@tenon/runtime";
  interface Place { /** @header Zone */ zone: string; }
  export class Records {
    /** Reads a record. */
    @Tool() read(/** @header Region */ region: string, place?: Place, /** @integer @header Shard */ shard?: number): string {
      return [region, place?.zone, shard].join();
    }
    /** Erases a record. */
    @Tool({ enabled: () => false }) erase(/** @header Region */ region: string): string { return region; }
  }`;

let built: BuiltServer;
let handle: HttpHandler;

beforeAll(async () => {
  built = await buildServer({ "src/records.ts": SOURCE });
  handle = createHttpHandler(await built.load("header-arguments"));
});
afterAll(async () => {
  await handle.close();
  built.remove();
});

async function call(name: string, args: unknown, headers: Record<string, string>) {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const message = {
    jsonrpc: "2.0" as const,
    id: 1,
    method: "tools/call",
    params: { name, arguments: args, _meta },
  };
  const response = await handle(
    new Request("http://localhost/mcp", {
      method: "POST",
      headers: { ...headersFor(message), ...headers },
      body: JSON.stringify(message),
    }),
  );
  const { result, error } = (await response.json()) as {
    result?: { content: [{ text: string }] };
    error?: { code: number; message: string };
  };
  return {
    status: response.status,
    text: result?.content[0].text,
    code: error?.code,
    message: error?.message,
  };
}

describe("a call whose headers repeat its arguments", () => {
  test.each([
    [{ region: "eu" }, { "mcp-param-region": "eu" }, "eu,,"],
    [{ region: "é" }, { "mcp-param-region": "=?base64?w6k=?=" }, "é,,"],
    [{ region: "eu", shard: 2 }, { "mcp-param-region": "eu", "mcp-param-shard": "2" }, "eu,,2"],
    [
      { region: "eu", place: { zone: "north" } },
      { "mcp-param-region": "eu", "mcp-param-zone": "north" },
      "eu,north,",
    ],
    ['{"region":"eu","shard":2}', { "mcp-param-region": "eu", "mcp-param-shard": "2" }, "eu,,2"],
    [
      { region: "eu", place: '{"zone":"north"}' },
      { "mcp-param-region": "eu", "mcp-param-zone": "north" },
      "eu,north,",
    ],
  ])("is served: %j", async (args, headers, text) => {
    expect(await call("read", args, headers)).toMatchObject({ status: 200, text });
  });
});

describe("a call whose headers do not repeat its arguments", () => {
  test.each([
    [{ region: "eu" }, {}, 'The header mcp-param-region is missing; it must repeat the argument "region".'],
    [
      { region: "eu" },
      { "mcp-param-region": "us" },
      'The header mcp-param-region does not repeat the argument "region".',
    ],
    [
      { region: "eu" },
      { "mcp-param-region": "eu", "mcp-param-shard": "2" },
      'The header mcp-param-shard is set, but the argument "shard" is not.',
    ],
    [
      { region: "eu", place: { zone: "north" } },
      { "mcp-param-region": "eu", "mcp-param-zone": "south" },
      'The header mcp-param-zone does not repeat the argument "place.zone".',
    ],
    ['{"region":"eu"}', {}, 'The header mcp-param-region is missing; it must repeat the argument "region".'],
    [
      { region: "eu", place: '{"zone":"north"}' },
      { "mcp-param-region": "eu" },
      'The header mcp-param-zone is missing; it must repeat the argument "place.zone".',
    ],
  ])("is rejected: %j with %j", async (args, headers, message) => {
    expect(await call("read", args, headers)).toMatchObject({ status: 400, code: -32_020, message });
  });

  test("is served in a revision without these headers", async () => {
    const post = (message: object, headers: Record<string, string> = {}): Promise<Response> =>
      handle(
        new Request("http://localhost/mcp", {
          method: "POST",
          headers: { ...headersFor(undefined), ...headers },
          body: JSON.stringify({ jsonrpc: "2.0", id: 1, ...message }),
        }),
      );
    const clientInfo = { name: "test", version: "1" };
    const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
    const opened = await post({ method: "initialize", params });
    const session = { "mcp-session-id": opened.headers.get("mcp-session-id") ?? "" };
    await opened.text();
    const called = await post(
      { method: "tools/call", params: { name: "read", arguments: { region: "eu" } } },
      session,
    );
    expect([called.status, await called.text()]).toEqual([200, expect.stringContaining("eu,,")]);
  });

  test("does not reveal a tool that is hidden from the caller", async () => {
    const hidden = await call("erase", { region: "eu" }, {});
    const unknown = await call("eraze", { region: "eu" }, {});
    expect(hidden).toEqual({ ...unknown, message: unknown.message?.replace("eraze", "erase") });
  });
});
