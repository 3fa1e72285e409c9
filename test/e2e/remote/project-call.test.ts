import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CTRL_C, pseudoTerminal } from "../../support/pseudo-terminal.js";
import { projectFolder, type ProjectFolder } from "../../support/project-folder.js";

const program = resolve(import.meta.dirname, "../../../packages/cli/bin/tenon.js");

const TOOLS = `
import { Prompt, Resource, Tool, type Content, type Context, type Principal } from "@tenon/runtime";

console.log("noise while loading");
process.stdout.write("more noise\\n");
setInterval(() => undefined, 1000);

export class Tools {
  /** Adds numbers. */
  @Tool()
  add(a: number, b: number): number {
    console.log("noise while working");
    return a + b;
  }

  /** Joins words. */
  @Tool()
  join(words: string[], style: { separator: string; upper?: boolean }): string {
    const text = words.join(style.separator);
    return style.upper ? text.toUpperCase() : text;
  }

  /** Draws. */
  @Tool()
  draw(): Content[] {
    return [{ type: "image", mimeType: "image/png", data: "AAAA" }];
  }

  /** Names the caller. */
  @Tool()
  whoami(user: Principal): string {
    return user.subject;
  }

  /** Introduces the caller. */
  @Prompt()
  introduce(user: Principal): string {
    return user.subject;
  }

  /** Runs only as a task. */
  @Tool({ task: "required" })
  archive(): string {
    return "archived";
  }

  /** Leaves errors unhandled. */
  @Tool()
  async stray(): Promise<string> {
    void Promise.reject(new Error("rejected"));
    setTimeout(() => { throw new Error("thrown"); }, 5);
    await new Promise((resolve) => setTimeout(resolve, 30));
    return "done";
  }

  /** Deletes everything. */
  @Tool({ scopes: ["admin"] })
  purge(user: Principal): string {
    return "purged by " + user.subject;
  }

  /** The secret of the house. */
  @Resource("house://secret", { scopes: ["admin"] })
  secret(): string {
    return "42";
  }

  /** Asks. */
  @Tool()
  async ask(ctx: Context): Promise<string> {
    const answer = await ctx.elicit<{ name: string }>("Who?");
    if (answer.content?.name === "Eve") throw new Error("Eve is away.");
    return answer.action;
  }

  /** Reports. */
  @Tool()
  async count(ctx: Context): Promise<string> {
    ctx.progress(1, 2, "half");
    // Does not keep the process running.
    await new Promise((resolve) => AbortSignal.timeout(20).addEventListener("abort", resolve));
    ctx.progress(2, 2);
    return "counted";
  }

  /** Books. */
  @Tool()
  async book(ctx: Context): Promise<string> {
    const answer = await ctx.elicit<{ name: string; /** @minimum 1 */ nights: number; room: "small" | "large"; late?: boolean; /** @format date */ from?: string; /** @default ["wifi"] */ extras?: ("meal" | "wifi")[]; /** @default "green" @enumNames Red, Green */ color?: "red" | "green" }>(
      "Who is traveling?",
    );
    return JSON.stringify(answer);
  }

  /** Asks for the weather. */
  @Tool()
  async forecast(ctx: Context): Promise<string> {
    const { content } = await ctx.sample({
      messages: [{ role: "user", content: { type: "text", text: "The weather?" } }],
      maxTokens: 9,
      tools: [{ name: "weather", inputSchema: { type: "object" } }],
      toolChoice: { mode: "required" },
    });
    return [content].flat().map((each) => (each.type === "tool_use" ? each.name + " " + JSON.stringify(each.input) : each.type)).join();
  }

  /** The climate of a city. */
  @Resource("climate://{city}")
  climate(city: string): string {
    return \`Mild in \${city}.\`;
  }

  /** Everything. */
  @Resource("climate://all")
  all(): string {
    return "Mild.";
  }

  /** Not there yet. */
  @Resource("climate://later")
  later(): string | undefined {
    return undefined;
  }

  /** Plans. */
  @Prompt()
  plan(city: string, days?: number): string {
    return \`Plan \${days ?? 3} days in \${city}.\`;
  }

  /** Fails. */
  @Tool()
  fail(): void {
    throw new Error("the reason");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await new Promise((resolve) => AbortSignal.timeout(20).addEventListener("abort", resolve));
    console.log("disposed of");
  }

  /** Breaks its promise. */
  @Tool()
  misreport(): { rooms: { size: number }[] } {
    return { rooms: [{ size: "large" as unknown as number }] };
  }
}
`;

const CONFIG = `
import { defineServer } from "@tenon/runtime";
export default defineServer({ stdio: { principal: "ada" } });
`;

