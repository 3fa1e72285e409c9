import { Command } from "commander";
import { addCommand } from "./commands/add.js";
import { buildCommand } from "./commands/build.js";
import { callCommand } from "./commands/call.js";
import { checkCommand } from "./commands/check.js";
import { completionCommand } from "./commands/completion.js";
import { createCommand } from "./commands/create.js";
import { devCommand } from "./commands/dev.js";
import { explainCommand } from "./commands/explain.js";
import { importCommand } from "./commands/import.js";
import { inspectCommand } from "./commands/inspect.js";
import { installCommand } from "./commands/install.js";
import { packageCommand } from "./commands/package.js";
import { replayCommand } from "./commands/replay.js";
import { typesCommand } from "./commands/typed-client.js";
import { ownVersion } from "./startup/own-version.js";
import { attachTerminal, runCommandLine, type CommandContext } from "./terminal/command-line.js";
import type { Terminal } from "./terminal/terminal.js";

/** In the order of the help text. Each loads what it needs when it runs: the compiler takes longer to load than help. */
const COMMANDS = [
  createCommand,
  addCommand,
  devCommand,
  buildCommand,
  inspectCommand,
  checkCommand,
  callCommand,
  replayCommand,
  installCommand,
  packageCommand,
  importCommand,
  typesCommand,
  explainCommand,
  completionCommand,
];

/**
 * Runs one command line of `tenon`.
 *
 * @param args without the program's own name
 * @returns the exit code: 0 ok, 1 diagnostics or failure, 2 a command line that makes no sense
 */
export function run(args: readonly string[], terminal: Terminal): Promise<number> {
  return runCommandLine(args, terminal, createProgram);
}

function createProgram(context: CommandContext): Command {
  const program = attachTerminal(new Command("tenon"), context.terminal)
    .description("MCP servers from TypeScript classes.")
    .version(ownVersion(), "-v, --version", "show the version")
    .helpOption("-h, --help", "show help")
    .helpCommand("help [command]", "show help for a command")
    .addHelpText("after", EXAMPLES);
  for (const create of COMMANDS) program.addCommand(create(context).copyInheritedSettings(program));
  return program;
}

const EXAMPLES = `
Examples:
  $ tenon create my-server       a new project, installed and tried
  $ tenon dev                    serve it at http://127.0.0.1:3000/mcp, following edits
  $ tenon inspect                see what a client will see
  $ tenon call greet name=Ada    call a tool
  $ tenon check                  see what clients will make of it
  $ tenon build                  make dist/server.js
  $ tenon install claude-code    have a client start it
  $ tenon package --npx          package it for others to run`;
