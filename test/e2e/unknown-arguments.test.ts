import { connect, type TestClient } from "@tenon/runtime/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildServer, type BuiltServer } from "../support/built-server.js";

const SOURCE = `
import { Prompt, Tool } from "@tenon/runtime";

export class Desk {
  /** Says what it was given. */
  @Tool()
  file(paper: { title: string; pages?: number }): string {
    return JSON.stringify(paper);
  }

  /** Says what it was given, of a known kind. */
  @Tool()
  headers(all: { host: string; [name: \`x-\${string}\`]: string }): string {
    return JSON.stringify(all);
  }

  /** Takes nothing else. */
  @Tool({ unknownArguments: "reject" })
  sign(name: string): string {
    return name;
  }

  /** Asks for a summary. */
  @Prompt()
  summary(title: string, pages = 1): string {
    return title + ", " + pages;
  }
}
`;

describe("a server that ignores unknown arguments", () => {
  let built: BuiltServer;
  let client: TestClient;
  beforeAll(async () => {
    built = await buildServer({
      "src/desk.ts": SOURCE,
      "src/server.ts":
        'import { defineServer } from "@tenon/runtime";\nexport default defineServer({ unknownArguments: "ignore" });\n',
    });
    client = await connect(await built.load());
  });
  afterAll(() => built.remove());

  async function call(tool: string, args: Record<string, unknown>): Promise<string> {
    const { content, isError } = await client.callTool(tool, args);
    const [block] = content as { text: string }[];
    return `${isError === true ? "ERROR " : ""}${block?.text ?? ""}`;
  }

  it("does not pass them to a tool", async () => {
    expect(await call("file", { title: "Plan", color: "red" })).toBe('{"title":"Plan"}');
  });

  it("reports only the problems of other arguments", async () => {
    expect(await call("file", { title: "Plan", pages: "many", color: "red" })).toBe(
      'ERROR Invalid arguments for tool "file": `pages` must be a number (got "many").',
    );
  });

  it("keeps those that an index signature allows", async () => {
    expect(await call("headers", { host: "a", "x-b": "c", d: "e" })).toBe('{"host":"a","x-b":"c"}');
  });

  it("rejects them for a tool that is configured to", async () => {
    expect(await call("sign", { name: "Ada", color: "red" })).toContain("unknown argument `color`");
  });

  it("does not pass them to a prompt", async () => {
    const { messages } = await client.getPrompt("summary", { title: "Plan", pages: "", color: "red" });
    expect(messages).toMatchObject([{ content: { text: "Plan, 1" } }]);
  });
});
