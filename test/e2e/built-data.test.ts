import type { Server } from "@tenon/runtime/server";
import { connect, type TestClient } from "@tenon/runtime/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  combinations,
  runServer,
  type OfficialClient,
  type RunningServer,
} from "../interop/official-clients.js";
import { buildServer, fixtureSources, type BuiltServer } from "../support/built-server.js";

let built: BuiltServer;
let server: Server;
beforeAll(async () => {
  // The sources whose manifest shows how the compiler converts the types.
  built = await buildServer(fixtureSources("manifests/data"));
  server = await built.load();
});
afterAll(() => built.remove());

const inner = {
  bytes: "AAEC",
  either: ["plain", "/w=="],
  map: { a: "aGk=" },
  pairs: [[1, "1970-01-01T00:00:00.000Z"]],
  set: ["1", "12345678901234567890"],
  at: "1970-01-01T00:00:00.000Z",
  link: "https://example.com/a?b=c",
  pattern: "^a+$",
  money: { cents: "5" },
};
const everything = { ...inner, more: inner };

describe.each(["2025-11-25", "2026-07-28"])("at %s", (revision) => {
  let client: TestClient;
  beforeAll(async () => {
    client = await connect(server, { revision });
  });
  const read = async (uri: string): Promise<unknown[]> => {
    const { contents } = await client.readResource(uri);
    return contents.map((each) => ("text" in each ? JSON.parse(each.text as string) : each));
  };

  it("a tool and a resource of one type return the same JSON", async () => {
    expect((await client.callTool("all", {})).structuredContent).toEqual(everything);
    expect(await read("data://all")).toEqual([everything]);
  });

  it("a resource returns each alternative in the format of its type", async () => {
    expect(await read("data://part/map")).toEqual([{ a: "aGk=" }]);
    expect(await read("data://part/set")).toEqual([["1", "12345678901234567890"]]);
    expect((await client.readResource("data://part/text")).contents).toEqual([
      { uri: "data://part/text", text: "plain" },
    ]);
    expect((await client.readResource("data://part/bytes")).contents).toEqual([
      { uri: "data://part/bytes", blob: "AAEC", mimeType: "application/octet-stream" },
    ]);
    await expect(client.readResource("data://part/nothing")).rejects.toThrow("data://part/nothing");
  });

  it.each([
    ["user", { name: "Ada", friends: [{ name: "Grace", friends: [] }] }],
    ["users", { users: [{ name: "Ada", friends: [] }], total: 1 }],
    ["extended", { id: "1", "x-a": "kept" }],
    ["open", { id: "1", more: "kept" }],
    ["own", { id: "1", more: "kept" }],
  ])("%s returns the declared members", async (tool, expected) => {
    const { structuredContent, content } = await client.callTool(tool);
    const sent = tool === "users" && revision === "2025-11-25" ? { result: expected } : expected;
    expect(structuredContent).toEqual(sent);
    expect(content).toEqual([{ type: "text", text: JSON.stringify(sent) }]);
  });

  it("a resource returns the declared members", async () => {
    expect(await read("data://user")).toEqual([{ name: "Ada", friends: [{ name: "Grace", friends: [] }] }]);
  });
});

describe("official clients, which validate results against the listed schemas", () => {
  let running: RunningServer;
  beforeAll(() => {
    running = runServer(built.program);
  });
  afterAll(() => running.stop());

  describe.each(combinations)("$name", ({ connect: open, era }) => {
    let client: OfficialClient;
    beforeAll(async () => {
      client = await open(running);
      // After listing, clients reject results that do not match the schemas.
      await client.listTools();
    });
    afterAll(() => client.close());

    it.each<[string, Record<string, unknown>, unknown]>([
      ["pair", {}, [1, "a"]],
      ["line", { from: [0, 0], to: [1, 2], label: ["up", 3] }, { from: [0, 0], to: [1, 2], label: "up 3" }],
      ["row", { cells: ["a", 1, 2] }, ["a", 1, 2]],
      ["days", {}, [[1, "1970-01-01T00:00:00.000Z"]]],
      ["maybe", {}, null],
      ["named", {}, { id: "a" }],
      ["user", {}, { name: "Ada", friends: [{ name: "Grace", friends: [] }] }],
      ["users", {}, { users: [{ name: "Ada", friends: [] }], total: 1 }],
      ["extended", {}, { id: "1", "x-a": "kept" }],
      ["all", {}, expect.objectContaining({ bytes: "AAEC", pairs: [[1, "1970-01-01T00:00:00.000Z"]] })],
    ])("accept the result of %s", async (name, args, expected) => {
      const { structuredContent, isError } = await client.callTool({ name, arguments: args });
      expect(isError).toBeFalsy();
      const { tools } = await client.listTools();
      const root = tools.find((tool) => tool.name === name)?.outputSchema;
      const isWrapped = era === "legacy" && root?.required?.includes("result") === true;
      expect(structuredContent).toEqual(isWrapped ? { result: expected } : expected);
    });
  });
});
