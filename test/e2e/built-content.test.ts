import type { Server } from "@tenon/runtime/server";
import { connect, type TestClient } from "@tenon/runtime/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildServer, fixtureSources, type BuiltServer } from "../support/built-server.js";

let built: BuiltServer;
let server: Server;
beforeAll(async () => {
  // The sources whose manifest shows which results the compiler treats as content, and which as data.
  built = await buildServer(fixtureSources("manifests/content"));
  server = await built.load();
});
afterAll(() => built.remove());

const text = (value: string): object => ({ type: "text", text: value });
const image = { type: "image", data: "AAAA", mimeType: "image/png" };

describe.each(["2025-11-25", "2026-07-28"])("at %s", (revision) => {
  let client: TestClient;
  beforeAll(async () => {
    client = await connect(server, { revision });
  });
  const wrap = (value: unknown): unknown => (revision === "2025-11-25" ? { result: value } : value);

  it.each([
    ["image", {}, { content: [image] }],
    ["images", {}, { content: [image] }],
    ["pair", {}, { content: [text("A"), image] }],
    ["mixture", {}, { content: [text("A")] }],
    ["captioned", {}, { content: [text("A")] }],
    ["spread", {}, { content: [{ ...text("A"), annotations: { priority: 1 } }] }],
    ["byEnum", {}, { content: [text("A")] }],
    ["loose", { data: '{"text":"B"}' }, { content: [text("B")] }],
    ["named", {}, { content: [text("The result is empty.")] }],
    ["anything", {}, { content: [text("The result is empty.")] }],
    ["owned", {}, { content: [text("A")] }],
    ["more", {}, { content: [text("A"), { type: "resource", resource: { uri: "content://a", text: "A" } }] }],
    ["result", {}, { content: [text("A")], isError: true }],
    ["empty", {}, { content: [text("The tool failed without a message.")], isError: true }],
    ["maybe", {}, { content: [text("The result is empty.")] }],
    ["inferred", {}, { content: [text("3 rows")], structuredContent: { rows: 3 } }],
    [
      "typed",
      {},
      { content: [text("3 rows")], structuredContent: { rows: 3, since: "1970-01-01T00:00:00.000Z" } },
    ],
    ["either", { n: 1 }, { content: [text('{"n":1}')], structuredContent: { n: 1 } }],
    ["either", { n: 0 }, { content: [text("Too small.")], isError: true }],
    ["inferredEither", { n: 0 }, { content: [text("Too small.")], isError: true }],
  ])("%s %j is content", async (tool, args, expected) => {
    const { _meta, ...result } = await client.callTool(tool, args);
    expect({ resultType: "complete", ...result }).toEqual({ resultType: "complete", ...expected });
  });

  it.each([
    ["alone", null],
    ["words", "none"],
    ["list", []],
    ["note", { type: "note", text: "A" }],
    ["page", { content: "A" }],
    ["optional", { type: "text" }],
  ])("%s is data", async (tool, data) => {
    const { structuredContent } = await client.callTool(tool);
    const isObject = tool === "note" || tool === "page" || tool === "optional";
    expect(structuredContent).toEqual(isObject ? data : wrap(data));
  });

  it("an output schema describes only the data", async () => {
    const tools = await client.listTools();
    const findSchema = (name: string): unknown => tools.find((tool) => tool.name === name)?.outputSchema;
    const number = { type: "object", properties: { n: { type: "number" } }, required: ["n"] };
    expect(findSchema("either")).toEqual(number);
    expect(findSchema("inferredEither")).toEqual(number);
    expect(findSchema("typed")).toMatchObject({ required: ["rows", "since"] });
    expect(findSchema("result")).toBeUndefined();
  });

  it("messages of prompts and contents of resources are sent unchanged", async () => {
    const a = { role: "user", content: text("A") };
    expect((await client.getPrompt("inferred")).messages).toEqual([
      a,
      { role: "assistant", content: text("B") },
    ]);
    expect((await client.getPrompt("whole")).messages).toEqual([a]);
    expect((await client.getPrompt("short")).messages).toEqual([{ role: "assistant", content: text("A") }]);
    expect((await client.readResource("content://pair")).contents).toEqual([
      { uri: "content://a", text: "A" },
      { uri: "content://b", blob: "AAAA", mimeType: "image/png" },
    ]);
    expect((await client.readResource("content://inferred")).contents).toEqual([
      { uri: "content://a", text: "A" },
    ]);
  });
});
