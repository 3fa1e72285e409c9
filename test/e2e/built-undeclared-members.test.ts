/**
 * Members that no type declares, such as the columns of a database row, never leave the server. Data of a declared type
 * is tested with its type.
 */
import { connect } from "@tenon/runtime/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { buildObservedServer, type ObservedServer } from "../support/observed-server.js";

const SECRET = "hunter2";

const SOURCES = {
  "src/app.ts": `
    import {
      Prompt, Resource, Tool, type Content, type Context, type ImageContent, type PromptMessage,
    } from "@tenon/runtime";

    const secret = { passwordHash: "${SECRET}" };
    const icons = [{ src: "https://example.com/i.png", ...secret }];
    const annotations = { priority: 1, ...secret };
    const link = { type: "resource_link" as const, uri: "app://a", name: "a", icons, annotations, ...secret };
    const text = { type: "text" as const, text: "hello", annotations, ...secret };
    const embedded = {
      type: "resource" as const,
      resource: { uri: "app://a", text: "hello", ...secret },
      annotations,
      ...secret,
    };
    const row = secret as never;

    class Hidden {
      private passwordHash = "${SECRET}";
    }
    interface Absent { passwordHash?: never }
    interface Named { name: string; passwordHash: string }

    export class App {
      /** Returns an instance without public members. */
      @Tool() hidden(): Hidden { return new Hidden(); }
      /** Returns instances or objects. */
      @Tool() instances(): (Hidden | { name: string })[] { return [new Hidden(), { name: "a", ...secret }]; }
      /** Returns an object without members. */
      @Tool() absent(): Absent { return row; }
      /** Returns an object of which all members are omitted. */
      @Tool() omitted(): Omit<{ passwordHash: string }, "passwordHash"> { return secret; }
      /** Returns one of two objects. */
      @Tool() either(): Absent | Named { return { ...secret, id: 1 } as never; }
      /** Returns an image or data. */
      @Tool() imageOrData(): ImageContent | { name: string; owner: { id: number } } {
        return { name: "a", owner: { id: 1, ...secret }, ...secret } as never;
      }
      /** Returns content or rows. */
      @Tool() contentOrRows(): Content[] | { name: string }[] { return [{ name: "a", ...secret }]; }
      /** Returns an image or wrong data. */
      @Tool() imageOrWrong(): ImageContent | { name: string } { return { name: 1, ...secret } as never; }
      /** Returns content without blocks, or data. */
      @Tool() textsOrData(count: number): (Content | string)[] | { name: string } {
        return Array.from({ length: count }, () => "a");
      }
      /** Returns text. */
      @Tool() text(): string { return row; }
      /** Returns text or nothing. */
      @Tool() maybe(): string | null { return row; }
      /** Returns one of two texts. */
      @Tool() choice(): "a" | "b" { return row; }
      /** Returns content. */
      @Tool() content(): Content[] { return [text, link, embedded]; }
      /** Returns a list as text. */
      @Tool() list(): string { return [row] as never; }

      /** Says text. */
      @Prompt() say(): string { return row; }
      /** Says a message with text. */
      @Prompt() message(): PromptMessage[] { return [{ role: "user", content: row }]; }
      /** Says content. */
      @Prompt() blocks(): PromptMessage[] {
        return [text, link, embedded].map((content) => ({ role: "user" as const, content, ...secret }));
      }

      /** Reads text. */
      @Resource("app://text") readText(): string { return row; }
      /** Reads bytes. */
      @Resource("app://bytes") readBytes(): Uint8Array { return row; }
      /** Reads bytes or data. */
      @Resource("app://either") readEither(): Uint8Array | { name: string } {
        return { name: "a", ...secret };
      }
      /** Reads listed items. */
      @Resource("item://{id}", {
        list: () => [{ uri: "item://1", name: "one", icons, annotations, ...secret }],
      })
      item(id: string): string { return id; }

      /** Has the model write. */
      @Tool() async write(ctx: Context): Promise<string> {
        const result = { type: "tool_result" as const, toolUseId: "1", content: [text], ...secret };
        const use = { type: "tool_use" as const, id: "1", name: "add", input: { n: 1 }, ...secret };
        const params = {
          messages: [
            { role: "user" as const, content: text, ...secret },
            { role: "assistant" as const, content: [use], ...secret },
            { role: "user" as const, content: [result] },
          ],
          maxTokens: 10,
          modelPreferences: { costPriority: 1, ...secret },
          ...secret,
        };
        const { content } = await ctx.sample(params);
        return JSON.stringify(content);
      }
    }`,
};

