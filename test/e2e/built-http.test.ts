/**
 * Built servers over HTTP, in separate processes.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { run } from "@tenon/cli";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { eventually } from "../support/eventually.js";
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

const createConfig = (http: string): string => `
  import { defineServer } from "@tenon/runtime";
  export default defineServer({ http: ${http} });
`;

async function build(files: Record<string, string>): Promise<string> {
  project = projectFolder({ "src/echo.ts": ECHO, ...files });
  const terminal = recordingTerminal(project.root);
  expect(await run(["build"], terminal), terminal.stderr()).toBe(0);
  return join(project.root, "dist/server.js");
}

/** Returns the status and content type of a GET response. */
async function get(entry: string, flags: string[], path: string): Promise<[number, string | null]> {
  const child = spawn(process.execPath, [entry, "--http", "--port", "0", ...flags]);
  try {
    const [output] = (await once(child.stderr, "data")) as [Buffer];
    const controller = new AbortController();
    const url = new URL(path, /http:\S+/.exec(output.toString())?.[0]);
    const { status, headers } = await fetch(url, { signal: controller.signal });
    controller.abort();
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
    ["does not configure it", { "src/server.ts": createConfig("{ allowedHosts: [] }") }],
    ["disables it", { "src/server.ts": createConfig("{ sse: false }") }],
    [
      "sets it to false at run time",
      { "src/server.ts": createConfig('{ sse: process.env["OLD_CLIENTS"] === "yes" }') },
    ],
  ])("is served on request by a server that %s", async (_, files) => {
    const entry = await build(files as Record<string, string>);
    expect((await get(entry, [], "/sse"))[0]).toBe(404);
    expect(await get(entry, ["--sse"], "/sse")).toEqual([200, "text/event-stream"]);
  });

  it("is always served by a server with sse: true", async () => {
    const entry = await build({ "src/server.ts": createConfig("{ sse: true }") });
    expect(await get(entry, [], "/sse")).toEqual([200, "text/event-stream"]);
    expect(await get(entry, ["--sse"], "/sse")).toEqual([200, "text/event-stream"]);
  });
});

describe("an address that other machines can reach", () => {
  /** Returns the stderr output of a server until it is stopped. */
  async function output(entry: string, flags: string[], env: Record<string, string> = {}): Promise<string> {
    const child = spawn(process.execPath, [entry, "--http", "--port", "0", ...flags], {
      env: { ...process.env, ...env },
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    let text = "";
    child.stderr.on("data", (chunk: Buffer) => (text += chunk.toString()));
    await eventually(() => expect(text).toMatch(/listens on[^]*callers (?:are|authenticate)/));
    const closed = once(child, "close");
    child.kill("SIGTERM");
    await closed;
    return text;
  }

  /** Returns the exit code and the stderr output of a server that does not start. */
  function runRejected(entry: string, env: Record<string, string> = {}): [number | null, string] {
    const args = [entry, "--http", "--port", "0", "--host", "0.0.0.0"];
    const { status, stderr } = spawnSync(process.execPath, args, {
      encoding: "utf8",
      env: { ...process.env, ...env },
      timeout: 20_000,
    });
    return [status, stderr];
  }

  it("is rejected if callers are not identified, unless anonymous calls are allowed", async () => {
    const entry = await build({});
    const [code, problem] = runRejected(entry);
    expect(code).toBe(1);
    expect(problem).toContain(
      "Other machines can reach 0.0.0.0, and callers are not authenticated, since src/server.ts has no `auth`.",
    );
    expect(problem).toContain("--allow-anonymous or TENON_ALLOW_ANONYMOUS=true");
    expect(runRejected(entry, { TENON_ALLOW_ANONYMOUS: "1" })[0]).toBe(1);
    const warning =
      "WARNING: callers are not authenticated, since src/server.ts has no `auth`: anyone who can";
    expect(await output(entry, ["--host", "0.0.0.0", "--allow-anonymous"])).toContain(warning);
    expect(await output(entry, ["--host", "0.0.0.0"], { TENON_ALLOW_ANONYMOUS: "true" })).toContain(warning);
    const local = await output(entry, []);
    expect(local).not.toContain("WARNING");
    expect(local).toContain(
      ": callers are not authenticated, since src/server.ts has no `auth`: only programs on this machine can connect",
    );
    // A proxy that cannot be: the flag is read, and the server does not start without saying why.
    const { status, stderr } = spawnSync(
      process.execPath,
      [entry, "--http", "--port", "0", "--trust-proxy", "10.0.0.0/8", "--trust-proxy", "proxy.local"],
      { encoding: "utf8" },
    );
    expect([status, stderr]).toEqual([
      1,
      expect.stringContaining('trustedProxies: "proxy.local" is not an IP address'),
    ]);
  });

  it("is rejected where a conditional `auth` is undefined, which the log mentions in any case", async () => {
    const config = `
      import { defineServer } from "@tenon/runtime";
      import { apiKeys } from "@tenon/runtime/auth";
      const key = process.env["API_KEY"];
      export default defineServer({ auth: key ? apiKeys({ [key]: "ada" }) : undefined });
    `;
    const entry = await build({ "src/server.ts": config });
    const undefinedHere = "since `auth` in src/server.ts is undefined in this environment";
    expect(runRejected(entry)).toEqual([1, expect.stringContaining(undefinedHere)]);
    expect(await output(entry, [])).toContain(`WARNING: callers are not authenticated, ${undefinedHere}`);
    const authenticated = await output(entry, ["--host", "0.0.0.0"], { API_KEY: "a-key-of-ada-0123456789" });
    expect(authenticated).toContain(": callers authenticate with an API key");
    expect(authenticated).not.toContain("WARNING");
  });

  it.each([
    ["with a warning if a tool needs a scope that no API key has", "keys", true],
    [
      "without a warning if an API key has a scope that implies the one that a tool needs",
      '{ ...keys, scopes: { "files:read": {}, "files:write": { implies: ["files:read"] } } }',
      false,
    ],
  ])("is served %s", async (_, auth, warns) => {
    const config = `
      import { defineServer } from "@tenon/runtime";
      import { apiKeys } from "@tenon/runtime/auth";
      const ada = { subject: "ada", scopes: ["files:raed", "files:write"] };
      const keys = apiKeys({ "a-key-of-ada-0123456789": ada });
      export default defineServer({ auth: ${auth}, stdio: {} });
    `;
    const tools = `
      import { Tool } from "@tenon/runtime";
      export class Files {
        /** Reads a file. */
        @Tool({ readOnly: true, openWorld: false, scopes: ["files:read"] })
        read(): string { return ""; }

        /** Writes a file. */
        @Tool({ destructive: true, openWorld: false, scopes: ["files:write"] })
        write(): void {}
      }
    `;
    const entry = await build({ "src/server.ts": config, "src/files.ts": tools });
    const warning =
      "WARNING: no API key has the scope `files:read`, so calls that need it are rejected. Add it to a key in src/server.ts, or correct its name.\n";
    expect((await output(entry, [])).includes(warning)).toBe(warns);
  });

  it.each([
    ["auth", 'auth: apiKeys({ "a-key-of-ada-0123456789": "ada" })'],
    ["http.principal", "http: { principal: () => undefined }"],
  ])("is served without a warning if %s identifies callers", async (_, option) => {
    const config = `
      import { defineServer } from "@tenon/runtime";
      import { apiKeys } from "@tenon/runtime/auth";
      export default defineServer({ ${option} });
      void apiKeys;
    `;
    const entry = await build({ "src/server.ts": config });
    expect(await output(entry, ["--host", "0.0.0.0"])).not.toContain("WARNING");
  });
});
