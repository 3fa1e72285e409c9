/**
 * The everything server in each revision, message by message: each message is validated against the schema of the
 * revision.
 */
import { join } from "node:path";
import { listen, type Listener } from "@tenon/runtime/node";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { server } from "../../examples/everything/dist/app.js";
import { REVISIONS } from "../support/describe-transports.js";
import { type Wire, WireClient } from "../support/wire-client.js";
import { httpWire, memoryWire, stdioWire } from "../support/wires.js";

const entry = join(import.meta.dirname, "../../examples/everything/dist/server.js");
let listener: Listener;
beforeAll(async () => {
  listener = await listen(server, { port: 0 });
});
afterAll(() => listener.close());

const WIRES: [string, () => Wire][] = [
  ["memory", () => memoryWire(server)],
  ["stdio", () => stdioWire(entry)],
  ["http", () => httpWire(listener.url, fetch)],
];

const CAPABILITIES = { elicitation: { form: {}, url: {} }, sampling: { tools: {} }, roots: {} };

const FORM: Record<string, unknown> = {
  username: "ada",
  email: "ada@example.com",
  name: "Ada",
  color: "green",
  ok: true,
  context: "none",
  confirm: true,
};

/** Accepts every question of the server. */
function answer(method: string, { mode, requestedSchema }: Record<string, unknown>): unknown {
  if (method === "roots/list") return { roots: [{ uri: "file:///test/root" }] };
  if (method === "sampling/createMessage") {
    return { role: "assistant", model: "test-model", content: { type: "text", text: "Paris" } };
  }
  if (mode === "url") return { action: "accept" };
  const { required = [] } = requestedSchema as { required?: string[] };
  const content = Object.fromEntries(required.map((name) => [name, FORM[name]]));
  return { action: "accept", content };
}

const ARGUMENTS: Record<string, Record<string, unknown>> = {
  confirm_delete: { filename: "notes.txt" },
  greet: { name: "Ada" },
  json_schema_2020_12_tool: { email: "ada@example.com" },
  slow_compute: { seconds: 0 },
  test_elicitation: { message: "Who are you?" },
  test_sampling: { prompt: "The capital of France?" },
};

/** The first revision that supports a tool, if it is not the oldest. */
const SINCE: Record<string, string> = {
  confirm_delete: "2025-06-18",
  multi_input: "2025-06-18",
  test_tool_with_task: "2025-06-18",
  test_elicitation: "2025-06-18",
  test_elicitation_sep1034_defaults: "2025-06-18",
  // Lists of choices are newer than forms.
  test_elicitation_sep1330_enums: "2025-11-25",
  test_elicitation_url: "2025-11-25",
  test_input_required_result_elicitation: "2025-06-18",
  test_input_required_result_multi_round: "2025-06-18",
  test_input_required_result_multiple_inputs: "2025-06-18",
  test_input_required_result_request_state: "2025-06-18",
  test_input_required_result_tampered_state: "2025-06-18",
  test_streaming_elicitation: "2025-06-18",
};

/** Tools that other tests cover: they change the lists, or need a client that reconnects. */
const LEFT_OUT = /^test_(trigger_|reconnection)/;

describe.each(WIRES)("over %s", (_, open) => {
  describe.each(REVISIONS)("a client of %s", (revision) => {
    let client: WireClient;
    let opened: Record<string, unknown>;
    beforeEach(async () => {
      client = new WireClient(open(), { revision, capabilities: CAPABILITIES, answer });
      opened = await client.open();
    });
    afterEach(() => client.close());

    test("receives a response from every tool, and a result if its revision supports the tool", async () => {
      const { tools } = (await client.result("tools/list")) as { tools: { name: string }[] };
      const names = tools.map((tool) => tool.name).filter((name) => !LEFT_OUT.test(name));
      const outcomes: Record<string, string> = {};
      for (const name of names) {
        const message = await client.requestAndAnswer("tools/call", {
          name,
          arguments: ARGUMENTS[name] ?? {},
        });
        const { result, error } = message;
        outcomes[name] = error ? `error ${error.code}` : result?.isError === true ? "isError" : "result";
      }
      const expected = names.map((name): [string, string] => [
        name,
        revision < (SINCE[name] ?? "") ? "isError" : "result",
      ]);
      expect(outcomes).toEqual({
        ...Object.fromEntries(expected),
        // The client does not support tasks: it waits if possible, and is rejected if the tool requires a task.
        failing_job: client.isModern ? "error -32021" : "isError",
        protocol_error_job: "error -32603",
        ...(client.isModern ? { test_tool_with_task: "error -32021" } : {}),
        test_error_handling: "isError",
        test_url_required: revision === "2025-11-25" ? "error -32042" : "isError",
      });
    });

    test("reads every resource and renders every prompt", async () => {
      const { resources } = (await client.result("resources/list")) as { resources: { uri: string }[] };
      expect(resources).toHaveLength(7);
      for (const { uri } of [...resources, { uri: "test://template/1/data" }]) {
        const { contents } = await client.result("resources/read", { uri });
        expect(contents).toMatchObject([{ uri }]);
      }
      const { prompts } = (await client.result("prompts/list")) as {
        prompts: { name: string; arguments?: { name: string }[] }[];
      };
      for (const { name, arguments: named = [] } of prompts) {
        const args = Object.fromEntries(named.map((each) => [each.name, PROMPT_ARGUMENTS[each.name] ?? "x"]));
        const message = await client.requestAndAnswer("prompts/get", { name, arguments: args });
        const canAsk = revision >= "2025-06-18" || !name.includes("input_required");
        expect([name, message.result !== undefined]).toEqual([name, canAsk]);
      }
    });

    test("sees titles, icons, and metadata if its revision has them", async () => {
      const [tool] = (await client.result("tools/list"))["tools"] as object[];
      const { prompts } = (await client.result("prompts/list")) as { prompts: { name: string }[] };
      const { resources } = (await client.result("resources/list")) as { resources: { uri: string }[] };
      const [template] = (await client.result("resources/templates/list"))["resourceTemplates"] as object[];
      const meta = opened["_meta"] as Record<string, unknown> | undefined;
      const shown = {
        server: opened["serverInfo"] ?? meta?.["io.modelcontextprotocol/serverInfo"],
        tool,
        prompt: prompts.find((each) => each.name === "test_simple_prompt"),
        resource: resources.find((each) => each.uri === "test://static-text"),
        template,
      };
      for (const definition of Object.values(shown)) {
        expect(Object.hasOwn(definition as object, "title")).toBe(revision >= "2025-06-18");
        expect(Object.hasOwn(definition as object, "icons")).toBe(revision >= "2025-11-25");
      }
      expect(Object.hasOwn(shown.resource as object, "_meta")).toBe(revision >= "2025-06-18");
      expect(Object.hasOwn(shown.server as object, "websiteUrl")).toBe(revision >= "2025-11-25");
    });
  });
});

const PROMPT_ARGUMENTS: Record<string, string> = { mood: "calm", polite: "true", resourceUri: "test://x" };
