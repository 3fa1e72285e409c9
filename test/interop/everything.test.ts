import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Answers, type FullClient, fullCombinations } from "./full-clients.js";
import { runServer } from "./official-clients.js";
import { eventually } from "../support/eventually.js";

const entry = join(import.meta.dirname, "../../examples/everything/dist/server.js");
const server = runServer(entry, {}, ["--sse"]);
afterAll(() => server.stop());

/** Answers each question from its schema. */
const answers: Answers = {
  elicit: ({ mode, requestedSchema }) => {
    if (mode === "url") return { action: "accept" };
    const { properties = {} } = requestedSchema as { properties?: Record<string, { default?: unknown }> };
    const content = Object.entries(properties).map(([name, { default: preset }]) => [
      name,
      preset ?? KNOWN[name] ?? name,
    ]);
    return { action: "accept", content: Object.fromEntries(content) as Record<string, unknown> };
  },
  sample: ({ tools }) => {
    const message = { role: "assistant", model: "test-model" };
    return tools === undefined
      ? { ...message, content: { type: "text", text: "Paris" } }
      : {
          ...message,
          stopReason: "toolUse",
          content: [{ type: "tool_use", id: "1", name: "weather", input: { city: "Oslo" } }],
        };
  },
  roots: [{ uri: "file:///test/root", name: "Test Root" }],
};

const KNOWN: Record<string, unknown> = {
  name: "Ada",
  color: "green",
  ok: true,
  username: "ada",
  email: "ada@example.com",
  untitledSingle: "option1",
  titledSingle: "value2",
  legacyEnum: "opt3",
  untitledMulti: ["option1", "option2"],
  titledMulti: ["value3"],
};

