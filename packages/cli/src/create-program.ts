import { defineCreateCommand } from "./commands/create.js";
import { getOwnVersion } from "./startup/own-version.js";
import { attachTerminal, runCommandLine } from "./terminal/command-line.js";
import type { Terminal } from "./terminal/terminal.js";

export { exitWith } from "./terminal/exit.js";
export { processTerminal } from "./terminal/terminal.js";

/**
 * Runs one command line of `create-mcp-server`, the same as `tenon create`.
 *
 * @param args the arguments, without the name of the program
 * @returns the exit code, as for `run`
 */
export function runCreate(args: readonly string[], terminal: Terminal): Promise<number> {
  return runCommandLine(args, terminal, (context) =>
    attachTerminal(defineCreateCommand(context, "create-mcp-server"), terminal)
      .version(getOwnVersion(), "-v, --version", "show the version")
      .helpOption("-h, --help", "show help"),
  );
}
