import { createCommand } from "./commands/create.js";
import { ownVersion } from "./startup/own-version.js";
import { attachTerminal, runCommandLine } from "./terminal/command-line.js";
import type { Terminal } from "./terminal/terminal.js";

export { exitWith } from "./terminal/exit.js";
export { processTerminal } from "./terminal/terminal.js";

/**
 * Runs one command line of `create-mcp-server`, which is `tenon create` under another name.
 *
 * @param args without the program's own name
 * @returns the exit code, as `run` does
 */
export function runCreate(args: readonly string[], terminal: Terminal): Promise<number> {
  return runCommandLine(args, terminal, (context) =>
    attachTerminal(createCommand(context, "create-mcp-server"), terminal)
      .version(ownVersion(), "-v, --version", "show the version")
      .helpOption("-h, --help", "show help"),
  );
}
