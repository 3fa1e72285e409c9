import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { run, runCreate } from "@tenon/cli";
import { afterAll, describe, expect, it } from "vitest";
import { commandsPage } from "../docs/reference/commands.js";
import { commandNames } from "../support/command-names.js";
import { projectFolder } from "../support/project-folder.js";
import { recordingTerminal } from "../support/recording-terminal.js";

const commands = commandNames();

describe("help", () => {
  it("lists every command", async () => {
    const terminal = recordingTerminal(tmpdir());
    await run(["--help"], terminal);
    const named = [...terminal.stdout().matchAll(/^ {2}([a-z]+) /gm)].map(([, name]) => name);
    expect(named).toEqual(expect.arrayContaining(commands));
  });

  it.each(["", ...commands])("is printed with tenon %s --help", async (command) => {
    const terminal = recordingTerminal(tmpdir());
    expect(await run([...(command ? [command] : []), "--help"], terminal)).toBe(0);
    expect(terminal.stderr()).toBe("");
    await expect(terminal.stdout()).toMatchFileSnapshot(`help/${command || "tenon"}.txt`);
  });

  it("equals the command reference of the documentation", async () => {
    await expect(await commandsPage()).toMatchFileSnapshot("../../packages/docs/reference/commands.md");
  });

  it("is printed with create-mcp-server --help", async () => {
    const terminal = recordingTerminal(tmpdir());
    expect(await runCreate(["--help"], terminal)).toBe(0);
    await expect(terminal.stdout()).toMatchFileSnapshot("help/create-mcp-server.txt");
  });

  it("is shown without arguments, as a usage error", async () => {
    const terminal = recordingTerminal(tmpdir());
    expect(await run([], terminal)).toBe(2);
    expect(terminal.stderr()).toContain("Usage: tenon");
  });

  it("loads neither the compiler nor the bundler", () => {
    const folder = mkdtempSync(join(tmpdir(), "tenon-coverage-"));
    try {
      execFileSync(
        process.execPath,
        [join(import.meta.dirname, "../../packages/cli/bin/tenon.js"), "--help"],
        {
          env: { ...process.env, NODE_V8_COVERAGE: folder },
          stdio: "ignore",
        },
      );
      const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
      const loaded = texts.flatMap((text) => (JSON.parse(text) as { result: { url: string }[] }).result);
      const packages = loaded.flatMap(
        ({ url }) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1] ?? [],
      );
      expect(packages).toContain("commander");
      expect(packages).not.toContain("ts-morph");
      expect(packages).not.toContain("esbuild");
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("includes the version", async () => {
    const terminal = recordingTerminal(tmpdir());
    expect(await run(["--version"], terminal)).toBe(0);
    expect(terminal.stdout()).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

describe("an invalid command line", () => {
  it.each([
    { args: ["biuld"], message: "error  Unknown command `biuld`.\nhint   Did you mean build?" },
    {
      args: ["build", "--outt", "x"],
      message: "error  Unknown option `--outt`.\nhint   Did you mean --out?",
    },
    ...commands.flatMap((command) =>
      [["-v"], ["--version"], ["first", "-v"]].map((args) => ({
        args: [command, ...args],
        message: `error  Unknown option \`${args.at(-1)}\`.`,
      })),
    ),
    ...[
      ["help", "biuld"],
      ["biuld", "--help"],
      ["biuld", "-h", "."],
    ].map((args) => ({ args, message: "error  Unknown command `biuld`.\nhint   Did you mean build?" })),
    { args: ["build", "a", "b"], message: "error  Too many arguments for `build`." },
    { args: ["completion", "bash", "x"], message: "error  Too many arguments for `completion`." },
    { args: ["check", "--client", "gemni"], message: "Did you mean `gemini`?" },
    { args: ["build", "--profile", "gpt"], message: "Allowed choices are portable, openai-strict, gemini." },
    {
      args: ["call"],
      message: "error  Name one tool, or one resource with --resource, or one prompt with --prompt.",
    },
    { args: ["inspect", "ftp://example.com"], message: "it starts with neither https:// nor http://." },
    { args: ["build", "--out", ""], message: "error  The value of --out is empty." },
    { args: ["replay", "--ignore", "a", "-i", ""], message: "error  The value of --ignore is empty." },
    { args: ["dev", "--record="], message: "error  The value of --record is empty." },
    { args: ["dev", "--port", "http"], message: "A port is a number from 0 to 65535." },
    { args: ["dev", "--port", "65536"], message: "A port is a number from 0 to 65535." },
    { args: ["create", "x", "--template", "standart"], message: "Did you mean `standard`?" },
    {
      args: ["create", "no-such-folder-yet", "--name", "No Name"],
      message: "npm rejects the package name `No Name`",
    },
  ])("is reported: tenon $args", async ({ args, message }) => {
    const terminal = recordingTerminal(tmpdir());
    expect(await run(args, terminal)).toBe(2);
    expect(terminal.stderr()).toContain(message);
  });
});

describe("an option that the command cannot honor", () => {
  const project = projectFolder({
    "src/weather.ts": `import { Tool } from "@tenon/runtime";
export class Weather { @Tool() current(): string { return "cloudy"; } }`,
    "client/package.json": JSON.stringify({ name: "@example/weather" }),
    "api.json": "{}",
  });
  afterAll(() => project.remove());

  it.each([
    { args: ["inspect", "--era", "legacy"], message: "are known only while it runs." },
    { args: ["check", "--era", "legacy"], message: "are known only while it runs." },
    { args: ["types", "--era", "legacy"], message: "are known only while it runs." },
    { args: ["types", "--force"], message: "--force has no effect" },
    { args: ["types", "--out", "a.ts", "--check", "--force"], message: "--force has no effect" },
    ...["a.mjs", "a.d.ts", "a.txt"].map((out) => ({
      args: ["types", "--out", out],
      message: `\`${out}\` cannot contain the client, which is TypeScript.`,
    })),
    {
      args: ["types", "--out", "client", "--package", "@example/other"],
      message: 'client/package.json has the name "@example/weather", not "@example/other".',
    },
    { args: ["install", "--remove"], message: "--remove requires the name of a client." },
    { args: ["install", "--force"], message: "--force requires the name of a client." },
    { args: ["add", "rules", "--class", "A"], message: "--class has no effect" },
    { args: ["add", "view", "current", "--class", "A"], message: "--class has no effect" },
    { args: ["add", "tool", "x", "--file", "src/x.js"], message: "src/x.js would not be served." },
    { args: ["add", "tool", "x", "--file", "src/x.d.ts"], message: "src/x.d.ts would not be served." },
    { args: ["add", "tool", "x", "--file", "src/x.test.ts"], message: "src/x.test.ts would not be served." },
    { args: ["package", "--docker", "--out", "x"], message: "--out has no effect" },
    { args: ["import", "api.json", "--header", "A: b"], message: "--header requires the URL of a server." },
    { args: ["import", "api.json", "--era", "legacy"], message: "--era requires a server" },
    {
      args: ["import", "https://127.0.0.1:9/api.json", "--client-id", "x"],
      message: "--client-id requires the URL of a server.",
    },
  ])("is rejected: tenon $args", async ({ args, message }) => {
    const before = listFiles(project.root);
    const terminal = recordingTerminal(project.root);
    expect(await run(args, terminal)).toBe(2);
    expect(terminal.stdout()).toBe("");
    expect(terminal.stderr()).toContain(message);
    expect(listFiles(project.root)).toEqual(before);
  });
});

/** Returns the author's files in a folder. Does not follow the link to the installed packages, which other tests change. */
function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)))
    .filter((path) => !/^(?:\.tenon|node_modules)/.test(path));
}

it("a command fails and says so if the project's code ends the process", () => {
  const project = projectFolder({
    "src/quitter.ts": `import { Tool } from "@tenon/runtime";
export class Quitter {
  /** Quits. */
  @Tool({ readOnly: true, openWorld: false })
  quit(): string {
    return process.exit(0);
  }
}
`,
  });
  const program = join(import.meta.dirname, "../../packages/cli/bin/tenon.js");
  const { status, stderr } = spawnSync(process.execPath, [program, "call", "quit"], {
    cwd: project.root,
    encoding: "utf8",
  });
  project.remove();
  expect(stderr).toContain("error  The process exited with code 0 before the command was done.");
  expect(status).toBe(1);
});
