/**
 * Eighty edits while calls are in flight, over both transports: each call receives one response, from the server
 * that it reached. The number of calls depends on the speed of the machine.
 */
import { Client, StreamableHTTPClientTransport, type Transport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterEach, beforeEach, expect, it } from "vitest";
import { program, startDev, type DevProcess } from "./dev-process.js";
import { projectFolder, type ProjectFolder } from "../support/project-folder.js";

const EDITS = 80;
/** The number of concurrent loops of calls. */
const CALLERS = 4;
/** Every nth edit has an error in another tool. */
const BROKEN_EVERY = 20;

const source = (version: number): string => `import { setTimeout } from "node:timers/promises";
import { Tool } from "@tenon/runtime";

export class Clock {
  /** Says which version it is, a moment later. */
  @Tool() async version(ask: number): Promise<string> {
    await setTimeout(ask % 7);
    return ask + " at ${version}";
  }
  /** Has an error in some edits. */
  @Tool() other(): string {
    return ${version % BROKEN_EVERY === 0 && version > 0 ? "1" : `"other"`};
  }
}
`;

let project: ProjectFolder;
let dev: DevProcess | undefined;

beforeEach(() => {
  project = projectFolder({ "src/clock.ts": source(0) });
});

afterEach(async () => {
  dev?.kill();
  await dev?.exited;
  dev = undefined;
  project.remove();
});

const connect = async (transport: Transport, isModern = false): Promise<Client> => {
  const client = new Client(
    { name: "test", version: "1.0.0" },
    isModern ? { versionNegotiation: { mode: "auto" } } : {},
  );
  await client.connect(transport);
  return client;
};

async function editUnderCalls(clients: readonly Client[]): Promise<void> {
  let asked = 0;
  let reached = 0;
  const over = new AbortController();
  const late: string[] = [];
  const ask = async (client: Client): Promise<void> => {
    const number = (asked += 1);
    const before = reached;
    const { content } = await client.callTool({ name: "version", arguments: { ask: number } });
    const [, own, version] = /^(\d+) at (\d+)$/.exec((content as { text: string }[])[0]?.text ?? "") ?? [];
    expect(Number(own), JSON.stringify(content)).toBe(number);
    // No call reaches an older server than an earlier call did.
    if (Number(version) < before) late.push(`${number} at ${version}, after ${before}`);
    reached = Math.max(reached, Number(version));
  };
  const callers = clients.flatMap((client) =>
    Array.from({ length: CALLERS }, async () => {
      while (!over.signal.aborted) await ask(client);
    }),
  );
  const all = Promise.all(callers);
  const waitForVersion = async (version: number): Promise<void> => {
    const isThere = (): boolean => reached >= version;
    while (!isThere()) await Promise.race([all, new Promise((go) => setTimeout(go, 5))]);
  };
  const edit = async (): Promise<void> => {
    for (let version = 1; version <= EDITS; version += 1) {
      project.write({ "src/clock.ts": source(version) });
      // Some edits follow one another at once, as when an editor saves twice.
      if (version % 3 !== 0) await waitForVersion(version);
    }
    await waitForVersion(EDITS);
    over.abort();
  };
  await Promise.race([edit(), all]);
  await all;
  expect(late).toEqual([]);
  expect(asked).toBeGreaterThan(EDITS);
}

const LONG_MS = 1_800_000;

it("edits lose no call over stdio", { timeout: LONG_MS }, async () => {
  const settings = { command: process.execPath, args: [program, "dev", "--stdio"], cwd: project.root };
  const client = await connect(new StdioClientTransport({ ...settings, stderr: "ignore" }));
  await editUnderCalls([client]);
  await client.close();
});

it("edits lose no call over HTTP, in either era", { timeout: LONG_MS }, async () => {
  dev = startDev(project.root, "--port", "0");
  const [, url = ""] = await dev.waitForOutput(/(http:\/\/\S+)/);
  const clients = [
    await connect(new StreamableHTTPClientTransport(new URL(url))),
    await connect(new StreamableHTTPClientTransport(new URL(url)), true),
  ];
  await editUnderCalls(clients);
  for (const client of clients) await client.close();
});

const ASKING = (version: string): string => `import { Tool, type Context } from "@tenon/runtime";

export class Desk {
  /** Asks. */
  @Tool() async book(ctx: Context): Promise<string> {
    const who = await ctx.elicit<{ name: string }>("Who?");
    return (who.action === "accept" ? who.content.name : who.action) + " at ${version}";
  }
}
`;

// A legacy handler waits in its server. A modern one runs again with the answer, in the current server.
it.each([
  ["http", "2025-11-25", "first"],
  ["stdio", "2025-11-25", "first"],
  ["http", "2026-07-28", "second"],
  ["stdio", "2026-07-28", "second"],
])(
  "an answer is accepted after the server that asked was replaced: %s, %s",
  async (kind, revision, answering) => {
    project.write({ "src/clock.ts": "", "src/desk.ts": ASKING("first") });
    const client = new Client(
      { name: "test", version: "1.0.0" },
      {
        capabilities: { elicitation: { form: {} } },
        ...(revision === "2026-07-28" && { versionNegotiation: { mode: "auto" } }),
      },
    );
    const log: string[] = [];
    let transport: Transport;
    if (kind === "http") {
      dev = startDev(project.root, "--port", "0");
      const [, url = ""] = await dev.waitForOutput(/(http:\/\/\S+)/);
      transport = new StreamableHTTPClientTransport(new URL(url));
    } else {
      const args = [program, "dev", "--stdio"];
      const piped = new StdioClientTransport({
        command: process.execPath,
        args,
        cwd: project.root,
        stderr: "pipe",
      });
      piped.stderr?.on("data", (data: Buffer) => log.push(data.toString()));
      transport = piped;
    }
    let answers = 0;
    client.setRequestHandler("elicitation/create", async () => {
      answers += 1;
      if (answers === 1) {
        project.write({ "src/desk.ts": ASKING("second") });
        if (dev) await dev.waitForOutput(/Reloaded/);
        else await expect.poll(() => log.join("")).toMatch(/Reloaded/);
        expect((await client.callTool({ name: "book" })).content).toMatchObject([{ text: "Ada at second" }]);
      }
      return { action: "accept", content: { name: "Ada" } };
    });
    await client.connect(transport);
    expect((await client.callTool({ name: "book" })).content).toMatchObject([
      { text: `Ada at ${answering}` },
    ]);
    await client.close();
  },
);
