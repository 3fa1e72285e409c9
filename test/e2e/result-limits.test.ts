/** Limits of the size of results, of the server and of tools: an error that a model can act on, over every transport. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BuiltServer, buildServer } from "../support/built-server.js";
import { REVISIONS } from "../support/describe-transports.js";
import { WireClient } from "../support/wire-client.js";
import { memoryWire, stdioWire } from "../support/wires.js";

const SOURCES = {
  "src/server.ts": `
    import { defineServer } from "@tenon/runtime";
    export default defineServer({ limits: { maxResultChars: 1000 } });`,
  "src/rows.ts": `
    import { type Content, Resource, Tool, type ToolResult } from "@tenon/runtime";
    interface Row { id: number; text: string }
    export class Rows {
      /** Lists rows. */
      @Tool({ readOnly: true, openWorld: false }) list(query: string, limit = 50): Row[] {
        return Array.from({ length: limit }, (_, id) => ({ id, text: query }));
      }
      /** Exports all rows. */
      @Tool({ readOnly: true, openWorld: false }) exportAll(): string { return "x".repeat(30_000_000); }
      /** Reads a row. */
      @Tool({ readOnly: true, openWorld: false }) read(id: string): string { return id.repeat(2000); }
      /** Returns long text. */
      @Tool({ readOnly: true, openWorld: false, maxResultChars: 2000 }) longer(length: number): string { return "x".repeat(length); }
      /** Returns any text. */
      @Tool({ readOnly: true, openWorld: false, maxResultChars: 0 }) any(): string { return "x".repeat(5000); }
      /** Returns a file. */
      @Tool({ readOnly: true, openWorld: false }) file(): Content[] {
        return [{ type: "resource", resource: { uri: "file:///a.txt", text: "x".repeat(1001) } }];
      }
      /** Returns a short text with long data. */
      @Tool({ readOnly: true, openWorld: false }) both(): ToolResult<{ rows: string }> {
        return { content: [{ type: "text", text: "Many rows." }], structuredContent: { rows: "x".repeat(1000) } };
      }
      /** Fails with a long message. */
      @Tool({ readOnly: true, openWorld: false }) fail(): string { throw new Error("x".repeat(5000)); }
      /** A resource, which models do not read by themselves. */
      @Resource("rows://all") all(): string { return "x".repeat(5000); }
    }`,
};

let built: BuiltServer;
beforeAll(async () => {
  built = await buildServer(SOURCES);
});
afterAll(() => built.remove());

const WIRES = {
  memory: async () => memoryWire(await built.load("memory")),
  stdio: async () => stdioWire(built.program),
};

describe.each(Object.keys(WIRES) as (keyof typeof WIRES)[])("a limit for results, over %s", (transport) => {
  const call = async (
    revision: string,
    name: string,
    args: Record<string, unknown> = {},
  ): Promise<{ isError: boolean; text: string }> => {
    const client = new WireClient(await WIRES[transport](), { revision });
    await client.open();
    const { isError = false, content } = (await client.call(name, args)) as {
      isError?: boolean;
      content: { text?: string }[];
    };
    await client.close();
    return { isError, text: content.map(({ text = "" }) => text).join("") };
  };

  describe.each(REVISIONS)("in %s", (revision) => {
    test("does not change smaller results", async () => {
      const { isError, text } = await call(revision, "list", { query: "a", limit: 10 });
      expect(isError).toBe(false);
      expect(text).toContain('{"id":9,"text":"a"}');
    });

    test("replaces larger data with an error that names the arguments to change", async () => {
      expect(await call(revision, "list", { query: "a", limit: 100 })).toEqual({
        isError: true,
        text: expect.stringMatching(
          /^The result has 2,\d\d\d characters \(about \d\d\d tokens\), but at most 1,000 are allowed\. Request less: call the tool again with different values of `query`, `limit`\.$/,
        ) as string,
      });
    });
  });

  test("replaces a result of 30 megabytes with a short error", async () => {
    const { isError, text } = await call("2026-07-28", "exportAll");
    expect(isError).toBe(true);
    expect(text).toBe(
      "The result has 30,000,000 characters (about 7,500,000 tokens), but at most 1,000 are allowed. The tool cannot return less; tell the user.",
    );
  });

  test.each([
    ["arguments without a descriptive name", "read", { id: "a" }, true, "with different values of `id`"],
    ["a tool within its own limit", "longer", { length: 2000 }, false, ""],
    ["a tool beyond its own limit", "longer", { length: 2001 }, true, "at most 2,000"],
    ["a tool without a limit", "any", {}, false, ""],
    ["data that is longer than its text", "both", {}, true, "1,011 characters"],
    ["embedded text", "file", {}, true, "1,001 characters"],
  ])("considers %s", async (_name, tool, args, isError, message) => {
    const result = await call("2026-07-28", tool, args);
    expect(result.isError).toBe(isError);
    expect(result.text).toContain(message);
  });

  test("does not replace the message of an error", async () => {
    const { isError, text } = await call("2026-07-28", "fail");
    expect(isError).toBe(true);
    expect(text).not.toContain("at most");
  });

  test("does not apply to resources", async () => {
    const client = new WireClient(await WIRES[transport](), { revision: "2026-07-28" });
    await client.open();
    expect(await client.result("resources/read", { uri: "rows://all" })).toMatchObject({
      contents: [{ text: "x".repeat(5000) }],
    });
    await client.close();
  });
});

test("tools announce their own limit to Claude Code", async () => {
  const client = new WireClient(memoryWire(await built.load("list")), { revision: "2026-07-28" });
  await client.open();
  const { tools } = (await client.result("tools/list")) as { tools: { name: string; _meta?: object }[] };
  const metas = Object.fromEntries(tools.map(({ name, _meta }) => [name, _meta]));
  expect(metas).toMatchObject({
    longer: { "anthropic/maxResultSizeChars": 2000 },
    any: undefined,
    list: undefined,
  });
  await client.close();
});
