import { Command } from "commander";
import type { InspectOptions } from "../inspect/inspect.js";
import type { CommandContext } from "../terminal/command-line.js";
import { findProjectOrServer } from "../remote/find-target.js";
import { rejectLegacyEra, rejectRemoteFlags, type RemoteFlags } from "../remote/remote-flags.js";
import { addRemoteOptions, REMOTE_HELP } from "./remote-options.js";
import { applyVerbose, createVerboseOption, REPORTS_REUSE } from "./verbose-option.js";

/** Creates the command `tenon inspect`. */
export function defineInspectCommand({ terminal, finish, argsAfterDashes }: CommandContext): Command {
  const command = new Command("inspect")
    .summary("list what clients see")
    .description(
      "Lists every tool, prompt, and resource of a project, without running it, or of a running server.",
    )
    .usage("[options] [dir | url | -- command...]")
    .argument(
      "[target...]",
      "the project folder (default: the one that contains the current folder), a URL, or a command after --",
    )
    .option("--json", "print the definitions and the diagnostics as JSON")
    .addOption(createVerboseOption(REPORTS_REUSE))
    .option("--logout", "delete the stored login for this URL, and exit");
  return addRemoteOptions(command)
    .addHelpText("after", `${REMOTE_HELP}\n${EXAMPLES}`)
    .action(async (args: string[], options: InspectOptions & RemoteFlags & { logout?: boolean }) => {
      applyVerbose(options);
      const { folder, target } = findProjectOrServer(args, argsAfterDashes);
      if (options.logout) {
        const { logout } = await import("../remote/logout.js");
        logout(terminal, target);
        finish(0);
      } else if (target) {
        const { inspectServer } = await import("../inspect/inspect-server.js");
        finish(await inspectServer(terminal, target, options));
      } else {
        rejectRemoteFlags(options);
        rejectLegacyEra(options);
        const { inspect } = await import("../inspect/inspect.js");
        finish(await inspect(terminal, folder, options));
      }
    });
}

const EXAMPLES = `
Examples:
  $ tenon inspect
  $ tenon inspect --json | jq '.tools[].name'
  $ tenon inspect https://mcp.example.com/mcp
  $ tenon inspect -- npx -y @modelcontextprotocol/server-filesystem .`;
