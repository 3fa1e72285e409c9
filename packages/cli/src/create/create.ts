import { Command } from "commander";
import { attachTerminal } from "../terminal/command-line.js";
import { ownVersion } from "../startup/own-version.js";
import { reportFailure } from "../terminal/report-failure.js";
import type { Terminal } from "../terminal/terminal.js";

export { exitWith } from "../terminal/exit.js";
export { processTerminal } from "../terminal/terminal.js";

/** Adds the arguments of `create` to a command. */
export function describeCreate(command: Command): Command {
  return command
    .description("Writes a new project, installs it, builds it and makes one real call.")
    .argument("[dir]", "the folder to write to; it must be empty or not exist yet")
    .option("-t, --template <name>", "minimal or standard")
    .option("-n, --name <name>", "the package's name (default: from the folder)")
    .option("-y, --yes", "ask nothing, take the defaults")
    .option("--install", "install, build and make a first call (the default with --yes)")
    .option("--no-install", "only write the files");
}

/**
 * Runs the command line of `create-mcp-server`, which is `tenon create` under another name.
 *
 * @param args without the program's own name
 * @returns the exit code, as `run` does
 */
export async function runCreate(args: readonly string[], terminal: Terminal): Promise<number> {
  let exitCode = 0;
  const program = describeCreate(attachTerminal(new Command("create-mcp-server"), terminal))
    .version(ownVersion(), "-v, --version", "show the version")
    .helpOption("-h, --help", "show help")
    .addHelpText(
      "after",
      `
Examples:
  $ npm create mcp-server@latest my-server
  $ npm create mcp-server@latest my-server -- --template standard --yes`,
    )
    .action(async (dir: string | undefined, options) => {
      const { create } = await import("../commands/create.js");
      exitCode = await create(terminal, dir, options);
    });
  try {
    await program.parseAsync(args, { from: "user" });
    return exitCode;
  } catch (error) {
    return reportFailure(error, terminal);
  }
}
