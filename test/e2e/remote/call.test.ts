/** Calls to servers that run somewhere else, in either era, with everything that happens between a call and its answer. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { run } from "@tenon/cli";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventually } from "../../support/eventually.js";
import { projectFolder, type ProjectFolder } from "../../support/project-folder.js";
import { CTRL_C, type PseudoTerminal, pseudoTerminal } from "../../support/pseudo-terminal.js";
import { recordingTerminal } from "../../support/recording-terminal.js";
import { thirdParty } from "../../third-party/installed.js";

const program = resolve(import.meta.dirname, "../../../packages/cli/bin/tenon.js");

const TOOLS = `
import { writeFileSync } from "node:fs";
import { Resource, Tool, ToolError, type Content, type Context } from "@tenon/runtime";

export class Tools {
  /** Adds numbers. */
  @Tool()
  add(a: number, b: number): number {
    return a + b;
  }

  /** Gives bytes as data. */
  @Tool()
  packed(): { name: string; parts: Uint8Array[] } {
    return { name: "drawing", parts: [Buffer.from("first"), Buffer.from("second")] };
  }

  /** Draws. */
  @Tool()
  draw(count: number): Content[] {
    const image = { type: "image" as const, mimeType: "image/png", data: "iVBORw0KGgo=" };
    const link = { type: "resource_link" as const, uri: "bytes://all", name: "all", mimeType: "image/gif", size: 2048 };
    return [...Array.from({ length: count }, () => image), { type: "text", text: "drawn" }, link];
  }

  /** Bytes. */
  @Resource("bytes://all", { mimeType: "image/gif" })
  all(): Uint8Array {
    return new Uint8Array([71, 73, 70]);
  }

  /** Says how it goes. */
  @Tool()
  async report(ctx: Context): Promise<string> {
    ctx.log("info", "begun");
    ctx.log("debug", "nobody reads this");
    ctx.progress(1, 2, "half");
    ctx.progress(2, 2);
    return "done";
  }

  /** Asks everything. */
  @Tool()
  async ask(ctx: Context): Promise<string> {
    const { action } = await ctx.elicit<{ name: string }>("Who?");
    const { content } = await ctx.sample({ messages: [{ role: "user", content: { type: "text", text: "A poem?" } }], maxTokens: 9 });
    const roots = await ctx.roots();
    return JSON.stringify({ action, said: content, roots: roots.map(({ name }) => name) });
  }

  /** Sends somewhere. */
  @Tool()
  async visit(ctx: Context): Promise<string> {
    const { action } = await ctx.elicitUrl("Log in there", "https://login.example/page");
    return action === "accept" ? "gone there" : "stayed here";
  }

  /** Waits. */
  @Tool()
  async wait(file: string, ctx: Context): Promise<void> {
    writeFileSync(file + ".begun", "");
    await new Promise((_, reject) => ctx.signal.addEventListener("abort", () => {
      writeFileSync(file + ".cancelled", "");
      reject(new ToolError("cancelled"));
    }));
  }
}
`;

let project: ProjectFolder;
let http: ChildProcess;
let url: string;
beforeAll(async () => {
  project = projectFolder({ "src/tools.ts": TOOLS });
  const terminal = recordingTerminal(project.root);
  expect(await run(["build"], terminal), terminal.stderr()).toBe(0);
  http = spawn(process.execPath, ["dist/server.js", "--http", "--sse", "--port", "0"], {
    cwd: project.root,
    stdio: ["ignore", "ignore", "pipe"],
  });
  url = await new Promise((found) => {
    let text = "";
    http.stderr?.setEncoding("utf8").on("data", (more: string) => {
      text += more;
      const [address] = /http:\S+/.exec(text) ?? [];
      if (address !== undefined) found(address);
    });
  });
});
afterAll(() => {
  http.kill();
  project.remove();
});

const ERAS = ["modern", "legacy"] as const;
const WAYS = ["url", "command"] as const;
const CASES = ERAS.flatMap((era) => WAYS.map((way) => [era, way] as const));

function toCommandLine(args: string[], era: string, way: (typeof WAYS)[number]): string[] {
  const options = ["--era", era];
  return way === "url"
    ? ["call", url, ...args, ...options]
    : ["call", ...args, ...options, "--", process.execPath, "dist/server.js"];
}

async function runTenon(args: string[]): Promise<{ exitCode: number; stdout: string; stderr: string }> {
  const terminal = recordingTerminal(project.root);
  const exitCode = await run(args, terminal);
  return { exitCode, stdout: terminal.stdout(), stderr: terminal.stderr() };
}

/** Starts the program in a person's terminal, without colors. */
function startInTerminal(args: string[], columns = 100): PseudoTerminal {
  return pseudoTerminal(process.execPath, [program, ...args], { cwd: project.root, columns });
}

describe.each(CASES)("a call to a %s server by its %s", (era, way) => {
  const calls = (...args: string[]): ReturnType<typeof runTenon> => runTenon(toCommandLine(args, era, way));

  test("prints the result", async () => {
    expect(await calls("add", "a=1", "b=2")).toEqual({
      exitCode: 0,
      stdout: era === "legacy" ? '{\n  "result": 3\n}\n' : "3\n",
      stderr: "",
    });
    const { stdout } = await calls("add", "a=1", "b=2", "--json");
    expect(JSON.parse(stdout)).toMatchObject({ structuredContent: era === "legacy" ? { result: 3 } : 3 });
  });

  test("reports progress next to the result", async () => {
    expect(await calls("report")).toEqual({
      exitCode: 0,
      stdout: "done\n",
      stderr: "info  begun\nprogress  1/2  half\nprogress  2/2\n",
    });
  });

  test("rejects names the server does not have", async () => {
    expect(await calls("ad", "a=1")).toEqual({
      exitCode: 1,
      stdout: "",
      stderr:
        "error  Unknown tool `ad`. Did you mean `add`?\nhint   The tools are add, ask, draw, packed, report, visit, and wait.\n",
    });
    expect((await calls("--resource", "bytes://al")).stderr).toMatch(
      /^error {2}.* Did you mean `bytes:\/\/all`\?\nhint {3}The server lists bytes:\/\/all\.\n$/,
    );
  });

  // One way each is enough of what takes a process and a terminal.
  test.runIf((era === "modern") === (way === "url"))(
    "elicits, samples, and lists roots at the terminal",
    async () => {
      const terminal = startInTerminal(toCommandLine(["ask", "--root", "src"], era, way));
      await terminal.waitForScreen(/Who\?[^]*name/);
      terminal.type("Ada\r");
      await terminal.waitForScreen(/Send this answer\?/);
      terminal.type("y");
      await terminal.waitForScreen(
        /The server requests a response from a model[^]*user: A poem\?[^]*Response \(up to 9 tokens\)/,
      );
      terminal.type("Roses\r");
      expect(await terminal.exited).toBe(0);
      expect(terminal.screen()).toContain(
        '{"action":"accept","said":{"type":"text","text":"Roses"},"roots":["src"]}',
      );
    },
  );
});

describe("a user at the terminal", () => {
  test.each(ERAS)("cancels a call with Ctrl-C, and a %s server receives the cancellation", async (era) => {
    const file = join(project.root, `waiting-${era}`);
    const terminal = startInTerminal(toCommandLine(["wait", `file=${file}`], era, "url"));
    await eventually(() => expect(existsSync(`${file}.begun`)).toBe(true));
    terminal.type(CTRL_C);
    expect(await terminal.exited).toBe(130);
    expect(terminal.screen()).toContain("The call was cancelled.");
    await eventually(() => expect(existsSync(`${file}.cancelled`)).toBe(true));
  });

  test("may decline to act as the model, which ends a call that cannot continue", async () => {
    const terminal = startInTerminal(toCommandLine(["ask", "--root", "src"], "modern", "url"));
    await terminal.waitForScreen(/Who\?[^]*name/);
    terminal.type(CTRL_C);
    await terminal.waitForScreen(/Response \(up to 9 tokens\)/);
    terminal.type("\r");
    expect(await terminal.exited).toBe(1);
    expect(terminal.screen()).toContain("error  The call ended because you declined to answer.");
  });

  test("sees each prompt on one line if the terminal reports no width", async () => {
    const terminal = startInTerminal(toCommandLine(["ask"], "modern", "url"), 0);
    await terminal.waitForScreen(/^◆ {2}name$/m);
    terminal.kill();
    await terminal.exited;
  });

  test("sees the whole address before opening it", async () => {
    const terminal = startInTerminal(toCommandLine(["visit"], "modern", "url"));
    await terminal.waitForScreen(/Log in there[^]*https:\/\/login\.example\/page[^]*Done\?/);
    terminal.type("y");
    expect(await terminal.exited).toBe(0);
    expect(terminal.screen()).toContain("gone there");
  });

  test("responds to a project's elicitation, sampling, and roots requests", async () => {
    const terminal = startInTerminal(["call", "ask", "--root", "src", "--era", "legacy"]);
    await terminal.waitForScreen(/Who\?[^]*name/);
    terminal.type(CTRL_C);
    await terminal.waitForScreen(/Response \(up to 9 tokens\)/);
    terminal.type("Roses\r");
    expect(await terminal.exited).toBe(0);
    expect(terminal.screen()).toContain(
      '{"action":"cancel","said":{"type":"text","text":"Roses"},"roots":["src"]}',
    );
  });
});

describe("binary content", () => {
  const files = (): string[] => readdirSync(join(project.root, "out")).sort();

  test("is saved to --output: one part as a file, several in a folder, without overwriting", async () => {
    const one = await runTenon(["call", url, "draw", "count=1", "--output", "out/one.png"]);
    expect(one.stdout).toBe(
      "[image image/png, 8 bytes, saved as out/one.png]\ndrawn\nall [link bytes://all, image/gif, 2.0 kB]\n",
    );
    expect(readFileSync(join(project.root, "out/one.png")).toString("base64")).toBe("iVBORw0KGgo=");
    await runTenon(["call", url, "draw", "count=1", "--output", "out"]);
    const two = await runTenon(["call", url, "draw", "count=1", "-o", "out/"]);
    expect(two.stdout).toContain("saved as out/draw-2.png");
    await runTenon(["call", url, "--resource", "bytes://all", "-o", "out/"]);
    expect(files()).toEqual(["all-1.gif", "draw-1.png", "draw-2.png", "one.png"]);
    rmSync(join(project.root, "out"), { recursive: true });
  });

  test.each(["modern", "legacy"])("within data is saved as well, with its location, %s", async (era) => {
    const args = ["call", url, "packed", "--era", era, "--output", "out/"];
    const { stdout, stderr } = await runTenon(args);
    expect(stderr).toBe("");
    const parts = ["[5 bytes, saved as out/packed-1.bin]", "[6 bytes, saved as out/packed-2.bin]"];
    expect(JSON.parse(stdout)).toEqual({ name: "drawing", parts });
    expect(files().map((file) => readFileSync(join(project.root, "out", file), "utf8"))).toEqual([
      "first",
      "second",
    ]);
    rmSync(join(project.root, "out"), { recursive: true });
  });

  test("is only described without --output", async () => {
    const { stdout } = await runTenon(["call", url, "draw", "count=2"]);
    expect(stdout).toContain("[image image/png, 8 bytes]\n[image image/png, 8 bytes]\ndrawn\n");
    const none = await runTenon(["call", url, "add", "a=1", "b=2", "-o", "x"]);
    expect(none.stderr).toBe("hint   The result contains only text, so nothing was saved.\n");
  });
});

test.each([
  [["call", "add", "--header", "a=b"], "--header requires the URL of a server."],
  [["call", "add", "--header", "a=b", "--", "node", "x.js"], "--header requires the URL of a server."],
  [["inspect", "--client-id", "a", "--", "node", "x.js"], "--client-id requires the URL of a server."],
  [["check", "--no-browser", "--", "node", "x.js"], "--no-browser requires the URL of a server."],
  [["types", "--header", "a=b", "--", "node", "x.js"], "--header requires the URL of a server."],
  [["import", "--header", "a=b", "--", "node", "x.js"], "--header requires the URL of a server."],
  [["call", "https://a.example", "x", "--root", "nowhere"], "is not a folder."],
  [
    ["call", "https://a.example"],
    "Name one tool, or one resource with --resource, or one prompt with --prompt.",
  ],
])("%j is a usage error", async (args, message) => {
  const { exitCode, stderr } = await runTenon(args);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(message);
});

test("a server that supports only HTTP+SSE is called as well", async () => {
  const old = url.replace(/mcp$/, "sse");
  const { exitCode, stdout } = await runTenon(["call", old, "report"]);
  expect([exitCode, stdout]).toEqual([0, "done\n"]);
  const { stderr } = await runTenon(["call", old, "report", "--era", "modern"]);
  expect(stderr).toContain("does not respond as an MCP server");
  expect((await runTenon(["inspect", url.replace(/mcp$/, "none")])).exitCode).toBe(1);
});

test("a published third-party server receives roots, and prints its text once", async () => {
  const files = ["--", process.execPath, thirdParty("@modelcontextprotocol/server-filesystem/dist/index.js")];
  const { exitCode, stdout } = await runTenon([
    "call",
    "list_directory",
    `path=${project.root}/src`,
    "--root",
    ".",
    ...files,
  ]);
  expect([exitCode, stdout]).toEqual([0, "[FILE] tools.ts\n"]);
});