describe.each(fullCombinations)("$name", ({ connect, era, transport }) => {
  let client: FullClient;
  beforeEach(async () => {
    client = await connect(server, answers);
  });
  afterEach(() => client.close());

  const text = async (name: string, args: Record<string, unknown> = {}): Promise<string> => {
    const { content, isError } = await client.callTool({ name, arguments: args });
    const [block] = content as { text?: string }[];
    if (isError === true) throw new Error(block?.text);
    return block?.text ?? "";
  };

  test("lists everything, with the tools sorted by name", async () => {
    const { tools } = await client.listTools();
    const names = tools.map((tool) => tool.name);
    expect(names).toEqual(names.toSorted());
    expect(names).toContain("test_simple_text");
    expect(names).not.toContain("test_hidden_tool");
    expect(tools[0]).toMatchObject({
      name: "about",
      title: "About this server",
      annotations: { readOnlyHint: true },
      icons: [{ src: expect.stringMatching(/^data:image\/png/) as string }],
      outputSchema: { type: "object" },
    });
    expect((await client.listPrompts()).prompts.length).toBeGreaterThan(5);
    const { resources } = await client.listResources();
    expect(resources.find((each) => each.uri === "test://static-binary")).toMatchObject({
      size: 70,
      annotations: { audience: ["user"], priority: 0.2, lastModified: "2026-07-28T00:00:00Z" },
    });
    expect((await client.listResourceTemplates()).resourceTemplates).toHaveLength(1);
  });

  test("lists a custom schema unchanged", async () => {
    const { tools } = await client.listTools();
    const schema = tools.find((tool) => tool.name === "json_schema_2020_12_tool")?.inputSchema;
    expect(schema).toMatchObject({
      $schema: "https://json-schema.org/draft/2020-12/schema",
      $defs: { address: { $anchor: "addressDef" } },
      if: { required: ["contactMethod"] },
      else: { required: ["email"] },
    });
    expect(await text("json_schema_2020_12_tool", { name: "Ada", email: "a@b.c" })).toContain("Stored Ada");
    await expect(
      text("json_schema_2020_12_tool", { contactMethod: "phone", email: "a@b.c" }),
    ).rejects.toThrow("phone");
  });

  test.each([
    ["test_simple_text", ["text"]],
    ["test_image_content", ["image"]],
    ["test_audio_content", ["audio"]],
    ["test_embedded_resource", ["resource"]],
    ["test_resource_link", ["resource_link", "resource_link"]],
    ["test_multiple_content_types", ["text", "image", "resource"]],
  ])("%s returns its kinds of content", async (name, kinds) => {
    const { content } = await client.callTool({ name });
    expect((content as { type: string }[]).map((block) => block.type)).toEqual(kinds);
  });

  test("receives structured content, and uses the newest legacy or modern revision", async () => {
    const { structuredContent, content } = await client.callTool({ name: "about" });
    expect(structuredContent).toMatchObject({
      name: "everything",
      client: "interop",
      revision: era === "modern" ? "2026-07-28" : "2025-11-25",
    });
    expect(content).toEqual([{ type: "text", text: JSON.stringify(structuredContent) }]);
  });

  test("receives a tool error with the tool's message", async () => {
    expect(await client.callTool({ name: "test_error_handling" })).toMatchObject({
      isError: true,
      content: [{ type: "text", text: "This tool intentionally returns an error for testing" }],
    });
  });

  test("repeats arguments in headers", async () => {
    // Client 2.x reads from the list which arguments to repeat.
    await client.listTools();
    expect(await text("test_x_mcp_header", { region: "eu-nörd", level: 3 })).toBe("region=eu-nörd");
  });

  test("receives progress notifications", async () => {
    // The clients drop progress that they read together with the response, as happens on a busy machine.
    await expect.poll(() => client.callWithProgress("test_tool_with_progress")).toEqual([0, 50, 100]);
  });

  test("receives log messages of the level that it requests", async () => {
    await client.callWithLogs("test_logging_tool", "info");
    await client.callWithLogs("test_logging_tool", "debug");
    const logs = client.heard.filter((each) => each.method === "notifications/message");
    expect(logs.map((each) => each.params?.level)).toEqual(["info", "debug", "info"]);
    expect(logs[1]?.params).toMatchObject({ logger: "everything", data: { step: "look closely" } });
  });

  test("shows forms with titles, formats, defaults, and choices", async () => {
    expect(await text("test_elicitation", { message: "Who are you?" })).toBe(
      'User response: action=accept, content={"username":"ada","email":"ada@example.com"}',
    );
    expect(client.asked[0]?.params).toMatchObject({ message: "Who are you?" });
    expect(await text("test_elicitation_sep1034_defaults")).toContain(
      '{"name":"John Doe","age":30,"score":95.5,"status":"active","verified":true}',
    );
    expect(await text("test_elicitation_sep1330_enums")).toContain('"titledMulti":["value3"]');
    expect(client.asked[2]?.params?.requestedSchema).toMatchObject({
      properties: {
        titledSingle: { oneOf: [{ const: "value1", title: "First Option" }, {}, {}] },
        titledMulti: { items: { anyOf: [{ const: "value1", title: "First Choice" }, {}, {}] } },
      },
    });
  });

  test("opens a URL for the user", async () => {
    expect(await text("test_elicitation_url")).toBe("The user said accept.");
    expect(client.asked[0]?.params).toMatchObject({ mode: "url", url: "https://example.com/connect" });
    if (era === "modern") {
      expect(client.asked[0]?.params).not.toHaveProperty("elicitationId");
    } else {
      await eventually(() =>
        expect(client.heard).toContainEqual({
          method: "notifications/elicitation/complete",
          params: { elicitationId: client.asked[0]?.params?.elicitationId },
        }),
      );
    }
  });

  test("receives an error that requires the user to open a URL first", async () => {
    const call = client.callTool({ name: "test_url_required" });
    if (era === "modern") {
      expect(await call).toMatchObject({ isError: true });
      expect(client.asked[0]?.params).toMatchObject({ mode: "url", url: "https://example.com/connect" });
    } else {
      await expect(call).rejects.toMatchObject({
        code: -32042,
        data: { elicitations: [{ mode: "url", url: "https://example.com/connect" }] },
      });
    }
  });

  test("samples its model, with and without tools", async () => {
    expect(await text("test_sampling", { prompt: "The capital of France?" })).toBe("LLM response: Paris");
    expect(await text("test_sampling_with_tools")).toBe("The model called weather.");
    expect(client.asked[1]?.params).toMatchObject({ toolChoice: { mode: "required" } });
  });

  test("shares its roots", async () => {
    const { structuredContent } = await client.callTool({ name: "test_roots" });
    const uris = ["file:///test/root"];
    expect(structuredContent).toEqual(era === "modern" ? uris : { result: uris });
  });

  test("answers questions one after the other, and several at the same time", async () => {
    expect(await text("test_input_required_result_elicitation")).toBe("Hello, Ada!");
    expect(await text("test_input_required_result_request_state")).toBe("state-ok");
    expect(await text("test_input_required_result_multi_round")).toBe("Ada likes green.");
    expect(await text("test_input_required_result_multiple_inputs")).toBe("Paris, Ada! You share 1 roots.");
  });

  test("answers questions of a prompt", async () => {
    const { messages } = await client.getPrompt({ name: "test_input_required_result_prompt" });
    expect(messages).toMatchObject([{ content: { text: "Consider this: context" } }]);
  });

  test("reads text, bytes, and a template", async () => {
    expect((await client.readResource({ uri: "test://static-text" })).contents).toMatchObject([
      { mimeType: "text/plain", text: "This is the content of the static text resource." },
    ]);
    const [picture] = (await client.readResource({ uri: "test://static-binary" })).contents;
    expect(Buffer.from((picture as { blob: string }).blob, "base64")).toHaveLength(70);
    expect((await client.readResource({ uri: "test://template/123/data" })).contents).toMatchObject([
      { text: '{"id":"123","templateTest":true,"data":"Data for ID: 123"}' },
    ]);
  });

  test("renders prompts of each kind and completes their arguments", async () => {
    const withArguments = { name: "test_prompt_with_arguments", arguments: { arg1: "a", arg2: "b" } };
    expect((await client.getPrompt(withArguments)).messages).toMatchObject([
      { role: "user", content: { text: "Prompt with arguments: arg1='a', arg2='b'" } },
    ]);
    expect((await client.getPrompt({ name: "test_prompt_with_image" })).messages).toMatchObject([
      { content: { type: "image" } },
      { content: { type: "text" } },
    ]);
    const embedded = { name: "test_prompt_with_embedded_resource", arguments: { resourceUri: "test://x" } };
    expect((await client.getPrompt(embedded)).messages).toMatchObject([
      { content: { type: "resource", resource: { uri: "test://x" } } },
      {},
    ]);
    const ref = { type: "ref/prompt" as const, name: "test_prompt_with_arguments" };
    const first = await client.complete({ ref, argument: { name: "arg1", value: "par" } });
    expect(first.completion.values).toEqual(["paris", "park", "party"]);
    const second = await client.complete({
      ref,
      argument: { name: "arg2", value: "" },
      context: { arguments: { arg1: "park" } },
    });
    expect(second.completion.values).toEqual(["park-one", "park-two"]);
    const template = { type: "ref/resource" as const, uri: "test://template/{id}/data" };
    const ids = await client.complete({ ref: template, argument: { name: "id", value: "12" } });
    expect(ids.completion.values).toEqual(["123", "124"]);
  });

  test("is notified of changed lists and of the resource it subscribed to", async () => {
    await client.watch("test://watched-resource");
    const findNotifications = (method: string) => client.heard.filter((each) => each.method === method);
    await client.callTool({ name: "test_trigger_tool_change" });
    await client.callTool({ name: "test_trigger_prompt_change" });
    await client.callTool({ name: "test_trigger_resource_update" });
    await eventually(() => {
      expect(findNotifications("notifications/tools/list_changed")).toHaveLength(1);
      expect(findNotifications("notifications/prompts/list_changed")).toHaveLength(1);
      expect(findNotifications("notifications/resources/updated")).toMatchObject([
        { params: { uri: "test://watched-resource" } },
      ]);
    });
    expect((await client.listTools()).tools.map((tool) => tool.name)).toContain("test_hidden_tool");
    expect(await text("test_hidden_tool")).toBe("You found me.");
    await client.callTool({ name: "test_trigger_tool_change" });
    await client.callTool({ name: "test_trigger_prompt_change" });
    await expect(client.callTool({ name: "test_hidden_tool" })).rejects.toMatchObject({ code: -32602 });
  });

  // Other combinations have no stream that could be resumed.
  if (transport === "http" && era === "legacy") {
    test("resumes a stream that the server closed", async () => {
      expect(await text("test_reconnection")).toBe("You came back.");
    });
  }

  test("receives no request that requires a missing capability", async () => {
    const mute = await connect(server);
    try {
      const call = mute.callTool({ name: "test_missing_capability" });
      if (era === "modern") await expect(call).rejects.toMatchObject({ code: -32021 });
      else
        expect(await call).toMatchObject({
          isError: true,
          content: [{ text: expect.stringContaining("sampling") as string }],
        });
      expect(mute.asked).toEqual([]);
    } finally {
      await mute.close();
    }
  });
});
