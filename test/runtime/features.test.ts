import type { Manifest } from "@tenon/runtime/manifest";
import { type Application, createServer, type FeatureName, type FeatureSet } from "@tenon/runtime/server";
import { connect, RpcError } from "@tenon/runtime/testing";
import { createNotifier } from "@tenon/runtime";
import { allFeatures, prompts } from "@tenon/runtime/features";
import { describe, expect, test } from "vitest";
import { createNotebook } from "./fixture/notebook.js";

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
  ])("does not have %s", async (method, params) => {
    const client = await connect(createServer(application()), { revision });
    const failure: unknown = await client.request(method, params).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(RpcError);
    expect(failure).toMatchObject({ code: -32601 });
  });

  test("tells its list whole, and knows no cursor", async () => {
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
        message: "The cursor is not one that this server gave out for this list.",
      });
    }
  });

  test("answers as one with all of them does", async () => {
    const conversation = async (features: FeatureSet): Promise<unknown[]> => {
      const client = await connect(createServer(application({}, features)), { revision, logLevel: "debug" });
      const requests: [string, Record<string, unknown>][] = [
        ["tools/list", {}],
        ["tools/list", { cursor: "1" }],
        ["tools/call", { name: "add" }],
        ["tools/call", { name: "ad" }],
        ["tools/call", { name: "add", arguments: { a: 1 }, _meta: { progressToken: 1 } }],
        ["ping", {}],
        ["initialize", {}],
        ["server/discover", {}],
        ["nothing/of/the/kind", {}],
      ];
      const answers = requests.map(([method, params]) =>
        client
          .request(method, params)
          .catch(({ code, message, data }: RpcError) => ({ code, message, data })),
      );
      return [client.server, ...(await Promise.all(answers))];
    };
    expect(await conversation({})).toEqual(await conversation(allFeatures));
  });

  test("has nobody to tell of changes", async () => {
    const server = createServer(application());
    const client = await connect(server, { revision });
    server.notify.toolsChanged();
    server.notify.promptsChanged();
    server.notify.resourcesChanged();
    server.notify.resourceUpdated("a://b");
    await client.listTools();
    expect(client.notifications).toEqual([]);
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

  const long: Partial<Manifest> = {
    tools: tools.flatMap((each) =>
      Array.from({ length: 1001 }, (_, index) => ({
        ...each,
        definition: { ...each.definition, name: `add-${index}` },
      })),
    ),
  };
  const validatorsOf = ({ tools: listed }: Manifest): Application["validators"]["tools"] =>
    Object.fromEntries(listed.map(({ definition: { name } }) => [name, accepts]));

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
    [
      "wrapping",
      tool({
        definition: { name: "add", inputSchema: { type: "object" }, outputSchema: { type: "number" } },
      }),
    ],
    ["paging", long],
  ])("%s", (name, manifest) => {
    const needing = application(manifest);
    needing.validators.tools = { ...needing.validators.tools, ...validatorsOf(needing.manifest) };
    expect(() => createServer(needing)).toThrow(`the feature "${name}"`);
  });

  test("configuration", () => {
    expect(() => createServer({ ...application(), config: {} })).toThrow('the feature "configuration"');
  });

  test.each<FeatureName>(["changes", "paging"])("%s, for lists that change", (missing) => {
    const { [missing]: _missing, ...features } = allFeatures;
    expect(() => createServer({ ...createNotebook(), features })).toThrow(`the feature "${missing}"`);
  });

  test("changes, for resources that can be said to have changed", () => {
    const { changes: _changes, ...features } = allFeatures;
    const manifest = { resources: [{ definition: { name: "b", uri: "a://b" }, handler }] };
    const notifier = createNotifier();
    expect(() => createServer(application(manifest, features))).not.toThrow();
    expect(() => createServer({ ...application(manifest, features), config: { notifier } })).toThrow(
      'the feature "changes"',
    );
  });

  test("and starts with it", async () => {
    const client = await connect(createServer(application({ prompts: [prompt] }, { prompts })));
    expect(await client.listPrompts()).toEqual([{ name: "plan" }]);
  });
});
