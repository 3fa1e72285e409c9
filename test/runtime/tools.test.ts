import { beforeAll, describe, expect, test } from "vitest";
import { describeTransports, REVISIONS } from "../support/describe-transports.js";
import type { WireClient } from "../support/wire-client.js";
import { createFixture } from "./fixture/application.js";
import { PNG, SECRET, WAV } from "./fixture/src/handlers.js";

interface ListedTool {
  name: string;
  outputSchema?: Record<string, unknown>;
  [member: string]: unknown;
}

const text = (value: string): object[] => [{ type: "text", text: value }];

describeTransports(createFixture, (open) => {
  describe.each(REVISIONS)("at %s", (revision) => {
    const hasStructured = revision >= "2025-06-18";
    const isModern = revision >= "2026-07-28";
    let client: WireClient;
    beforeAll(async () => {
      client = await open({ revision });
    });

    test("enabled tools are listed in the order of the manifest", async () => {
      const { tools } = (await client.result("tools/list")) as { tools: ListedTool[] };
      const names = tools.map((tool) => tool.name);
      expect(names).toEqual([...names].sort());
      expect(names).toContain("add");
      expect(names).not.toContain("hidden");
    });

    test("a list contains only members of the revision", async () => {
      const { tools } = (await client.result("tools/list")) as { tools: ListedTool[] };
      const add = tools.find((tool) => tool.name === "add");
      const title = "Add two numbers";
      const wrapped = { type: "object", properties: { result: { type: "number" } }, required: ["result"] };
      expect(add).toEqual({
        name: "add",
        description: "The tool add.",
        inputSchema: expect.objectContaining({ type: "object", required: ["a", "b"] }) as unknown,
        ...(revision >= "2025-03-26" && {
          annotations: {
            ...(revision === "2025-03-26" && { title }),
            readOnlyHint: true,
            destructiveHint: false,
          },
        }),
        ...(hasStructured && {
          title,
          outputSchema: isModern ? { type: "number" } : wrapped,
          _meta: { "example.com/owner": "maths" },
        }),
        ...(revision >= "2025-11-25" && { icons: [{ src: "https://example.com/add.png" }] }),
      });
    });

    test("a list has cache hints if the revision has them", async () => {
      const result = await client.result("tools/list");
      expect([result["resultType"], result["ttlMs"], result["cacheScope"]]).toEqual(
        // One tool has an `enabled` behavior, so the list may change at any time.
        isModern ? ["complete", 0, "private"] : [undefined, undefined, undefined],
      );
    });

    test("a number becomes structured content, wrapped if an object is required", async () => {
      const result = await client.call("add", { a: 2, b: 3 });
      expect(result["structuredContent"]).toEqual(hasStructured ? (isModern ? 5 : { result: 5 }) : undefined);
      expect(result["content"]).toEqual(text(hasStructured && !isModern ? '{"result":5}' : "5"));
    });

    test("an object becomes structured content and text", async () => {
      const conditions = { city: "Oslo", celsius: 21.5, units: "metric" };
      const result = await client.call("conditions", { city: "Oslo" });
      expect(result["content"]).toEqual(text(JSON.stringify(conditions)));
      expect(result["structuredContent"]).toEqual(hasStructured ? conditions : undefined);
      expect(result["isError"]).toBeUndefined();
    });

    test("text, undefined, and the absence of a return value become content", async () => {
      expect((await client.call("book", { city: "Oslo", days: 2 }))["content"]).toEqual(
        text("Booked 2 days in Oslo."),
      );
      expect((await client.call("nothing"))["content"]).toEqual(text("Done."));
      expect((await client.call("perhaps"))["content"]).toEqual(text("The result is empty."));
    });

    test("every kind of content is sent, as text if the revision lacks it", async () => {
      const first = async (kind: string): Promise<unknown> => {
        const { content } = (await client.call("media", { kind })) as { content: unknown[] };
        return content[0];
      };
      const resource = { uri: "notes://today", mimeType: "text/plain", text: "Rain." };
      expect(await first("image")).toEqual({ type: "image", data: PNG, mimeType: "image/png" });
      expect(await first("embedded")).toEqual({ type: "resource", resource });
      expect(await first("audio")).toEqual(
        revision >= "2025-03-26"
          ? { type: "audio", data: WAV, mimeType: "audio/wav" }
          : { type: "text", text: "[audio: audio/wav]" },
      );
      expect(await first("link")).toEqual(
        revision >= "2025-06-18"
          ? { type: "resource_link", uri: "notes://today", name: "today", title: "Today" }
          : { type: "text", text: "Today: notes://today" },
      );
    });

    test("a complete result passes through", async () => {
      const result = await client.call("whole");
      const annotations = revision >= "2025-06-18" ? { lastModified: "2026-07-28T00:00:00Z" } : {};
      expect(result["content"]).toEqual([{ type: "text", text: "as written", annotations }]);
      expect(result["structuredContent"]).toEqual(hasStructured ? { answer: 42 } : undefined);
      expect(result["_meta"]).toEqual({
        "example.com/trace": "t1",
        ...(isModern && {
          "io.modelcontextprotocol/serverInfo": expect.objectContaining({ name: "fixture" }) as unknown,
        }),
      });
    });

    test("arguments and results convert between JSON and richer values", async () => {
      const result = await client.call("calendar", { since: "2026-02-28T12:00:00Z", tags: ["a", "b"] });
      const expected = { next: "2026-03-01T12:00:00.000Z", tags: ["a", "b"] };
      expect(JSON.parse((result["content"] as { text: string }[])[0]?.text ?? "")).toEqual(expected);
    });

    test("an array argument is spread into a rest parameter", async () => {
      const result = await client.call("total", { label: "sum", numbers: [1, 2, 3] });
      expect(result["content"]).toEqual(text("sum: 6"));
    });

    test("the handler receives its caller", async () => {
      const result = await client.call("who");
      expect(JSON.parse((result["content"] as { text: string }[])[0]?.text ?? "")).toEqual({
        revision,
        client: "wire-client",
        capabilities: [],
      });
    });

    test("only a ToolError's message reaches the client", async () => {
      const failure = await client.call("fail", { how: "tool" });
      expect(failure).toMatchObject({ isError: true, content: text("No such city. Try a larger place.") });
      const missing = await client.call("fail", { how: "missing" });
      expect(missing).toMatchObject({ isError: true, content: text("No city of that name.") });
      for (const how of ["error", "later", "text"]) {
        const hidden = await client.call("fail", { how });
        expect(hidden["isError"]).toBe(true);
        expect(JSON.stringify(hidden)).toMatch(
          /The tool \\"fail\\" failed because of an internal error \(reference [0-9a-f]{8}\)/,
        );
        expect(JSON.stringify(hidden)).not.toContain(SECRET);
      }
    });

    test("unknown and disabled tools are rejected with the nearest name", async () => {
      expect(await client.error("tools/call", { name: "adt" })).toEqual({
        code: -32602,
        message: 'Unknown tool "adt". Did you mean "add"?',
      });
      expect((await client.error("tools/call", { name: "hidden" })).code).toBe(-32602);
      for (const name of ["__proto__", "constructor", "toString", "add\u0000", "Add "]) {
        expect((await client.error("tools/call", { name })).code).toBe(-32602);
      }
      expect((await client.error("tools/call", {})).code).toBe(-32602);
      expect((await client.error("tools/call", { name: 5 })).code).toBe(-32602);
    });

    test("an invented cursor is rejected", async () => {
      expect((await client.error("tools/list", { cursor: "page-2" })).code).toBe(-32602);
    });
  });

  test("values that resemble content are read as declared", async () => {
    const client = await open();
    const result = await client.result("tools/call", {
      name: "add",
      Name: "fail",
      arguments: { a: 1, b: 2 },
      args: {},
    });
    expect(result["structuredContent"]).toBe(3);
  });
});
