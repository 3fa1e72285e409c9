import { symlinkSync } from "node:fs";
import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { run } from "@tenon/cli";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startDev, type DevProcess } from "./dev-process.js";
import { projectFolder, type ProjectFolder } from "../support/project-folder.js";
import { recordingTerminal } from "../support/recording-terminal.js";

const CLOCK = `
import { existsSync } from "node:fs";
import { Tool } from "@tenon/runtime";

let ticks = 0;

export class Clock {
  /** Counts the calls since the server started. */
  @Tool()
  tick(): number {
    ticks += 1;
    return ticks;
  }

  /**
   * Answers when a file is there.
   * @param path the path of the file
   */
  @Tool()
  async wait(path: string): Promise<string> {
    while (!existsSync(path)) await new Promise((resolve) => setTimeout(resolve, 10));
    return "first";
  }

  /** Ends the process. */
  @Tool()
  crash(): void {
    process.exit(3);
  }

  /** Fails. */
  @Tool()
  fail(): void {
    console.log("about to fail");
    throw new Error("the reason");
  }

  /** Returns an invalid result. */
  @Tool()
  misreport(): { hours: number } {
    return { hours: "late" as unknown as number };
  }
}
`;

let project: ProjectFolder;
let dev: DevProcess;
const started: DevProcess[] = [];

function start(...args: string[]): void {
  dev = startDev(project.root, ...args);
  started.push(dev);
}

beforeEach(() => {
  project = projectFolder({ "src/clock.ts": CLOCK });
});

afterEach(async () => {
  for (const each of started.splice(0)) {
    each.kill();
    await each.exited;
  }
  project.remove();
});

const text = (result: unknown): string | undefined =>
  (result as { content: { text?: string }[] }).content[0]?.text;

/** The metadata of each request of 2026-07-28. */
const MODERN = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1.0.0" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

describe("tenon dev over HTTP", () => {
  const changes: string[] = [];

  const connect = async (): Promise<Client> => {
    start("--port", "0");
    const [, url = ""] = await dev.waitForOutput(/(http:\/\/\S+)/);
    const client = new Client({ name: "test", version: "1.0.0" });
    changes.splice(0);
    client.fallbackNotificationHandler = ({ method }) => {
      changes.push(method);
      return Promise.resolve();
    };
    await client.connect(new StreamableHTTPClientTransport(new URL(url)));
    return client;
  };

  const edit = async (from: string, to: string, printed: RegExp): Promise<void> => {
    dev.forget();
    project.write({ "src/clock.ts": CLOCK.replace(from, to) });
    await dev.waitForOutput(printed);
  };

  it("replaces the server within an open session", async () => {
    const client = await connect();
    expect(client.getServerCapabilities()?.tools).toEqual({ listChanged: true });
    expect(text(await client.callTool({ name: "tick" }))).toBe('{"result":1}');
    expect(text(await client.callTool({ name: "tick" }))).toBe('{"result":2}');

    await edit("tick()", "tock()", /Reloaded in/);
    expect(dev.log()).toContain("+ tool tock\n");
    expect(dev.log()).toContain("- tool tick\n");
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain("tock");
    expect(text(await client.callTool({ name: "tock" }))).toBe('{"result":1}');
    await expect.poll(() => changes).toContain("notifications/tools/list_changed");

    dev.signal("SIGINT");
    expect(await dev.exited).toBe(0);
  });

  it("keeps the last good server while the sources have errors", async () => {
    const client = await connect();
    await edit("let ticks = 0", "let ticks = (", /The last working server keeps serving\./);
    expect(dev.log()).toContain("src/clock.ts:5:");
    expect(text(await client.callTool({ name: "tick" }))).toContain("src/clock.ts:5:");
    expect(text(await client.callTool({ name: "misreport" }))).toContain("must be a number");

    await edit(
      "let ticks = 0",
      'throw new Error("while loading");\nlet ticks = 0',
      /The last working server keeps serving\./,
    );
    expect(dev.log()).toContain("while loading");
    expect(text(await client.callTool({ name: "tick" }))).toBe('{"result":1}');

    await edit("ticks += 1", "ticks += 10", /Reloaded/);
    expect(text(await client.callTool({ name: "tick" }))).toBe('{"result":10}');
  });

  it("lets calls finish in the server where they began", async () => {
    const client = await connect();
    const path = join(project.root, "go");
    const slow = client.callTool({ name: "wait", arguments: { path } });
    await edit('"first"', '"second"', /Reloaded/);
    project.write({ go: "" });
    expect(text(await client.callTool({ name: "wait", arguments: { path } }))).toBe("second");
    expect(text(await slow)).toBe("first");
  });

  it("shows errors to the client and in the log, and keeps printed text off the wire", async () => {
    const client = await connect();
    const result = await client.callTool({ name: "fail" });
    expect(result.isError).toBe(true);
    expect(text(result)).toContain("the reason");
    await dev.waitForOutput(/about to fail/);
    await dev.waitForOutput(/src\/clock\.ts:\d+/);
    const misreported = await client.callTool({ name: "misreport" });
    expect(misreported.isError).toBe(true);
    expect(text(misreported)).toContain('`hours` must be a number (got "late")');
  });

  it("responds when the server exits by itself, and restarts it after the next edit", async () => {
    const client = await connect();
    await expect(client.callTool({ name: "crash" })).rejects.toThrow(/stopped before it responded/);
    await dev.waitForOutput(/The server stopped unexpectedly/);
    await edit("ticks += 1", "ticks += 10", /Reloaded|✓ sample/);
    await expect.poll(() => client.callTool({ name: "tick" }).then(text, () => "")).toBe('{"result":10}');
  });

  it("serves as soon as a project that began with errors is correct", async () => {
    project.write({ "src/clock.ts": CLOCK.replace("ticks += 1", "nonsense(") });
    start("--port", "0");
    await dev.waitForOutput(/Nothing is served until the errors are fixed\./);
    const [, url = ""] = await dev.waitForOutput(/(http:\/\/[^\s]+)/);
    expect((await fetch(url, { method: "POST", body: "{}" })).status).toBe(503);
    project.write({ "src/clock.ts": CLOCK });
    await dev.waitForOutput(/✓ sample/);
    const client = new Client({ name: "test", version: "1.0.0" });
    await client.connect(new StreamableHTTPClientTransport(new URL(url)));
    expect(text(await client.callTool({ name: "tick" }))).toBe('{"result":1}');
  });
});

