import { Command } from "commander";
import { defineAddCommand } from "./commands/add.js";
import { defineBuildCommand } from "./commands/build.js";
import { defineCallCommand } from "./commands/call.js";
import { defineCheckCommand } from "./commands/check.js";
import { defineCompletionCommand } from "./commands/completion.js";
import { defineCreateCommand } from "./commands/create.js";
import { defineDevCommand } from "./commands/dev.js";
import { defineEvalCommand } from "./commands/eval.js";
import { defineExplainCommand } from "./commands/explain.js";
import { defineImportCommand } from "./commands/import.js";
import { defineInspectCommand } from "./commands/inspect.js";
import { defineInstallCommand } from "./commands/install.js";
import { definePackageCommand } from "./commands/package.js";
import { defineReplayCommand } from "./commands/replay.js";
import { defineTypesCommand } from "./commands/typed-client.js";
import { defineViewCommand } from "./commands/view.js";
import { getOwnVersion } from "./startup/own-version.js";
import { attachTerminal, runCommandLine, type CommandContext } from "./terminal/command-line.js";
import type { Terminal } from "./terminal/terminal.js";

/** The commands in the order of the help text. Each loads the compiler only when it runs, so that help prints immediately. */
const COMMANDS = [
  defineCreateCommand,
  defineAddCommand,
  defineDevCommand,
  defineBuildCommand,
  defineInspectCommand,
  defineCheckCommand,
  defineCallCommand,
  defineViewCommand,
  defineReplayCommand,
  defineEvalCommand,
  defineInstallCommand,
  definePackageCommand,
  defineImportCommand,
  defineTypesCommand,
  defineExplainCommand,
  defineCompletionCommand,
];

/**
 * Runs one command line of `tenon`.
 *
 * @param args the arguments, without the name of the program
 * @returns the exit code: 0 for success, 1 for diagnostics or a failure, 2 for an invalid command line
 */
export function run(args: readonly string[], terminal: Terminal): Promise<number> {
  return runCommandLine(args, terminal, createProgram);
}

function createProgram(context: CommandContext): Command {
  const program = attachTerminal(new Command("tenon"), context.terminal)
    .description("MCP servers from TypeScript classes.")
    // Otherwise, `tenon call greet -v` would print the version.
    .enablePositionalOptions()
    .version(getOwnVersion(), "-v, --version", "show the version")
    .helpOption("-h, --help", "show help")
    .helpCommand("help [command]", "show help for a command")
    .addHelpText("after", EXAMPLES);
  for (const create of COMMANDS) program.addCommand(create(context).copyInheritedSettings(program));
  return program;
}

const EXAMPLES = `
Examples:
  $ tenon create my-server       create a project, install it, and call a tool
  $ tenon dev                    serve it at http://127.0.0.1:3000/mcp, reload on changes
  $ tenon inspect                list what clients see
  $ tenon call greet name=Ada    call a tool
  $ tenon check                  report client compatibility
  $ tenon build                  compile to dist/
  $ tenon install claude-code    add it to a client
  $ tenon package --npx          package it for npm`;
