import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { combinations, runServer, type OfficialClient } from "./official-clients.js";

const server = runServer(join(import.meta.dirname, "../../examples/weather/dist/server.js"));
afterAll(() => server.stop());

describe.each(combinations)("$name", ({ name, connect, era }) => {
  let client: OfficialClient;
  beforeEach(async () => {
    client = await connect(server);
  });
  afterEach(() => client.close());

  test("lists what the class declares", async () => {
    const { tools } = await client.listTools();
    expect(tools.map((tool) => tool.name)).toEqual(["current", "forecast"]);
    expect(tools[0]).toMatchObject({
      description: "Current conditions for a city.",
      annotations: { readOnlyHint: true },
      inputSchema: {
        type: "object",
        properties: { city: { type: "string" }, units: { enum: ["metric", "imperial"], default: "metric" } },
        required: ["city"],
      },
    });
    expect((await client.listPrompts()).prompts.map((prompt) => prompt.name)).toEqual(["plan"]);
    expect((await client.listResources()).resources.map((each) => each.uri)).toEqual(["climate://cities"]);
    expect((await client.listResourceTemplates()).resourceTemplates.map((each) => each.uriTemplate)).toEqual([
      "climate://{city}/{year}",
    ]);
  });

  test("calls a tool and validates its structured content", async () => {
    const result = await client.callTool({ name: "current", arguments: { city: "Oslo", units: "imperial" } });
    expect(result.structuredContent).toEqual({ city: "Oslo", temperature: 43, sky: "cloudy" });
    expect(result.content).toEqual([{ type: "text", text: JSON.stringify(result.structuredContent) }]);
  });

  test("sends a list in the format of the revision", async () => {
    const result = await client.callTool({
      name: "forecast",
      arguments: { city: "Oslo", days: 2, from: "2026-01-01T00:00:00Z" },
    });
    const days = [
      { date: "2026-01-01T00:00:00.000Z", celsius: 5, sky: "cloudy" },
      { date: "2026-01-02T00:00:00.000Z", celsius: 6, sky: "cloudy" },
    ];
    expect(result.structuredContent).toEqual(era === "modern" ? days : { result: days });
  });

  test("receives an explanation for invalid arguments that lets a model correct them", async () => {
    const result = await client.callTool({ name: "forecast", arguments: { citty: "Oslo", days: 30 } });
    expect(result.isError).toBe(true);
    const text = JSON.stringify(result.content);
    expect(text).toContain("citty");
    expect(text).toContain("did you mean");
    expect(text).toMatch(/days.*14/);
  });

  test("receives a ToolError as written", async () => {
    const result = await client.callTool({ name: "current", arguments: { city: "Atlantis" } });
    expect(result).toMatchObject({ isError: true });
    expect(JSON.stringify(result.content)).toContain("Known cities: Oslo");
  });

  test("receives an error for an unknown tool", async () => {
    await expect(client.callTool({ name: "curent", arguments: {} })).rejects.toMatchObject({ code: -32602 });
  });

  test("reads resources, fixed and templated", async () => {
    const cities = await client.readResource({ uri: "climate://cities" });
    expect(cities.contents).toEqual([
      {
        uri: "climate://cities",
        mimeType: "application/json",
        text: expect.stringContaining("Nairobi") as string,
      },
    ]);
    const report = await client.readResource({ uri: "climate://Oslo/2024" });
    expect(report.contents).toEqual([
      {
        uri: "climate://Oslo/2024",
        mimeType: "text/markdown",
        text: expect.stringContaining("# Oslo, 2024") as string,
      },
    ]);
  });

  test("receives an error for a missing resource", async () => {
    // Legacy revisions say -32002. Client 2.x returns the modern code in any case.
    const code = name.startsWith("SDK 1.x") ? -32002 : -32602;
    await expect(client.readResource({ uri: "climate://Oslo/2024/12" })).rejects.toMatchObject({ code });
  });

  test("renders a prompt with converted arguments", async () => {
    const { messages } = await client.getPrompt({
      name: "plan",
      arguments: { city: "Lisbon", mood: "calm", days: "2" },
    });
    expect(messages).toEqual([
      {
        role: "user",
        content: { type: "text", text: "Plan 2 calm days in Lisbon. Call the tool `forecast` first." },
      },
    ]);
  });

  test("completes from functions and from literal unions", async () => {
    const ref = { type: "ref/prompt" as const, name: "plan" };
    expect(
      (await client.complete({ ref, argument: { name: "city", value: "o" } })).completion.values,
    ).toEqual(["Oslo", "Osaka"]);
    expect(
      (await client.complete({ ref, argument: { name: "mood", value: "b" } })).completion.values,
    ).toEqual(["busy"]);
  });
});