describe("tenon dev over stdio", () => {
  it("keeps the conversation while the server is replaced, and writes only messages to stdout", async () => {
    start("--stdio");
    const lines: string[] = [];
    let rest = "";
    dev.output.setEncoding("utf8");
    dev.output.on("data", (chunk: string) => {
      const parts = (rest + chunk).split("\n");
      rest = parts.pop() ?? "";
      lines.push(...parts);
    });
    const parseLines = (): unknown[] => lines.map((line) => JSON.parse(line) as unknown);
    const send = (message: object): void =>
      void dev.input.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    const answer = async (id: number): Promise<unknown> => {
      const isAnswer = (each: unknown): boolean => (each as { id?: number }).id === id;
      await expect.poll(() => parseLines().some(isAnswer)).toBe(true);
      return parseLines().find(isAnswer);
    };

    send({
      id: 1,
      method: "initialize",
      params: {
        protocolVersion: "2025-06-18",
        capabilities: {},
        clientInfo: { name: "test", version: "1.0.0" },
      },
    });
    expect(await answer(1)).toMatchObject({ result: { capabilities: { tools: { listChanged: true } } } });
    send({ method: "notifications/initialized" });
    send({ id: 2, method: "tools/call", params: { name: "fail" } });
    expect(await answer(2)).toMatchObject({ result: { isError: true } });

    await dev.waitForOutput(/ready in/);
    dev.forget();
    project.write({ "src/clock.ts": CLOCK.replace("tick()", "tock()") });
    await dev.waitForOutput(/Reloaded/);
    send({ id: 3, method: "tools/call", params: { name: "tock" } });
    expect(await answer(3)).toMatchObject({ result: { structuredContent: { result: 1 } } });
    expect(parseLines()).toContainEqual({ jsonrpc: "2.0", method: "notifications/tools/list_changed" });

    dev.input.end();
    expect(await dev.exited).toBe(0);
    expect(dev.log()).not.toContain("stopped unexpectedly");
  });
});

