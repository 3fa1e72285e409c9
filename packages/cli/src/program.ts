import { PROFILES } from "@tenon/runtime/manifest";
import { Command, InvalidArgumentError, Option } from "commander";
import { attachTerminal } from "./terminal/command-line.js";
import { describeCreate } from "./create/create.js";
import { ownVersion } from "./startup/own-version.js";
import { reportFailure } from "./terminal/report-failure.js";
import type { Terminal } from "./terminal/terminal.js";

/**
 * Runs one command line.
 *
 * @param args without the program's own name
 * @returns the exit code: 0 ok, 1 diagnostics or failure, 2 a command line that makes no sense
 */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  let exitCode = 0;
  const program = createProgram(terminal, (code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync(args, { from: "user" });
    return exitCode;
  } catch (error) {
    return reportFailure(error, terminal);
  }
}

/** Commands are loaded when they run: the compiler alone takes longer to load than help to print. */
function createProgram(terminal: Terminal, finish: (exitCode: number) => void): Command {
  const program = attachTerminal(new Command("tenon"), terminal)
    .description("MCP servers from TypeScript classes.")
    .version(ownVersion(), "-v, --version", "show the version")
    .helpOption("-h, --help", "show help")
    .helpCommand("help [command]", "show help for a command")
    .addHelpText(
      "after",
      `
Examples:
  $ tenon create my-server       a new project, installed and tried
  $ tenon dev                    serve it at http://127.0.0.1:3000/mcp, following edits
  $ tenon inspect                see what a client will see
  $ tenon call greet name=Ada    call a tool
  $ tenon check                  see what clients will make of it
  $ tenon build                  make dist/server.js`,
    );

  describeCreate(program.command("create"))
    .summary("start a new project")
    .addHelpText(
      "after",
      `
Examples:
  $ tenon create my-server
  $ tenon create my-server --template standard --yes
  $ tenon create . --no-install`,
    )
    .action(async (dir: string | undefined, options) => {
      const { create } = await import("./commands/create.js");
      finish(await create(terminal, dir, options));
    });

  program
    .command("dev")
    .summary("serve the project and follow edits")
    .description(
      "Serves the project and swaps in the new server whenever a file changes. Connections stay open, calls " +
        "under way are finished, and while the sources have errors the last good server keeps serving.",
    )
    .argument("[dir]", "the project folder", ".")
    .option("-p, --port <number>", "the port to serve HTTP on", parsePort, 3000)
    .option("--stdio", "serve over stdin and stdout instead")
    .addHelpText(
      "after",
      `
Examples:
  $ tenon dev
  $ tenon dev --port 4000
  $ tenon dev --stdio            for a client that starts the server itself`,
    )
    .action(async (dir: string, options) => {
      const { dev } = await import("./commands/dev.js");
      finish(await dev(terminal, dir, options));
    });

  program
    .command("build")
    .summary("make dist/")
    .description("Type-checks the project, derives every schema and writes a server that runs on Node alone.")
    .argument("[dir]", "the project folder", ".")
    .option("-o, --out <dir>", "where to write (default: dist in the project)")
    .addOption(profileOption())
    .addHelpText(
      "after",
      `
Examples:
  $ tenon build
  $ tenon build examples/notes
  $ tenon build --profile gemini               for clients that take only what Gemini takes
  $ node dist/server.js                        serve over stdio
  $ node dist/server.js --http --port 3000     serve at http://127.0.0.1:3000/mcp`,
    )
    .action(async (dir: string, options) => {
      const { build } = await import("./commands/build.js");
      finish(await build(terminal, dir, options));
    });

  program
    .command("inspect")
    .summary("see what a client will see")
    .description("Shows every tool, prompt and resource, without running anything.")
    .argument("[dir]", "the project folder", ".")
    .option("--json", "print the definitions verbatim, and the diagnostics, as JSON")
    .addHelpText(
      "after",
      `
Examples:
  $ tenon inspect
  $ tenon inspect --json | jq '.tools[].name'`,
    )
    .action(async (dir: string, options) => {
      const { inspect } = await import("./commands/inspect.js");
      finish(inspect(terminal, dir, options));
    });

  program
    .command("check")
    .summary("see what clients will make of it")
    .description(
      "Shows what each family of clients would refuse or lose of every tool, and how much of a model's context " +
        "the definitions take. Fails when something would be refused.",
    )
    .argument("[dir]", "the project folder", ".")
    .option("-c, --client <name>", "look at this family only; may be repeated", collect)
    .addOption(profileOption())
    .option("--json", "print everything found as JSON")
    .addHelpText(
      "after",
      `
Families: claude, openai, vscode, cursor, genkit;
and on request claude-strict, openai-strict, gemini.

Examples:
  $ tenon check
  $ tenon check --client gemini
  $ tenon check --client gemini --profile gemini
  $ tenon check --json | jq '.total'`,
    )
    .action(async (dir: string, options) => {
      const { check } = await import("./commands/check.js");
      finish(check(terminal, dir, options));
    });

  program
    .command("call")
    .summary("call a tool")
    .description("Calls a tool of the project in the current folder and prints its result.")
    .argument("<tool>", "the tool's name")
    .argument("[arguments...]", "key=value; values may be JSON, a dot in a key leads into an object")
    .option("--json <object>", "all arguments at once, as a JSON object")
    .option("--raw", "print the whole result as JSON")
    .addHelpText(
      "after",
      `
Examples:
  $ tenon call greet name=Ada
  $ tenon call search query=tea limit=3 'tags=["green","black"]'
  $ tenon call book place.city=Oslo place.country=NO
  $ tenon call book --json '{"place":{"city":"Oslo","country":"NO"}}'`,
    )
    .action(async (tool: string, pairs: string[], options) => {
      const { call } = await import("./commands/call.js");
      finish(await call(terminal, tool, pairs, options));
    });

  return program;
}

function profileOption(): Option {
  return new Option("--profile <name>", "which clients to write the listed schemas for").choices(PROFILES);
}

function collect(value: string, before: string[] = []): string[] {
  return [...before, value];
}

function parsePort(text: string): number {
  const port = Number(text);
  const isPort = /^\d+$/.test(text) && port <= 65_535;
  if (!isPort) throw new InvalidArgumentError("A port is a number from 0 to 65535.");
  return port;
}
