import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run, runCreate } from "@tenon/cli";
import { describe, expect, it } from "vitest";
import { commandsPage } from "../docs/reference/commands.js";
import { commandNames } from "../support/command-names.js";
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
    { args: ["build", "a", "b"], message: "error  Too many arguments for `build`." },
    { args: ["check", "--client", "gemni"], message: "Did you mean `gemini`?" },
    { args: ["build", "--profile", "gpt"], message: "Allowed choices are portable, openai-strict, gemini." },
    {
      args: ["call"],
      message: "error  Name one tool, or one resource with --resource, or one prompt with --prompt.",
    },
    { args: ["inspect", "ftp://example.com"], message: "it starts with neither https:// nor http://." },
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