describe("tenon dev over stdio, in a project with errors", () => {
  /** Returns responses by ID, and the methods of notifications. */
  const converse = () => {
    const received: { id?: number; method?: string; result?: object; error?: object }[] = [];
    let rest = "";
    dev.output.setEncoding("utf8");
    dev.output.on("data", (chunk: string) => {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop() ?? "";
      received.push(...lines.map((line) => JSON.parse(line) as object));
    });
    let last = 0;
    const send = (message: object): void =>
      void dev.input.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    return {
      send,
      methods: () => received.flatMap(({ method }) => method ?? []),
      async request(method: string, params: object = {}): Promise<unknown> {
        const id = (last += 1);
        send({ id, method, params });
        await expect.poll(() => received.some((each) => each.id === id)).toBe(true);
        const { result, error } = received.find((each) => each.id === id) ?? {};
        return result ?? error;
      },
    };
  };

  const BROKEN = CLOCK.replace("tick(): number", "tick(: number");
  const location = expect.stringContaining("src/clock.ts:10:") as string;

  it.each(["2024-11-05", "2025-11-25"])(
    "responds at once, and reports the errors in responses to calls: %s",
    async (protocolVersion) => {
      project.write({ "src/clock.ts": BROKEN });
      start("--stdio");
      const { request, send, methods } = converse();
      const clientInfo = { name: "test", version: "1.0.0" };
      expect(await request("initialize", { protocolVersion, capabilities: {}, clientInfo })).toMatchObject({
        protocolVersion,
        serverInfo: { name: "sample", version: "1.2.3" },
        capabilities: {
          tools: { listChanged: true },
          prompts: { listChanged: true },
          resources: { listChanged: true },
        },
      });
      send({ method: "notifications/initialized" });
      expect(await request("tools/list")).toMatchObject({ tools: [{ name: "project_errors" }] });
      expect(await request("tools/call", { name: "tick", arguments: { any: 1 } })).toMatchObject({
        isError: true,
        content: [{ text: location }],
      });
      expect(await request("prompts/get", { name: "any" })).toMatchObject({
        messages: [{ content: { text: location } }],
      });
      expect(await request("resources/read", { uri: "any://where" })).toMatchObject({
        contents: [{ text: location }],
      });

      dev.forget();
      project.write({ "src/clock.ts": CLOCK });
      await dev.waitForOutput(/ready in/);
      await expect.poll(methods).toContain("notifications/tools/list_changed");
      expect(await request("tools/call", { name: "tick" })).toMatchObject({
        content: [{ text: expect.stringContaining("1") as string }],
      });
      expect(methods().sort()).toEqual(
        ["prompts", "resources", "tools"].map((list) => `notifications/${list}/list_changed`),
      );
      dev.input.end();
      expect(await dev.exited).toBe(0);
    },
  );

  it("lets clients of 2026-07-28 cache no list, since an edit changes it", async () => {
    project.write({ "src/clock.ts": CLOCK });
    start("--stdio");
    const { request } = converse();
    expect(await request("server/discover", { _meta: MODERN })).toMatchObject({ ttlMs: 0 });
    expect(await request("tools/list", { _meta: MODERN })).toMatchObject({
      ttlMs: 0,
      resultType: "complete",
    });
    dev.input.end();
    expect(await dev.exited).toBe(0);
  });

  it("responds to clients of 2026-07-28 without letting them cache the response", async () => {
    project.write({ "src/clock.ts": BROKEN });
    start("--stdio");
    const { request } = converse();
    expect(await request("server/discover", { _meta: MODERN })).toMatchObject({ ttlMs: 0 });
    expect(await request("tools/list", { _meta: MODERN })).toMatchObject({
      ttlMs: 0,
      tools: [{ name: "project_errors" }],
    });
    expect(await request("tools/call", { name: "tick", arguments: {}, _meta: MODERN })).toMatchObject({
      isError: true,
      resultType: "complete",
      content: [{ text: location }],
    });
    dev.input.end();
    expect(await dev.exited).toBe(0);
  });
});

it("tenon dev reports a missing runtime, and nothing else", async () => {
  project.remove();
  project = projectFolder({ "src/clock.ts": CLOCK }, ["@types"]);
  start("--port", "0");
  await dev.waitForOutput(/Nothing is served until the errors are fixed\./);
  expect(dev.log()).toContain("@tenon/runtime");
  expect(dev.log()).not.toContain("ERR_MODULE_NOT_FOUND");
  expect(dev.log()).not.toContain("host.js");
});

it("tenon dev ignores links to folders around them, which would never end", async () => {
  project.write({ "src/notes/a.txt": "", "src/more/b.txt": "" });
  // A folder in itself, the project in its sources, and two folders in each other.
  for (const [link, target] of [
    ["src/here", "."],
    ["src/project", ".."],
    ["src/notes/more", "../more"],
    ["src/more/notes", "../notes"],
  ] as const)
    symlinkSync(target, join(project.root, link));
  start("--port", "0");
  await dev.waitForOutput(/ready/);
  project.write({ "src/clock.ts": CLOCK.replaceAll("tick", "chime") });
  await dev.waitForOutput(/\+ tool chime/);
});

it("tenon dev rejects a folder without a project", async () => {
  start("nowhere");
  expect(await dev.exited).toBe(1);
  expect(dev.log()).toContain("nowhere is not a folder.");
});

it("tenon dev rejects a port that is in use, and names the option to change it", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const { port } = other.address() as AddressInfo;
  const terminal = recordingTerminal(project.root);
  expect(await run(["dev", "--port", String(port)], terminal)).toBe(1);
  other.close();
  expect(terminal.stderr()).toBe(
    `error  Port ${port} is in use.\nhint   Choose another one with --port, or any free one with --port 0.\n`,
  );
});
