/**
 * Built servers over HTTP, in processes of their own.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { run } from "@tenon/cli";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { projectFolder, type ProjectFolder } from "../support/project-folder.js";
import { recordingTerminal } from "../support/recording-terminal.js";

let project: ProjectFolder;
afterEach(() => project.remove());

const ECHO = `
  import { Tool } from "@tenon/runtime";
  export class Echo {
    @Tool() say(text: string): string { return text; }
  }
`;

const configured = (http: string): string => `
  import { defineServer } from "@tenon/runtime";
  export default defineServer({ http: ${http} });
`;

async function build(files: Record<string, string>): Promise<string> {
  project = projectFolder({ "src/echo.ts": ECHO, ...files });
  const terminal = recordingTerminal(project.root);
  expect(await run(["build"], terminal), terminal.stderr()).toBe(0);
  return join(project.root, "dist/server.js");
}

/** The status with which a server answers a GET, and what it says is in the answer. */
async function get(entry: string, flags: string[], path: string): Promise<[number, string | null]> {
  const child = spawn(process.execPath, [entry, "--http", "--port", "0", ...flags]);
  try {
    const [said] = (await once(child.stderr, "data")) as [Buffer];
    const gone = new AbortController();
    const url = new URL(path, /http:\S+/.exec(said.toString())?.[0]);
    const { status, headers } = await fetch(url, { signal: gone.signal });
    gone.abort();
    return [status, headers.get("content-type")];
  } finally {
    const exited = once(child, "exit");
    child.kill("SIGTERM");
    await exited;
  }
}

describe("HTTP+SSE", () => {
  it.each([
    ["has no configuration", {}],
    ["says nothing of it", { "src/server.ts": configured("{ allowedHosts: [] }") }],
    ["does not want it", { "src/server.ts": configured("{ sse: false }") }],
    ["leaves it open", { "src/server.ts": configured('{ sse: process.env["OLD_CLIENTS"] === "yes" }') }],
  ])("is served on request by a server that %s", async (_, files) => {
    const entry = await build(files as Record<string, string>);
    expect((await get(entry, [], "/sse"))[0]).toBe(404);
    expect(await get(entry, ["--sse"], "/sse")).toEqual([200, "text/event-stream"]);
  });

  it("is served by a server that is configured to", async () => {
    const entry = await build({ "src/server.ts": configured("{ sse: true }") });
    expect(await get(entry, [], "/sse")).toEqual([200, "text/event-stream"]);
    expect(await get(entry, ["--sse"], "/sse")).toEqual([200, "text/event-stream"]);
  });
});

describe("an address that other machines can reach", () => {
  /** What a server says on its stderr until it is stopped. */
  async function said(entry: string, flags: string[]): Promise<string> {
    const child = spawn(process.execPath, [entry, "--http", "--port", "0", ...flags]);
    onTestFinished(() => void child.kill("SIGKILL"));
    let text = "";
    child.stderr.on("data", (chunk: Buffer) => (text += chunk.toString()));
    await vi.waitFor(() => expect(text).toContain("listens on"), { timeout: 120_000 });
    const closed = once(child, "close");
    child.kill("SIGTERM");
    await closed;
    return text;
  }

  it("is warned of where nobody is asked who calls", async () => {
    const entry = await build({});
    expect(await said(entry, ["--host", "0.0.0.0"])).toContain("WARNING: this address can be reached");
    expect(await said(entry, [])).not.toContain("WARNING");
    // A proxy that cannot be: the flag is read, and the server does not start without saying why.
    const { status, stderr } = spawnSync(
      process.execPath,
      [entry, "--http", "--port", "0", "--trust-proxy", "10.0.0.0/8", "--trust-proxy", "proxy.local"],
      { encoding: "utf8" },
    );
    expect([status, stderr]).toEqual([
      1,
      expect.stringContaining('trustedProxies: "proxy.local" is no IP address'),
    ]);
  });

  it.each([
    ["auth", 'auth: apiKeys({ "a-key-of-ada-0123456789": "ada" })'],
    ["http.principal", "http: { principal: () => undefined }"],
  ])("is not warned of where %s says who calls", async (_, option) => {
    const config = `
      import { defineServer } from "@tenon/runtime";
      import { apiKeys } from "@tenon/runtime/auth";
      export default defineServer({ ${option} });
      void apiKeys;
    `;
    const entry = await build({ "src/server.ts": config });
    expect(await said(entry, ["--host", "0.0.0.0"])).not.toContain("WARNING");
  });
});
