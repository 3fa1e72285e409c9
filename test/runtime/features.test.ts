import type { Manifest } from "@tenon/runtime/manifest";
import { type Application, createServer, type FeatureName, type FeatureSet } from "@tenon/runtime/server";
import { connect, RpcError } from "@tenon/runtime/testing";
import { prompts } from "@tenon/runtime/features";
import { describe, expect, test } from "vitest";

class Plain {
  add(): string {
    return "three";
  }
}

const handler = { module: "src/plain.ts", export: "Plain", method: "add", parameters: [] };
const accepts = { input: () => true };

function application(more: Partial<Manifest> = {}, features: FeatureSet = {}): Application {
  return {
    manifest: {
      manifestVersion: 1,
      server: { name: "plain", version: "1.0.0" },
      tools: [
        {
          definition: { name: "add", inputSchema: { type: "object" } },
          handler,
          input: {},
          output: { kind: "text" },
        },
      ],
      prompts: [],
      resources: [],
      resourceTemplates: [],
      ...more,
    },
    classes: { "src/plain.ts": { Plain } },
    validators: {
      tools: { add: accepts },
      prompts: { plan: accepts },
      resourceTemplates: { "a://{b}": accepts },
    },
    features,
  };
}

const prompt = { definition: { name: "plan" }, handler, input: {} };

describe.each(["2025-11-25", "2026-07-28"])("a server without features at %s", (revision) => {
  test("serves tools, and claims nothing else", async () => {
    const client = await connect(createServer(application()), { revision });
    expect(client.server.capabilities).toEqual({ tools: {} });
    expect(await client.listTools()).toHaveLength(1);
    expect((await client.callTool("add")).content).toEqual([{ type: "text", text: "three" }]);
  });

  test.each([
    ["prompts/list", {}],
    ["prompts/get", { name: "plan" }],
    ["resources/list", {}],
    ["resources/templates/list", {}],
    ["resources/read", { uri: "a://b" }],
    [
      "completion/complete",
      { ref: { type: "ref/prompt", name: "plan" }, argument: { name: "a", value: "" } },
    ],
    revision === "2025-11-25"
      ? ["resources/subscribe", { uri: "a://b" }]
      : ["subscriptions/listen", { notifications: { toolsListChanged: true } }],
  ])("does not have %s", async (method, params) => {
    const client = await connect(createServer(application()), { revision });
    const failure = await client
      .request(method as string, params as Record<string, unknown>)
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(RpcError);
    expect(failure).toMatchObject({ code: -32601 });
  });

  test("still takes notifications of a client that was asked nothing, and its answers", async () => {
    const sent: string[] = [];
    const connection = createServer(application()).connect({ send: (text) => sent.push(text) });
    expect(connection.receive({ jsonrpc: "2.0", id: "tenon-1", result: {} })).toBeUndefined();
    connection.close();
    expect(sent).toEqual([]);
  });
});

describe("a server does not start without a feature that its manifest needs", () => {
  const { tools } = application().manifest;
  const tool = (more: object): Partial<Manifest> => ({ tools: tools.map((each) => ({ ...each, ...more })) });

  test.each<[FeatureName, Partial<Manifest>]>([
    ["prompts", { prompts: [prompt] }],
    ["resources", { resources: [{ definition: { name: "b", uri: "a://b" }, handler }] }],
    [
      "resources",
      { resourceTemplates: [{ definition: { name: "b", uriTemplate: "a://{b}" }, handler, input: {} }] },
    ],
    ["context", tool({ handler: { ...handler, parameters: [{ from: "context" }] } })],
    ["tasks", tool({ task: { support: "optional", start: "call" } })],
    ["conversion", tool({ input: { conversion: { kind: "object", properties: { at: { kind: "date" } } } } })],
    ["content", tool({ output: { kind: "content" } })],
    ["content", tool({ output: { kind: "unknown" } })],
    ["conversion", tool({ output: { kind: "structured", conversion: { kind: "date" } } })],
  ])("%s", (name, manifest) => {
    expect(() => createServer(application(manifest))).toThrow(`the feature "${name}"`);
  });

  test("and starts with it", async () => {
    const client = await connect(createServer(application({ prompts: [prompt] }, { prompts })));
    expect(await client.listPrompts()).toEqual([{ name: "plan" }]);
  });
});
