/**
 * Requests of a person who starts a built server: its version, a port from the environment, a visit with a browser.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connect } from "@tenon/runtime/testing";
import { LATEST } from "../support/describe-transports.js";
import { buildServer, type BuiltServer } from "../support/built-server.js";

const SOURCE = `import { Tool } from "@tenon/runtime";

/** Fails as \`fetch\` does after a timeout. */
async function slow(): Promise<string> {
  const signal = AbortSignal.timeout(1);
  while (!signal.aborted) await new Promise((resolve) => setImmediate(resolve));
  throw signal.reason;
}

export class Weather {
  /** Asks another server. */
  @Tool()
  async current(): Promise<string> {
    return slow();
  }

  /** Cannot. */
  @Tool()
  record(): void {
    throw new Error("The disk is full.", { cause: new TypeError("No space.") });
  }

  /** The same, told in other words. */
  @Tool()
  async forecast(): Promise<string> {
    return slow().catch((cause: unknown) => {
      throw new Error("No forecast.", { cause });
    });
  }
}

export class Flags {
  /** Is hidden. */
  @Tool({
    enabled: () => {
      throw new Error("There are no flags.");
    },
  })
  hidden(): void {}
}
`;

let built: BuiltServer;
beforeAll(async () => {
  built = await buildServer({
    "package.json": JSON.stringify({ name: "weather", version: "1.2.3", type: "module" }),
    "src/weather.ts": SOURCE,
  });
});
afterAll(() => built.remove());

/** Starts a server over HTTP, and stops it after use. */
async function serve<T>(args: string[], env: NodeJS.ProcessEnv, use: (url: URL) => Promise<T>): Promise<T> {
  const child = spawn(process.execPath, [built.program, "--http", ...args], {
    env: { ...process.env, ...env },
  });
  try {
    const [output] = (await once(child.stderr, "data")) as [Buffer];
    return await use(new URL(/http:\S+/.exec(output.toString())?.[0] ?? `nothing: ${output.toString()}`));
  } finally {
    const exited = once(child, "exit");
    child.kill("SIGTERM");
    await exited;
  }
}

describe("a built server", () => {
  it.each(["--version", "-v"])("prints its version with %s", (flag) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [built.program, flag], {
      encoding: "utf8",
    });
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: "weather 1.2.3\n", stderr: "" });
  });

  it("listens where the environment specifies", async () => {
    expect(await serve([], { PORT: "0", HOST: "localhost" }, ({ host }) => Promise.resolve(host))).toMatch(
      /^localhost:\d+$/,
    );
  });

  it("listens where its options specify, whatever the environment specifies", async () => {
    const env = { PORT: "not a port", HOST: "203.0.113.1" };
    const host = await serve(["--port", "0", "--host", "127.0.0.1"], env, (url) =>
      Promise.resolve(url.hostname),
    );
    expect(host).toBe("127.0.0.1");
  });

  it("accepts brackets around an IPv6 address, and no URL in place of an address", async () => {
    const host = await serve(["--port", "0", "--host", "[::1]"], {}, (url) => Promise.resolve(url.hostname));
    expect(host).toBe("[::1]");
    for (const other of ["http://127.0.0.1", ""]) {
      const { status, stderr } = spawnSync(process.execPath, [built.program, "--http", "--host", other], {
        encoding: "utf8",
      });
      expect({ status, stderr }).toMatchObject({
        status: 2,
        stderr: expect.stringContaining(
          `--host must be an address, such as 127.0.0.1 or ::1 (got "${other}").`,
        ),
      });
    }
  });

  it("does not use a platform's host name as an address", async () => {
    const env = { PORT: "0", HOST: "x86_64-conda-linux-gnu" };
    expect(await serve([], env, ({ hostname }) => Promise.resolve(hostname))).toBe("127.0.0.1");
  });

  it("rejects an invalid PORT, but only over HTTP", () => {
    const start = (...args: string[]): { status: number | null; stderr: string } =>
      spawnSync(process.execPath, [built.program, ...args], {
        input: "",
        encoding: "utf8",
        env: { ...process.env, PORT: "web" },
      });
    const { status, stderr } = start("--http");
    expect(status).toBe(2);
    expect(stderr).toContain('PORT must be a number from 0 to 65535 (got "web").\n');
    expect(start().status).toBe(0);
  });

  it("shows a page to browsers, and lists its methods to clients", async () => {
    const [page, rejection] = await serve(["--port", "0"], {}, async (url) => {
      const opened = await fetch(url, { headers: { accept: "text/html,application/xhtml+xml,*/*;q=0.8" } });
      const asked = await fetch(url, { headers: { accept: "text/event-stream" } });
      return [
        { status: opened.status, type: opened.headers.get("content-type"), text: await opened.text() },
        { status: asked.status, type: asked.headers.get("content-type") },
      ];
    });
    expect(page).toMatchObject({ status: 200, type: "text/html; charset=utf-8" });
    expect(page?.text).toContain('<h1 dir="auto">weather</h1>');
    expect(page?.text).toMatch(/claude mcp add --transport http weather http:\/\/127\.0\.0\.1:\d+\/mcp</);
    expect(rejection).toEqual({ status: 405, type: "application/json" });
  });
});

/** Runs the built server until it has received calls to a tool, and returns its log. */
function logCalls(name: string, count: number): string {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": LATEST,
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const calls = Array.from({ length: count }, (_, id) =>
    JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params: { name, _meta } }),
  );
  const input = `${calls.join("\n")}\n`;
  const { status, stderr } = spawnSync(process.execPath, [built.program], { input, encoding: "utf8" });
  expect(status).toBe(0);
  return stderr;
}

const findLine = (text: string): number => SOURCE.split("\n").findIndex((each) => each.includes(text)) + 1;

it("an error of a callback is logged with the author's files and lines", () => {
  expect(logCalls("hidden", 1)).toContain(`(src/weather.ts:${findLine("There are no flags")}:`);
});

it("a thrown error is logged with the author's files and lines, even before an immediate exit", () => {
  const stderr = logCalls("record", 2);
  const line = findLine("The disk is full");
  const logged = stderr.split(/^\[\w+\] /m).slice(1);
  expect(logged).toHaveLength(2);
  for (const entry of logged) {
    expect(entry).toContain(`The tool "record" failed.\nError: The disk is full.\n    at `);
    expect(entry).toContain(`at Weather.record (src/weather.ts:${line}:`);
    expect(entry).toContain("\nCaused by: TypeError: No space.\n");
    expect(entry).not.toContain("file://");
  }
});

it.each(["current", "forecast"])(
  "a model learns that the tool %s timed out, not that it failed",
  async (tool) => {
    const client = await connect(await built.load(), { showErrors: false });
    const { content, isError } = await client.callTool(tool);
    expect(isError).toBe(true);
    expect(content).toEqual([
      {
        type: "text",
        text: expect.stringMatching(
          new RegExp(
            `^The tool "${tool}" timed out while it waited for something that it needs \\(reference \\w+\\)\\. Try again later\\.$`,
          ),
        ) as string,
      },
    ]);
  },
);