let project: ProjectFolder;
beforeAll(() => {
  project = projectFolder({ "src/tools.ts": TOOLS, "src/server.ts": CONFIG });
});
afterAll(() => project.remove());

interface Ran {
  exitCode: number;
  stdout: string;
  stderr: string;
}

function call(args: string[], cwd = project.root): Promise<Ran> {
  return new Promise((done) => {
    execFile(process.execPath, [program, "call", ...args], { cwd }, (error, stdout, stderr) => {
      done({ exitCode: error ? Number(error.code) : 0, stdout, stderr });
    });
  });
}

describe("tenon call", () => {
  it("calls on behalf of the stdio user", async () => {
    expect(await call(["whoami"])).toMatchObject({ exitCode: 0, stdout: "ada\n" });
  });

  it("calls on behalf of the principal that --as names", async () => {
    expect(await call(["whoami", "--as", "grace"])).toMatchObject({ exitCode: 0, stdout: "grace\n" });
    const admin = ["--as", '{"subject":"grace","scopes":["admin"]}'];
    expect((await call(["purge", ...admin])).stdout).toBe("purged by grace\n");
    expect((await call(["--resource", "house://secret", ...admin])).stdout).toBe("42\n");
    const remote = await call(["http://127.0.0.1:1/mcp", "whoami", "--as", "grace"]);
    expect(remote).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("--as works only for the project"),
    });
  });

  it("names --as and stdio.principal if the caller has no scopes", async () => {
    for (const args of [["purge"], ["--resource", "house://secret"], ["purge", "--as", "eve"]]) {
      const { exitCode, stderr } = await call(args);
      expect(exitCode).toBe(1);
      expect(stderr.replaceAll(/\s+/g, " ")).toContain(
        `Choose a caller with scopes: --as '{"subject":"me","scopes":["admin"]}'. To give scopes to the caller over stdio, set \`stdio: { principal }\` in src/server.ts.`,
      );
    }
  });

  it("names --as and stdio.principal if the caller is not identified", async () => {
    const anonymous = projectFolder({ "src/tools.ts": TOOLS });
    for (const args of [["whoami"], ["--prompt", "introduce"]]) {
      const { exitCode, stderr } = await call(args, anonymous.root);
      expect(exitCode).toBe(1);
      expect(stderr.replaceAll(/\s+/g, " ")).toContain(
        "Choose a caller: --as me. To identify the caller over stdio, set `stdio: { principal }` in src/server.ts.",
      );
    }
    expect(await call(["whoami", "--as", "me"], anonymous.root)).toMatchObject({ stdout: "me\n" });
    anonymous.remove();
  });

  it("reports unhandled errors, and prints the result all the same", async () => {
    const { exitCode, stdout, stderr } = await call(["stray"]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "done\n" });
    expect(stderr).toMatch(
      /\[[0-9a-f]{8}\] The background work failed\.\nError: rejected\n {4}at Tools\.stray/,
    );
    expect(stderr).toContain("The background work failed.\nError: thrown\n    at ");
  });

  it("prints only the result to stdout", async () => {
    const { exitCode, stdout, stderr } = await call(["add", "a=1", "b=2"]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "3\n" });
    expect(stderr).toContain("noise while loading\nmore noise\nnoise while working\ndisposed of\n");
    expect(existsSync(join(project.root, "dist"))).toBe(false);
  });

  it("accepts lists, nested values, and JSON", async () => {
    const typed = ["join", "words=a", "words=b", "style.separator=1"];
    expect((await call(typed)).stdout).toBe("a1b\n");
    const json = JSON.stringify({ words: ["a", "b"], style: { separator: "-", upper: true } });
    expect((await call(["join", json])).stdout).toBe("A-B\n");
  });

  it("prints the whole result as JSON", async () => {
    const { stdout } = await call(["add", "a=1", "b=2", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({
      content: [{ type: "text", text: "3" }],
      structuredContent: 3,
    });
  });

  it("fails with the text a model would receive for invalid arguments", async () => {
    const { exitCode, stdout } = await call(["add", "a=1", "c=2"]);
    expect(exitCode).toBe(1);
    expect(stdout).toContain("missing argument `b`");
    expect(stdout).toContain("unknown argument `c`");
  });

  it("fails with the reason if the tool throws", async () => {
    const { exitCode, stdout, stderr } = await call(["fail"]);
    expect(exitCode).toBe(1);
    const [, reference = "none"] =
      /^The tool "fail" failed because of an internal error \(reference (\w+)\)\.\n$/.exec(stdout) ?? [];
    expect(stderr).toContain(`[${reference}] The tool "fail" failed.\nError: the reason\n`);
    expect(stderr).toMatch(/tools\.ts:\d+/);
    expect(`${stdout}${stderr}`.split("the reason")).toHaveLength(2);
  });

  it("reports that it cannot answer if the tool asks", async () => {
    const { exitCode, stderr } = await call(["ask"]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('The client does not declare the capability "elicitation.form"');
    expect(stderr).toContain("this terminal is not interactive");
    expect(stderr).not.toContain("bug in Tenon");
  });

  it("suggests an earlier revision for a tool that requires tasks", async () => {
    const { exitCode, stderr } = await call(["archive"]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(
      'The client does not declare the capability "extensions.io.modelcontextprotocol/tasks"',
    );
    expect(stderr).not.toContain("requests input");
    const arguments_ = /add (--era legacy)\./.exec(stderr)?.[1]?.split(" ") ?? [];
    expect(await call(["archive", ...arguments_])).toMatchObject({ exitCode: 0, stdout: "archived\n" });
  });

  it("validates a tool's result against its type", async () => {
    const { exitCode, stdout, stderr } = await call(["misreport"]);
    expect(exitCode).toBe(1);
    expect(stdout).toContain("internal error");
    expect(stderr).toContain('`rooms[0].size` must be a number (got "large")');
  });

  it("suggests the nearest tool", async () => {
    expect(await call(["ad", "a=1"])).toEqual({
      exitCode: 1,
      stdout: "",
      stderr:
        "error  Unknown tool `ad`. Did you mean `add`?\nhint   The tools are add, archive, ask, book, count, draw, fail, forecast, join, misreport, purge, stray, and whoami.\n",
    });
  });

  it("rejects arguments it cannot parse, as a usage error", async () => {
    const { exitCode, stderr } = await call(["add", "a"]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain("`a` is neither key=value nor a JSON object.");
  });

  it("shows progress next to the result, and waits for work that does not keep Node running", async () => {
    const { exitCode, stdout, stderr } = await call(["count"]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "counted\n" });
    expect(stderr).toContain("progress  1/2  half\nprogress  2/2\n");
  });

  it("reads a resource", async () => {
    expect(await call(["--resource", "climate://Oslo"])).toMatchObject({
      exitCode: 0,
      stdout: "Mild in Oslo.\n",
    });
    const { stdout } = await call(["--resource", "climate://Oslo", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({
      contents: [{ uri: "climate://Oslo", text: "Mild in Oslo." }],
    });
  });

  it("distinguishes a resource without content from one that does not exist", async () => {
    const { exitCode, stderr } = await call(["--resource", "climate://later"]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(
      'error  No resource "climate://later".\nhint   The server lists this resource, but found no content.\n',
    );
  });

  it("lists the names of resources", async () => {
    const { exitCode, stderr } = await call(["--resource", "climat://all"]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain("Did you mean `climate://all`?");
    expect(stderr).toContain(
      "hint   The server lists climate://all, climate://later, house://secret, and climate://{city}.\n",
    );
  });

  it("reports that a server has no resources", async () => {
    const other = projectFolder({
      "src/a.ts":
        'import { Tool } from "@tenon/runtime";\nexport class A {\n  /** Says it. */\n  @Tool() say(): void {}\n}\n',
    });
    const { exitCode, stderr } = await call(["--resource", "a://b"], other.root);
    other.remove();
    expect(exitCode).toBe(1);
    expect(stderr).toBe("error  Unknown resource `a://b`. The server has no resources.\n");
  });

  it("renders a prompt", async () => {
    expect(await call(["--prompt", "plan", "city=Oslo", "days=2"])).toMatchObject({
      exitCode: 0,
      stdout: "user: Plan 2 days in Oslo.\n",
    });
    expect((await call(["--prompt", "pln", "city=Oslo"])).stderr).toContain(
      "error  Unknown prompt `pln`. Did you mean `plan`?\nhint   The prompts are introduce and plan.\n",
    );
  });

  it("prompts the user at the terminal for a tool's questions", async () => {
    const terminal = pseudoTerminal(process.execPath, [program, "call", "book"], { cwd: project.root });
    await terminal.waitForScreen(/Who is traveling\?[^]*name/);
    terminal.type("Ada\r");
    await terminal.waitForScreen(/nights/);
    terminal.type("0\r");
    await terminal.waitForScreen(/Enter 1 or more/);
    terminal.type("\x7f2\r");
    await terminal.waitForScreen(/room/);
    terminal.type("\x1b[B\r");
    await terminal.waitForScreen(/late/);
    terminal.type("\x1b[A\x1b[A\r");
    await terminal.waitForScreen(/from/);
    terminal.type("31.1.2030\r");
    await terminal.waitForScreen(/Enter a date, such as 2030-01-31/);
    terminal.type("\x7f".repeat(9) + "\r");
    await terminal.waitForScreen(/extras/);
    terminal.type("\r");
    await terminal.waitForScreen(/color[^]*Red[^]*Green/);
    terminal.type("\r");
    await terminal.waitForScreen(/Send this answer\?/);
    terminal.type("y");
    expect(await terminal.exited).toBe(0);
    expect(terminal.screen()).toContain(
      '{"action":"accept","content":{"name":"Ada","nights":2,"room":"large","late":true,"extras":["wifi"],"color":"green"}}',
    );
  });

  it("lets the user call a tool on behalf of the model", async () => {
    const terminal = pseudoTerminal(process.execPath, [program, "call", "forecast"], { cwd: project.root });
    await terminal.waitForScreen(/The model[^]*calls weather/);
    terminal.type("\r");
    await terminal.waitForScreen(/Arguments of weather, as JSON/);
    terminal.type('\x7f"city":"Oslo"}\r');
    expect(await terminal.exited).toBe(0);
    expect(terminal.screen()).toContain('weather {"city":"Oslo"}');
  });

  it("answers from the command line without a terminal", async () => {
    const given = { name: "Ada", nights: 2, room: "small" };
    const { exitCode, stdout } = await call(["book", "--answer", JSON.stringify(given)]);
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ action: "accept", content: given });
    expect((await call(["ask", "--answer", "decline"])).stdout).toBe("decline\n");
    const failed = await call(["ask", "--answer", '{"name":"Eve"}']);
    expect(failed.exitCode).toBe(1);
    expect(failed.stderr).not.toContain("hint");
    const wrong = await call(["ask", "--answer", "Ada"]);
    expect(wrong.exitCode).toBe(2);
    expect(wrong.stderr).toMatchInlineSnapshot(`
      "noise while loading
      more noise
      disposed of
      error  The answer \`Ada\` is neither a JSON object nor accept, decline, or cancel.
      hint   "Who?" accepts { name: string }. Use --answer '{"name":"…"}', decline, or cancel.
      "
    `);
    const rejected = await call(["book", "--answer", '{"nights":0}']);
    expect(rejected).toMatchObject({ exitCode: 1, stdout: "" });
    expect(rejected.stderr).toMatchInlineSnapshot(`
      "noise while loading
      more noise
      disposed of
      error  The answer is not valid: missing field \`name\` (a string); missing field \`room\` (one of "small", "large"); \`nights\` must be at least 1 (got 0).
      hint   "Who is traveling?" accepts { name: string, nights: number ≥ 1, room: "small" | "large", late?: boolean, from?: string (date), extras?: ("meal" | "wifi")[], color?: "red" | "green" }. Use --answer '{"name":"…","nights":1,"room":"small"}', decline, or cancel.
      "
    `);
    const misspelled = await call(["book", "--answer", JSON.stringify({ ...given, lat: true })]);
    expect(misspelled).toMatchObject({ exitCode: 2, stdout: "" });
    expect(misspelled.stderr).toContain("error  There is no field `lat` in this question.\nhint   ");
    const unused = await call(["add", "a=1", "b=2", "--answer", "accept"]);
    expect(unused.exitCode).toBe(0);
    expect(unused.stderr).toContain("hint   Unused answers: 1.\n");
  });

  it("lets the user skip an answer, after which the tool continues", async () => {
    const terminal = pseudoTerminal(process.execPath, [program, "call", "book"], { cwd: project.root });
    await terminal.waitForScreen(/Who is traveling\?[^]*name/);
    terminal.type(CTRL_C);
    expect(await terminal.exited).toBe(0);
    expect(terminal.screen()).toContain('{"action":"cancel"}');
  });

  it("gives no advice about scopes if the server cannot start", async () => {
    const broken = projectFolder({
      "src/tools.ts": TOOLS,
      "src/server.ts": `if (!process.env["NO_SUCH_KEY"]) throw new Error("Set NO_SUCH_KEY.");\n${CONFIG}`,
    });
    const { exitCode, stderr } = await call(["purge"], broken.root);
    broken.remove();
    expect(exitCode).toBe(1);
    expect(stderr).toContain("Error: Set NO_SUCH_KEY.");
    expect(stderr).not.toContain("hint");
    expect((await call(["purge", "--as", "ada"])).stderr).toContain("hint   Choose a caller with scopes");
  });

  it("rejects a folder without a project", async () => {
    const { exitCode, stderr } = await call(["add"], import.meta.dirname);
    expect(exitCode).toBe(1);
    expect(stderr).toContain("is not a Tenon project");
  });
});
