import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from "@modelcontextprotocol/client";
import { StdioClientTransport as StdioV2 } from "@modelcontextprotocol/client/stdio";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as StdioV1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as HttpV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { listen, type Listener } from "@tenon/runtime/node";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { quietServer } from "../support/describe-transports.js";
import { serverProgram } from "../support/server-program.js";
import { createFixture } from "./fixture/application.js";
import { FIXTURE_ENTRY } from "./fixture/programs.js";

const program = await serverProgram(FIXTURE_ENTRY);
let listener: Listener;
beforeAll(async () => {
  listener = await listen(quietServer(createFixture()), { port: 0 });
});
afterAll(() => listener.close());

const info = { name: "official", version: "1.0.0" };
const stdio = () => ({ command: process.execPath, args: [program], stderr: "ignore" as const });
const url = () => new URL(listener.url);

/** Methods of either client that the tests use. The types of the clients differ only in notation. */
interface Client {
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(params: object, ...more: unknown[]): Promise<Record<string, unknown>>;
  getPrompt(params: object): Promise<Record<string, unknown>>;
  listResources(): Promise<{ resources: unknown[] }>;
  readResource(params: object): Promise<{ contents: unknown[] }>;
  complete(params: object): Promise<{ completion: { values: string[] } }>;
  close(): Promise<void>;
}

const OPENERS: [string, "legacy" | "modern", () => Promise<Client>][] = [
  ["1.x over stdio", "legacy", () => openV1(new StdioV1(stdio()))],
  ["1.x over HTTP", "legacy", () => openV1(new HttpV1(url()) as Parameters<ClientV1["connect"]>[0])],
  ["2.x, legacy, over stdio", "legacy", () => openV2("legacy", new StdioV2(stdio()))],
  ["2.x, legacy, over HTTP", "legacy", () => openV2("legacy", new HttpV2(url()))],
  ["2.x, probing, over stdio", "modern", () => openV2("auto", new StdioV2(stdio()))],
  ["2.x, probing, over HTTP", "modern", () => openV2("auto", new HttpV2(url()))],
];

async function openV1(transport: Parameters<ClientV1["connect"]>[0]): Promise<Client> {
  const client = new ClientV1(info);
  await client.connect(transport);
  return client as unknown as Client;
}

async function openV2(
  mode: "auto" | "legacy",
  transport: Parameters<ClientV2["connect"]>[0],
): Promise<Client> {
  const client = new ClientV2(info, { versionNegotiation: { mode } });
  await client.connect(transport);
  // In version 2 the options come second, in version 1 third.
  const callTool = client.callTool.bind(client);
  const call = (params: object, _schema?: unknown, options?: object) =>
    callTool(params as never, options as never);
  return Object.assign(client, { callTool: call }) as unknown as Client;
}

describe.each(OPENERS)("the official client %s", (_, era, openClient) => {
  let client: Client;
  beforeEach(async () => {
    client = await openClient();
  });
  afterEach(() => client.close());

  test("accepts every list and every kind of result", async () => {
    const { tools } = await client.listTools();
    expect(tools.map((tool) => tool.name)).toContain("add");
    expect(
      (await client.callTool({ name: "add", arguments: { a: "1", b: 2 } }))["structuredContent"],
    ).toEqual(era === "modern" ? 3 : { result: 3 });
    for (const kind of ["image", "audio", "link", "embedded"]) {
      expect((await client.callTool({ name: "media", arguments: { kind } }))["content"]).toHaveLength(1);
    }
    expect(await client.callTool({ name: "whole" })).toMatchObject({ structuredContent: { answer: 42 } });
    expect(
      await client.getPrompt({ name: "plan", arguments: { city: "Oslo", mood: "calm", days: "2" } }),
    ).toMatchObject({
      messages: [{ content: { text: "Plan 2 calm days in Oslo." } }],
    });
    expect((await client.listResources()).resources).toHaveLength(6);
    expect((await client.readResource({ uri: "climate://Oslo/2020" })).contents).toHaveLength(1);
    const ref = { type: "ref/prompt", name: "plan" };
    expect((await client.complete({ ref, argument: { name: "mood", value: "" } })).completion.values).toEqual(
      ["calm", "busy"],
    );
  });

  test("receives failures as errors", async () => {
    expect(await client.callTool({ name: "book", arguments: { city: "Oslo", days: 30 } })).toMatchObject({
      isError: true,
      content: [{ text: 'Invalid arguments for tool "book": `days` must be at most 14 (got 30).' }],
    });
    await expect(client.callTool({ name: "nobody" })).rejects.toMatchObject({ code: -32602 });
    await expect(client.readResource({ uri: "notes://tomorrow" })).rejects.toThrow(
      'No resource "notes://tomorrow".',
    );
  });

  test("receives progress notifications", async () => {
    const controller = new AbortController();
    const options = { signal: controller.signal };
    const seen = await new Promise((onprogress, reject) => {
      const call = { name: "pause", arguments: { ms: 60_000 } };
      client.callTool(call, undefined, { ...options, onprogress }).catch(reject);
    });
    controller.abort();
    expect(seen).toEqual({ progress: 1, total: 2 });
  });

  test("can cancel a call and continue", async () => {
    const controller = new AbortController();
    const waiting = client.callTool({ name: "wait" }, undefined, { signal: controller.signal });
    const cancelled = expect(waiting).rejects.toThrow();
    await client.callTool({ name: "nothing" });
    controller.abort();
    await cancelled;
    expect(await client.callTool({ name: "nothing" })).toMatchObject({ content: [{ text: "Done." }] });
  });
});
