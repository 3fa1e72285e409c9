import { Command } from "commander";
import type { InspectOptions } from "../inspect/inspect.js";
import type { CommandContext } from "../terminal/command-line.js";
import { findPlace } from "../remote/find-target.js";
import { refuseRemoteFlags, type RemoteFlags } from "../remote/remote-flags.js";
import { addRemoteOptions, REMOTE_HELP } from "./remote-options.js";

/** `tenon inspect` */
export function inspectCommand({ terminal, finish, behindDashes }: CommandContext): Command {
  const command = new Command("inspect")
    .summary("see what a client will see")
    .description(
      "Shows every tool, prompt and resource of the project in a folder, without running anything, or of a server " +
        "that is running somewhere else.",
    )
    .usage("[options] [dir | url | -- command...]")
    .argument("[target...]", "the project folder (default: the current one), a URL, or a command behind --")
    .option("--json", "print the definitions verbatim, and the diagnostics, as JSON")
    .option("--forget", "forget the login at this URL, and do nothing else");
  return addRemoteOptions(command)
    .addHelpText("after", `${REMOTE_HELP}\n${EXAMPLES}`)
    .action(async (words: string[], options: InspectOptions & RemoteFlags & { forget?: boolean }) => {
      const { folder, target } = findPlace(words, behindDashes);
      if (options.forget) {
        const { forgetLogin } = await import("../remote/forget-login.js");
        forgetLogin(terminal, target);
        finish(0);
      } else if (target) {
        const { inspectServer } = await import("../inspect/inspect-server.js");
        finish(await inspectServer(terminal, target, options));
      } else {
        refuseRemoteFlags(options);
        const { inspect } = await import("../inspect/inspect.js");
        finish(inspect(terminal, folder, options));
      }
    });
}

const EXAMPLES = `
Examples:
  $ tenon inspect
  $ tenon inspect --json | jq '.tools[].name'
  $ tenon inspect https://mcp.example.com/mcp
  $ tenon inspect -- npx -y @modelcontextprotocol/server-filesystem .`;