let observed: ObservedServer;
beforeAll(async () => {
  observed = await buildObservedServer("undeclared-members", SOURCES);
});
beforeEach(() => observed.clear());
afterAll(() => observed.remove());

describe.each(["2025-11-25", "2026-07-28"] as const)("in revision %s", (revision) => {
  async function request(method: string, params: Record<string, unknown>): Promise<string> {
    const client = await connect(observed.server, { revision, showErrors: false });
    const response = await client.request(method, params).catch((error: unknown) => String(error));
    await client.close();
    return JSON.stringify(response);
  }

  test.each([
    ["tools/call", { name: "text" }],
    ["tools/call", { name: "maybe" }],
    ["tools/call", { name: "choice" }],
    ["tools/call", { name: "list" }],
    ["prompts/get", { name: "say" }],
    ["prompts/get", { name: "message" }],
    ["resources/read", { uri: "app://text" }],
    ["resources/read", { uri: "app://bytes" }],
  ])("an object in place of the declared text is rejected and logged: %s %j", async (method, params) => {
    expect(await request(method, params)).not.toContain(SECRET);
    expect(observed.errors().join()).toMatch(/^OutputError: .*must be (?:a string|one of)/);
  });

  test.each(["hidden", "instances", "absent", "omitted"])(
    "a type with only private, absent, or omitted members declares none: %s",
    async (name) => {
      const response = await request("tools/call", { name });
      expect(response).toContain("structuredContent");
      expect(response).not.toContain(SECRET);
      expect(observed.errors()).toEqual([]);
    },
  );

  test.each([
    ["imageOrData", { name: "a", owner: { id: 1 } }],
    ["contentOrRows", [{ name: "a" }]],
  ])("data is declared next to content, although its schema is not listed: %s", async (name, data) => {
    const response = await request("tools/call", { name });
    expect(response).toContain(JSON.stringify(data));
    expect(response).not.toContain(SECRET);
    expect(observed.errors()).toEqual([]);
  });

  test("data of a resource is declared next to bytes", async () => {
    const response = await request("resources/read", { uri: "app://either" });
    expect(response).toContain(JSON.stringify(JSON.stringify({ name: "a" })));
    expect(response).not.toContain(SECRET);
    expect(observed.errors()).toEqual([]);
  });

  test("wrong data next to content is rejected and logged", async () => {
    expect(await request("tools/call", { name: "imageOrWrong" })).toContain("reference");
    expect(observed.errors().join()).toMatch(/^OutputError: .*`name` must be a string/);
  });

  test.each([
    [0, "The result is empty."],
    [1, "a"],
  ])("a list of %i texts next to data is content", async (count, text) => {
    const response = await request("tools/call", { name: "textsOrData", arguments: { count } });
    expect(response).toContain(JSON.stringify([{ type: "text", text }]));
    expect(response).not.toContain("structuredContent");
    expect(observed.errors()).toEqual([]);
  });

  test("a part of another alternative is rejected next to a type without members", async () => {
    expect(await request("tools/call", { name: "either" })).not.toContain(SECRET);
    expect(observed.errors().join()).toMatch(/^OutputError: .*missing member `name`/);
  });

  test.each([
    ["tools/call", { name: "content" }, "priority"],
    ["prompts/get", { name: "blocks" }, "priority"],
    ["resources/list", {}, "item://1"],
  ])(
    "members of content that the specification does not have are not sent: %s %j",
    async (method, params, sent) => {
      const response = await request(method, params);
      expect(response).toContain(sent);
      expect(response).not.toContain(SECRET);
      expect(observed.errors()).toEqual([]);
    },
  );
});

test("members of a sampling request that the specification does not have are not sent", async () => {
  const seen: unknown[] = [];
  const client = await connect(observed.server, {
    revision: "2025-11-25",
    answers: {
      sample: (params) => {
        seen.push(params);
        return { role: "assistant", content: { type: "text", text: "done" }, model: "none" };
      },
    },
  });
  await client.request("tools/call", { name: "write", arguments: {} });
  await client.close();
  expect(seen).toHaveLength(1);
  expect(JSON.stringify(seen)).toContain("costPriority");
  expect(JSON.stringify(seen)).not.toContain(SECRET);
});
