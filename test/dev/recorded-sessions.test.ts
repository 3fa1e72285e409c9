/**
 * Sessions of the official clients with `tenon dev --record`: played again, and as tests that pass as they are written.
 */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Client, StreamableHTTPClientTransport, type Transport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { run } from "@tenon/cli";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { startDev, type DevProcess } from "./dev-process.js";
import { projectFolder, type ProjectFolder } from "../support/project-folder.js";
import { recordingTerminal } from "../support/recording-terminal.js";

const workspace = resolve(import.meta.dirname, "../..");
const program = join(workspace, "packages/cli/bin/tenon.js");

const SHOP = `import { randomUUID } from "node:crypto";
import { Prompt, Resource, Tool, ToolError, type Context } from "@tenon/runtime";

const orders = new Set<string>();

export class Shop {
  /** Greets. */
  @Tool() greet(name: string): string { return "Hello, " + name + "!"; }
  /** Adds. */
  @Tool() sum(...values: number[]): number { return values.reduce((a, b) => a + b, 0); }
  /** Orders. */
  @Tool() order(what: string, by?: Date): { id: string; what: string; at: Date; by?: Date } {
    const id = randomUUID();
    orders.add(id);
    return { id, what, at: new Date(), ...(by && { by }) };
  }
  /** Cancels. */
  @Tool() cancel(id: string): string {
    if (!orders.delete(id)) throw new ToolError("There is no order " + id + ".");
    return "Cancelled " + id;
  }
  /** Logs in. */
  @Tool() login(password: string): string { return "welcome, " + password.length; }
  /** Books. */
  @Tool() async book(city: string, ctx: Context): Promise<string> {
    const who = await ctx.elicit<{ name: string }>("Who is traveling?");
    const ask = { role: "user" as const, content: { type: "text" as const, text: "Why " + city + "?" } };
    const { content } = await ctx.sample({ messages: [ask], maxTokens: 10 });
    return (who.action === "accept" ? who.content.name : who.action) + " to " + city + ": " + JSON.stringify(content);
  }
  /** The report of one year. */
  @Resource("climate://{year}") report(year: number): string { return "warm in " + year; }
  /** A plan. */
  @Prompt() plan(city: string, days?: number): string { return (days ?? 3) + " days in " + city; }
}
`;

let project: ProjectFolder;
const started: DevProcess[] = [];

beforeAll(() => {
  project = projectFolder({
    "src/shop.ts": SHOP,
    "vitest.config.ts": readFileSync(join(workspace, "templates/standard/vitest.config.ts"), "utf8"),
  });
});

afterEach(async () => {
  for (const each of started.splice(0)) {
    each.kill();
    await each.exited;
  }
});

afterAll(() => project.remove());

/** Makes every kind of call. */
async function converse(name: string, isModern: boolean, transport: Transport): Promise<void> {
  const client = new Client(
    { name, version: "1.0.0" },
    {
      capabilities: { elicitation: { form: {} }, sampling: {} },
      ...(isModern && { versionNegotiation: { mode: "auto" } }),
    },
  );
  client.setRequestHandler("elicitation/create", () => ({ action: "accept", content: { name: "Ada" } }));
  client.setRequestHandler("sampling/createMessage", () => ({
    role: "assistant",
    content: { type: "text", text: "the sea" },
    model: "none",
  }));
  await client.connect(transport);
  await client.listTools();
  await client.callTool({ name: "greet", arguments: { name: "Ada" } });
  await client.callTool({ name: "sum", arguments: { values: [1, "2"] } });
  const made = await client.callTool({
    name: "order",
    arguments: { what: "tea", by: "2030-01-01T00:00:00Z" },
  });
  const { id } = made.structuredContent as { id: string };
  await client.callTool({ name: "cancel", arguments: { id } });
  await client.callTool({ name: "cancel", arguments: { id } });
  await client.callTool({ name: "login", arguments: { password: "hunter2-hunter2" } });
  // No random ID in the recording contains this secret by chance.
  await client.callTool({ name: "login", arguments: { password: "z!" } });
  await client.callTool({ name: "greet", arguments: { name: "z!, or 2" } });
  await client.callTool({ name: "book", arguments: { city: "Oslo" } });
  await expect(client.callTool({ name: "nothing", arguments: {} })).rejects.toThrow();
  await client.readResource({ uri: "climate://2024" });
  await client.getPrompt({ name: "plan", arguments: { city: "Rome", days: "4" } });
  await client.close();
}

const recordings = (folder: string): string[] =>
  readdirSync(join(project.root, folder)).map((name) => join(folder, name));

it("a session over stdio is recorded, masked, replayed, and becomes a passing test", async () => {
  const args = [program, "dev", "--stdio", "--record", "stdio"];
  const transport = new StdioClientTransport({
    command: process.execPath,
    args,
    cwd: project.root,
    stderr: "ignore",
  });
  await converse("by-stdio", false, transport);
  await expectReplayAndTest(recordings("stdio"));
});

it.each([
  ["by-session", false],
  ["by-request", true],
])(
  "a session over HTTP is recorded, masked, replayed, and becomes a passing test: %s",
  async (name, isModern) => {
    const dev = startDev(project.root, "--port", "0", "--record", name);
    started.push(dev);
    const [, url = ""] = await dev.waitForOutput(/(http:\/\/\S+)/);
    await converse(name, isModern, new StreamableHTTPClientTransport(new URL(url)));
    dev.forget();
    dev.signal("SIGINT");
    await dev.exited;
    expect(dev.log()).toMatch(
      /Recorded \d+ messages in by-\w+\/[\w-]+-by-\w+\.jsonl\n {2}Masked: arguments\.password, arguments\.name, content\[0\]\.text\./,
    );
    await expectReplayAndTest(recordings(name));
  },
);

async function expectReplayAndTest(files: readonly string[]): Promise<void> {
  expect(files).toHaveLength(1);
  const [file = ""] = files;
  expect(readFileSync(join(project.root, file), "utf8")).not.toMatch(/hunter2|z!/);
  const terminal = recordingTerminal(project.root);
  const code = await run(["replay", file, "--write-test", `${file}.test.ts`], terminal);
  expect(terminal.stdout(), terminal.stderr()).toContain("3 not repeated");
  expect(terminal.stdout()).not.toContain("changed");
  expect(code, terminal.stdout()).toBe(0);
  const vitest = spawnSync(
    process.execPath,
    [join(workspace, "node_modules/vitest/vitest.mjs"), "run", `${file}.test.ts`],
    {
      cwd: project.root,
      encoding: "utf8",
      env: { ...process.env, VITEST: undefined, NODE_OPTIONS: "", NO_COLOR: "1" },
    },
  );
  expect(
    vitest.status,
    `${readFileSync(join(project.root, `${file}.test.ts`), "utf8")}${vitest.stdout}${vitest.stderr}`,
  ).toBe(0);
  const types = spawnSync(join(workspace, "node_modules/.bin/tsc"), ["-p", project.root], {
    cwd: project.root,
    encoding: "utf8",
  });
  expect(types.stdout).toBe("");
}
