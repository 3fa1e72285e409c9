import type { Sanitize } from "@tenon/runtime";
import { connect, type ConnectOptions, type TestClient } from "@tenon/runtime/testing";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { buildServer, type BuiltServer } from "../support/built-server.js";

const SOURCE = `
import { Prompt, Resource, Tool, ToolError, type Content, type Context } from "@tenon/runtime";

const RED = "\\u001b[31mred\\u202e";

export class Terminal {
  /** Text. */
  @Tool() text(): string { return RED; }
  /** Data. */
  @Tool() data(): { color: string } { return { color: RED }; }
  /** Blocks. */
  @Tool() blocks(): Content[] { return [{ type: "resource", resource: { uri: "red://a", text: RED } }]; }
  /** A failure. */
  @Tool() fail(): string { throw new ToolError(RED); }
  /** A conversation. */
  @Tool() async ask(ctx: Context): Promise<string> {
    ctx.log("info", RED);
    ctx.progress(1, 2, RED);
    const answer = await ctx.elicit<{ name: string }>(RED);
    return answer.action;
  }
  /** A message. */
  @Prompt() message(): string { return RED; }
  /** A text. */
  @Resource("red://text") page(): string { return RED; }
  /** Data. */
  @Resource("red://data") table(): { color: string } { return { color: RED }; }
  /** Bytes. */
  @Resource("red://bytes") bytes(): Uint8Array { return new TextEncoder().encode(RED); }
  /** A failure. */
  @Resource("red://failure") failure(): string { throw new ToolError(RED); }
}
`;

const CONFIG = `
import { defineServer, type Sanitize } from "@tenon/runtime";
export default defineServer({ sanitize: process.env.TEST_SANITIZE as Sanitize });
`;

const RED = "\u001B[31mred\u202E";

let built: BuiltServer;
beforeAll(async () => {
  built = await buildServer({ "src/terminal.ts": SOURCE, "src/server.ts": CONFIG });
});
afterAll(() => built.remove());

async function open(mode: Sanitize | undefined, options: ConnectOptions = {}): Promise<TestClient> {
  vi.stubEnv("TEST_SANITIZE", mode);
  return connect(await built.load(String(mode)), options);
}

describe.each([
  [undefined, "red"],
  ["remove", "red"],
  ["escape", "\\u001b[31mred\\u202e"],
  ["off", RED],
] as const)("with %s", (mode, shown) => {
  it("text is treated in the same way wherever it is sent", async () => {
    const messages: Record<string, unknown>[] = [];
    const client = await open(mode, {
      revision: "2025-11-25",
      logLevel: "debug",
      onMessage: (message) => messages.push(message),
      answers: { elicit: () => ({ action: "decline" }) },
    });
    const text = async (tool: string): Promise<unknown> => (await client.callTool(tool)).content;
    expect(await text("text")).toEqual([{ type: "text", text: shown }]);
    expect(await text("blocks")).toEqual([{ type: "resource", resource: { uri: "red://a", text: shown } }]);
    expect(await text("fail")).toEqual([{ type: "text", text: shown }]);
    expect((await client.getPrompt("message")).messages).toEqual([
      { role: "user", content: { type: "text", text: shown } },
    ]);
    expect((await client.readResource("red://text")).contents).toMatchObject([{ text: shown }]);
    await expect(client.readResource("red://failure")).rejects.toMatchObject({ message: shown });

    await client.callTool("ask", {}, { onProgress: (progress) => expect(progress.message).toBe(shown) });
    const findParams = (method: string): unknown => messages.find((each) => each.method === method)?.params;
    expect(findParams("notifications/message")).toMatchObject({ data: shown });
    expect(findParams("notifications/progress")).toMatchObject({ message: shown });
    expect(findParams("elicitation/create")).toMatchObject({ message: shown });
  });

  it("data and bytes are unchanged, and the text of data is equal JSON", async () => {
    const client = await open(mode);
    const { structuredContent, content } = await client.callTool("data");
    expect(structuredContent).toEqual({ color: RED });
    const [block] = content as { text: string }[];
    expect(JSON.parse(block?.text ?? "")).toEqual(structuredContent);
    const [table] = (await client.readResource("red://data")).contents as { text: string }[];
    expect(JSON.parse(table?.text ?? "")).toEqual({ color: RED });
    const isEscaped = mode !== "off";
    expect(block?.text.includes("\u202E")).toBe(!isEscaped);
    expect(table?.text.includes("\u202E")).toBe(!isEscaped);
    const [bytes] = (await client.readResource("red://bytes")).contents as { blob: string }[];
    expect(Buffer.from(bytes?.blob ?? "", "base64").toString()).toBe(RED);
  });
});

it("any other setting is rejected", async () => {
  await expect(open("strip" as Sanitize)).rejects.toThrow('sanitize must be "remove", "escape", or "off"');
});
