import { application as notebook } from "emitted:test/runtime/notebook/application.js";
import { allFeatures } from "@tenon/runtime/features";
import { createServer, type Application, type Validators } from "@tenon/runtime/server";
import { connect, type TestClient } from "@tenon/runtime/testing";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { LATEST, LATEST_LEGACY, quietServer } from "../support/describe-transports.js";
import { WireClient } from "../support/wire-client.js";
import { memoryWire } from "../support/wires.js";

class Sums {
  calls = 0;
  add({ a }: { a: number }): number {
    this.calls++;
    return a + 1;
  }
  double({ a }: { a: number }): number {
    return a * 2;
  }
}

const sums = new Sums();
const isSum = (data: unknown): boolean => typeof (data as { a?: unknown }).a === "number";
const rows = (...names: string[]): Validators => ({
  tools: Object.fromEntries(names.map((name) => [name, { input: isSum }])),
  prompts: {},
  resourceTemplates: {},
});

/** Creates a server with two tools, whose validators are in separate modules. */
function application(add: () => Promise<Validators>, double = add): Application {
  const tool = (name: string): Application["manifest"]["tools"][number] => ({
    definition: {
      name,
      inputSchema: { type: "object", properties: { a: { type: "number" } }, required: ["a"] },
    },
    handler: { module: "src/sums.ts", export: "Sums", method: name, parameters: [{ from: "arguments" }] },
    input: {},
    output: { kind: "text" },
  });
  const module = (load: () => Promise<Validators>): Validators["tools"][string] => ({
    load: async () => {
      const validators = await load();
      return { createValidators: () => validators };
    },
  });
  return {
    manifest: {
      manifestVersion: 1,
      server: { name: "sums", version: "1.0.0" },
      tools: [tool("add"), tool("double")],
      prompts: [],
      resources: [],
      resourceTemplates: [],
    },
    classes: { "src/sums.ts": { Sums } },
    validators: { tools: { add: module(add), double: module(double) }, prompts: {}, resourceTemplates: {} },
    config: { provide: [sums], log: "off" },
  };
}

const toTextResult = (text: string): object => ({ content: [{ type: "text", text }] });

describe("the first call", () => {
  let client: TestClient;
  const errors: unknown[] = [];
  const connectTo = async (...modules: Parameters<typeof application>): Promise<TestClient> =>
    (client = await connect(
      createServer(application(...modules), { onInternalError: ({ error }) => errors.push(error) }),
      { showErrors: false },
    ));
  afterEach(() => client.close());

  test("loads only the validators it needs, once", async () => {
    const [add, double] = [vi.fn(async () => rows("add")), vi.fn(async () => rows("double"))];
    await connectTo(add, double);
    await client.listTools();
    expect(add).not.toHaveBeenCalled();
    const both = await Promise.all([client.callTool("add", { a: 1 }), client.callTool("add", { a: 2 })]);
    expect(both).toMatchObject([toTextResult("2"), toTextResult("3")]);
    expect(await client.callTool("add", { a: "3" })).toMatchObject(toTextResult("4"));
    expect(add).toHaveBeenCalledTimes(1);
    expect(double).not.toHaveBeenCalled();
  });

  test("explains invalid arguments", async () => {
    await connectTo(async () => rows("add", "double"));
    expect(await client.callTool("double", { b: 1 })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining("missing argument `a` (a number)") as string }],
    });
  });

  test.each([
    ["cannot be imported", () => Promise.reject(new Error("Cannot find module"))],
    ["belongs to another build", () => Promise.resolve(rows("double"))],
  ])("fails if its module %s, and the next call retries", async (_name, broken) => {
    const load = vi.fn(async () => rows("add")).mockImplementationOnce(broken);
    await connectTo(load);
    const before = sums.calls;
    await expect(client.callTool("add", { a: 1 })).rejects.toThrow(/an internal error/);
    expect(String(errors.splice(0)[0])).toContain("Restart the server");
    expect(sums.calls).toBe(before);
    expect(await client.callTool("add", { a: 1 })).toMatchObject(toTextResult("2"));
  });
});

describe("the first request to a server", () => {
  const uri = "note://1";
  const ref = { type: "ref/resource", uri: "note://{id}" };

  test.each([
    [LATEST, "tools/call", { name: "write", arguments: { id: "1", text: "a" } }],
    [LATEST, "prompts/get", { name: "summary" }],
    [LATEST, "resources/read", { uri }],
    [LATEST, "completion/complete", { ref, argument: { name: "id", value: "" } }],
    [LATEST_LEGACY, "resources/subscribe", { uri }],
    [LATEST_LEGACY, "resources/unsubscribe", { uri }],
  ])("may be, in revision %s, a request for %s", async (revision, method, params) => {
    const client = await open(revision);
    expect((await client.request(method, params)).error?.code ?? 0).not.toBe(-32603);
  });

  test("may be subscriptions/listen", async () => {
    const client = await open(LATEST);
    void client.request("subscriptions/listen", { notifications: { resourceSubscriptions: [uri] } }, "s");
    await expect
      .poll(() => client.notifications[0]?.params)
      .toMatchObject({ notifications: { resourceSubscriptions: [uri] } });
  });

  async function open(revision: string): Promise<WireClient> {
    const server = quietServer({
      ...notebook,
      features: allFeatures.filter(({ checks }) => checks === undefined),
    });
    onTestFinished(() => server.close());
    const client = new WireClient(memoryWire(server), { revision });
    await client.open();
    return client;
  }
});
