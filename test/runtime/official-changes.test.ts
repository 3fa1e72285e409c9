import {
  Client as ClientV2,
  type McpSubscription,
  StreamableHTTPClientTransport as HttpV2,
} from "@modelcontextprotocol/client";
import { StdioClientTransport as StdioV2 } from "@modelcontextprotocol/client/stdio";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import { StdioClientTransport as StdioV1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as HttpV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import {
  PromptListChangedNotificationSchema,
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { listen, type Listener } from "@tenon/runtime/node";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { quietServer } from "../support/describe-transports.js";
import { serverProgram } from "../support/server-program.js";
import { createFixture } from "./fixture/application.js";
import { createNotebook } from "./fixture/notebook.js";
import { NOTEBOOK_ENTRY } from "./fixture/programs.js";

const info = { name: "official", version: "1.0.0" };
const program = await serverProgram(NOTEBOOK_ENTRY);
let listener: Listener;
beforeAll(async () => {
  listener = await listen(quietServer(createNotebook()), { port: 0, sse: true });
});
afterAll(() => listener.close());

const stdio = () => ({ command: process.execPath, args: [program], stderr: "ignore" as const });
const url = (path = "/mcp") => new URL(path, listener.url);

type TransportV1 = Parameters<ClientV1["connect"]>[0];

const V1: [string, () => TransportV1][] = [
  ["stdio", () => new StdioV1(stdio())],
  ["Streamable HTTP", () => new HttpV1(url()) as TransportV1],
  ["HTTP+SSE", () => new SSEClientTransport(url("/sse"))],
];

describe.each(V1)("the official client 1.x over %s", (name, transport) => {
  test("is notified when lists and resources change", async () => {
    const client = new ClientV1(info);
    const heard: string[] = [];
    for (const schema of [
      ToolListChangedNotificationSchema,
      PromptListChangedNotificationSchema,
      ResourceListChangedNotificationSchema,
      ResourceUpdatedNotificationSchema,
    ]) {
      client.setNotificationHandler(schema, ({ method, params }) => {
        const { uri } = (params ?? {}) as { uri?: string };
        heard.push(uri === undefined ? method : `${method} ${uri}`);
      });
    }
    await client.connect(transport());
    expect(client.getServerCapabilities()).toMatchObject({
      tools: { listChanged: true },
      prompts: { listChanged: true },
      resources: { listChanged: true, subscribe: true },
    });
    const id = name.replaceAll(" ", "-");
    await client.subscribeResource({ uri: `note://${id}` });
    // The standalone stream opens while the first responses arrive.
    await expect
      .poll(async () => {
        await client.callTool({ name: "unlock" });
        return heard;
      })
      .toContain("notifications/tools/list_changed");
    heard.length = 0;
    await client.callTool({ name: "write", arguments: { id, text: "New" } });
    await expect
      .poll(() => heard.filter((each) => each.includes("resources")).sort())
      .toEqual(["notifications/resources/list_changed", `notifications/resources/updated note://${id}`]);
    expect((await client.listTools()).tools.map((tool) => tool.name)).toContain("secret");
    expect((await client.readResource({ uri: `note://${id}` })).contents).toMatchObject([{ text: "New" }]);
    await client.unsubscribeResource({ uri: `note://${id}` });
    await client.close();
  });

  test("can cancel a call and continue", async () => {
    const client = new ClientV1(info);
    await client.connect(transport());
    const controller = new AbortController();
    const waiting = client.callTool({ name: "slow", arguments: { ms: 60_000 } }, undefined, {
      signal: controller.signal,
    });
    const cancelled = expect(waiting).rejects.toThrow();
    await client.ping();
    controller.abort();
    await cancelled;
    await client.ping();
    await client.close();
  });
});

test("the official client 1.x resumes a call whose stream was closed", async () => {
  const client = new ClientV1(info);
  await client.connect(new HttpV1(url()) as TransportV1);
  const progress: number[] = [];
  const result = await client.callTool({ name: "poll", arguments: { ms: 100 } }, undefined, {
    onprogress: (each) => progress.push(each.progress),
  });
  expect(result).toMatchObject({ content: [{ text: "Worth the wait." }] });
  expect(progress).toEqual([1, 2]);
  await client.close();
});

test("the official client 1.x follows pages to the end", async () => {
  const pages = await listen(quietServer(createFixture({ pageSize: 5 })), { port: 0 });
  onTestFinished(() => pages.close());
  const client = new ClientV1(info);
  await client.connect(new HttpV1(new URL(pages.url)) as TransportV1);
  const names: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.listTools(cursor === undefined ? {} : { cursor });
    expect(page.tools.length).toBeLessThanOrEqual(5);
    names.push(...page.tools.map((tool) => tool.name));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  expect(names).toEqual(names.toSorted());
  expect(new Set(names).size).toBe(names.length);
  await client.close();
});

type TransportV2 = Parameters<ClientV2["connect"]>[0];

const V2: [string, () => TransportV2][] = [
  ["stdio", () => new StdioV2(stdio())],
  ["Streamable HTTP", () => new HttpV2(url())],
];

describe.each(V2)("the official client 2.x over %s", (_, transport) => {
  test("subscribes, receives the requested notifications, and unsubscribes", async () => {
    const client = new ClientV2(info, { versionNegotiation: { mode: "auto" } });
    const heard: string[] = [];
    for (const method of [
      "notifications/tools/list_changed",
      "notifications/prompts/list_changed",
      "notifications/resources/updated",
    ] as const) {
      client.setNotificationHandler(method, () => {
        heard.push(method);
      });
    }
    await client.connect(transport());
    const subscription: McpSubscription = await client.listen({
      toolsListChanged: true,
      resourceSubscriptions: ["note://1"],
    });
    expect(subscription.honoredFilter).toEqual({
      toolsListChanged: true,
      resourceSubscriptions: ["note://1"],
    });
    await client.callTool({ name: "unlock" });
    await client.callTool({ name: "write", arguments: { id: "1", text: "Changed" } });
    // A change that follows a recent one, even for another client, is announced later than other changes.
    await expect
      .poll(() => heard.toSorted())
      .toEqual(["notifications/resources/updated", "notifications/tools/list_changed"]);
    await subscription.close();
    expect(await subscription.closed).toBe("local");
    await client.callTool({ name: "unlock" });
    expect(heard).toHaveLength(2);
    await client.close();
  });

  test("receives notifications in the legacy format too", async () => {
    const client = new ClientV2(info, { versionNegotiation: { mode: "legacy" } });
    const heard: string[] = [];
    client.setNotificationHandler("notifications/resources/updated", ({ params }) => {
      heard.push(params.uri);
    });
    await client.connect(transport());
    await client.subscribeResource({ uri: "note://1" });
    await expect
      .poll(async () => {
        await client.callTool({ name: "write", arguments: { id: "1", text: "Changed" } });
        return heard;
      })
      .toContain("note://1");
    await client.close();
  });
});

test("the official client 2.x is notified that its subscription ended with the server", async () => {
  const own = await listen(quietServer(createNotebook()), { port: 0 });
  const client = new ClientV2(info, { versionNegotiation: { mode: "auto" } });
  await client.connect(new HttpV2(new URL(own.url)));
  const subscription = await client.listen({ toolsListChanged: true });
  await own.close();
  expect(await subscription.closed).toBe("graceful");
  await client.close();
});
