/**
 * A server of tools alone, none of which needs anything: it has the methods that it has something for, and no others.
 */
import { UrlElicitationRequiredError } from "@tenon/runtime";
import { allFeatures, context, subscriptions } from "@tenon/runtime/features";
import { type Application, createServer } from "@tenon/runtime/server";
import { connect, RpcError } from "@tenon/runtime/testing";
import { describe, expect, test, vi } from "vitest";
import { createFixture } from "./fixture/application.js";

class Plain {
  /** Requests input through an error only. */
  visit(): string {
    throw new UrlElicitationRequiredError([
      { message: "Connect your calendar.", url: "https://example.com/connect", id: "calendar" },
    ]);
  }

  add(): string {
    return "three";
  }
}

function application(method: "add" | "visit" = "add"): Application {
  return {
    manifest: {
      manifestVersion: 1,
      server: { name: "plain", version: "1.0.0" },
      tools: [
        {
          definition: { name: "add", inputSchema: { type: "object" } },
          handler: { module: "src/plain.ts", export: "Plain", method, parameters: [] },
          input: {},
          output: { kind: "text" },
        },
      ],
      prompts: [],
      resources: [],
      resourceTemplates: [],
    },
    classes: { "src/plain.ts": { Plain } },
    validators: { tools: { add: { input: () => true } }, prompts: {}, resourceTemplates: {} },
  };
}

test("features that the manifest needs must be present", () => {
  const [fixture, features] = [createFixture(), [context]];
  expect(() => createServer({ ...fixture, features })).toThrow("lacks the feature that serves");
  expect(() => createServer({ ...fixture, features: [] })).toThrow("lacks the feature that creates");
  const behaving = { ...fixture, features: allFeatures.filter((feature) => feature !== subscriptions) };
  expect(() => createServer(behaving)).toThrow("lacks the feature that notifies");
  const plain = application();
  const conversion = { kind: "object" as const, properties: { at: { kind: "date" as const } } };
  for (const converted of [
    { input: { conversion } },
    { output: { kind: "structured" as const, conversion } },
  ]) {
    const tools = plain.manifest.tools.map((tool) => ({ ...tool, ...converted }));
    const server = (): unknown => createServer({ ...plain, manifest: { ...plain.manifest, tools } });
    expect(server).toThrow("lacks the feature that converts");
  }
});

describe.each(["2025-11-25", "2026-07-28"])("a server with tools only, at %s", (revision) => {
  test("serves tools, and declares nothing else", async () => {
    const client = await connect(createServer(application()), { revision });
    expect(client.server.capabilities).toEqual({ tools: {} });
    expect(await client.listTools()).toHaveLength(1);
    expect((await client.callTool("add")).content).toEqual([{ type: "text", text: "three" }]);
  });

  test.each<[string, Record<string, unknown>]>([
    ["prompts/list", {}],
    ["prompts/get", { name: "plan" }],
    ["resources/list", {}],
    ["resources/templates/list", {}],
    ["resources/read", { uri: "a://b" }],
    [
      "completion/complete",
      { ref: { type: "ref/prompt", name: "plan" }, argument: { name: "a", value: "" } },
    ],
    ["logging/setLevel", { level: "debug" }],
    ["resources/subscribe", { uri: "a://b" }],
    ["subscriptions/listen", { notifications: { toolsListChanged: true } }],
  ])("has no %s", async (method, params) => {
    const client = await connect(createServer(application()), { revision });
    const failure: unknown = await client.request(method, params).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(RpcError);
    expect(failure).toMatchObject({ code: -32601 });
  });

  test("asks its client to open the URL that a tool requires", async () => {
    const elicit = vi.fn(() => ({ action: "decline" as const }));
    const client = await connect(createServer(application("visit")), { revision, answers: { elicit } });
    const answer: unknown = await client.callTool("add").catch((error: unknown) => error);
    if (revision === "2025-11-25") {
      const elicitations = [expect.objectContaining({ elicitationId: "calendar" }) as object];
      expect(answer).toMatchObject({ code: -32042, data: { elicitations } });
    } else {
      expect(answer).toMatchObject({ content: [{ text: "The user did not open the URL." }] });
      expect(elicit).toHaveBeenCalledTimes(1);
    }
  });

  test("sends its list as a whole, and accepts no cursor", async () => {
    const client = await connect(createServer(application()), { revision });
    const whole = await client.request("tools/list");
    expect(whole).not.toHaveProperty("nextCursor");
    for (const cursor of ["", null]) expect(await client.request("tools/list", { cursor })).toEqual(whole);
    for (const cursor of ["dG9vbHMuMS5hYmNkZWZnaGlqaw", "1", 1, {}]) {
      const failure: unknown = await client
        .request("tools/list", { cursor })
        .catch((error: unknown) => error);
      expect(failure).toMatchObject({
        code: -32602,
        message:
          "The cursor was not created by this server for this list. Request the list without a cursor.",
      });
    }
  });

  test("sends no change notifications", async () => {
    const server = createServer(application());
    const client = await connect(server, { revision });
    server.notify.toolsChanged();
    server.notify.promptsChanged();
    server.notify.resourcesChanged();
    server.notify.resourceUpdated("a://b");
    await client.listTools();
    expect(client.notifications).toEqual([]);
  });

  test("ignores unsolicited answers and notifications", async () => {
    const sent: string[] = [];
    const peer = { send: (text: string) => void sent.push(text) };
    const connection = createServer(application()).connect(peer);
    expect(connection.receive({ jsonrpc: "2.0", id: "tenon-1", result: {} }, peer)).toBeUndefined();
    connection.close();
    expect(sent).toEqual([]);
  });
});
