import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { projectFolder, type ProjectFolder } from "../support/project-folder.js";

const program = resolve(import.meta.dirname, "../../packages/cli/bin/tenon.js");

const TOOLS = `
import { Tool, type Content, type Context, type Principal } from "@tenon/runtime";

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

  /** Asks. */
  @Tool()
  async ask(ctx: Context): Promise<string> {
    return (await ctx.elicit<{ name: string }>("Who?")).action;
  }

  /** Fails. */
  @Tool()
  fail(): void {
    throw new Error("the reason");
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
  it("calls on behalf of whoever would call over stdio", async () => {
    expect(await call(["whoami"])).toMatchObject({ exitCode: 0, stdout: "ada\n" });
  });

  it("prints the result, and nothing else, to stdout", async () => {
    const { exitCode, stdout, stderr } = await call(["add", "a=1", "b=2"]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "3\n" });
    expect(stderr).toContain("noise while loading\nmore noise\nnoise while working\n");
    expect(existsSync(join(project.root, "dist"))).toBe(false);
  });

  it("takes lists, nested values and JSON", async () => {
    const typed = ["join", "words=a", "words=b", "style.separator=1"];
    expect((await call(typed)).stdout).toBe("a1b\n");
    const json = JSON.stringify({ words: ["a", "b"], style: { separator: "-", upper: true } });
    expect((await call(["join", "--json", json])).stdout).toBe("A-B\n");
  });

  it("prints the whole result as JSON", async () => {
    const { stdout } = await call(["add", "a=1", "b=2", "--raw"]);
    expect(JSON.parse(stdout)).toMatchObject({
      content: [{ type: "text", text: "3" }],
      structuredContent: 3,
    });
  });

  it("fails with the words a model would get when arguments do not fit", async () => {
    const { exitCode, stdout } = await call(["add", "a=1", "c=2"]);
    expect(exitCode).toBe(1);
    expect(stdout).toContain("missing argument `b`");
    expect(stdout).toContain("unknown argument `c`");
  });

  it("fails with the reason when the tool throws", async () => {
    const { exitCode, stdout, stderr } = await call(["fail"]);
    expect(exitCode).toBe(1);
    expect(stdout).toContain("the reason");
    expect(stderr).toMatch(/tools\.ts:\d+/);
  });

  it("reports that it has no answers when the tool asks", async () => {
    const { exitCode, stderr } = await call(["ask"]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('The client does not declare the capability "elicitation.form"');
    expect(stderr).toContain("`tenon call` has no answers");
    expect(stderr).not.toContain("bug in Tenon");
  });

  it("holds a tool to the type it returns", async () => {
    const { exitCode, stdout } = await call(["misreport"]);
    expect(exitCode).toBe(1);
    expect(stdout).toContain('`rooms[0].size` must be a number (got "large")');
  });

  it("suggests the nearest tool", async () => {
    expect(await call(["ad", "a=1"])).toEqual({
      exitCode: 1,
      stdout: "",
      stderr:
        "error  There is no tool `ad`. Did you mean `add`?\nhint   The tools are add, ask, draw, fail, join, misreport, whoami.\n",
    });
  });

  it("refuses arguments it cannot read, as a usage error", async () => {
    const { exitCode, stderr } = await call(["add", "a"]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain("`a` is not an argument.");
  });

  it("refuses a folder without a project", async () => {
    const { exitCode, stderr } = await call(["add"], import.meta.dirname);
    expect(exitCode).toBe(1);
    expect(stderr).toContain("is not a Tenon project");
  });
});
