import { Command, Option } from "commander";
import { INSTALLABLE_CLIENTS } from "../install/client-config.js";
import type { InstallOptions } from "../install/install-arguments.js";
import type { CommandContext } from "../terminal/command-line.js";
import { formatList } from "../terminal/text-format.js";
import { append } from "./remote-options.js";

/** Creates the command `tenon install`. */
export function defineInstallCommand({ terminal, finish, argsAfterDashes }: CommandContext): Command {
  const names = INSTALLABLE_CLIENTS.map(({ name }) => name);
  return new Command("install")
    .summary("add the server to a client's configuration")
    .description(
      "Adds the project's server, or the one that a command after -- starts, to the configuration of a client: " +
        `${formatList(names, "or")}. Nothing else in the file changes. A backup of your own configuration is written next ` +
        "to it. Files of a project contain no secrets: they refer to environment variables, or VS Code prompts for them. " +
        "Without a client, prints the entry that most clients accept.",
    )
    .usage("[options] [client] [dir] [-- command...]")
    .argument("[client]", "the name of the client")
    .argument(
      "[target...]",
      "the project folder (default: the one that contains the current folder), or after --, the command that starts a published server",
    )
    .option("--name <name>", "the name of the entry (default: the name of the server)")
    .addOption(
      new Option("--scope <scope>", "for you, or for everyone who works in the project folder")
        .choices(["user", "project"])
        .default("user"),
    )
    .option(
      "--env <NAME=value>",
      "set an environment variable of the server; NAME alone refers to a variable of the client; repeatable",
      append,
    )
    .option("--url <url>", "the address of a server that the client does not start")
    .option("--header <Name: value>", "send this header with each request to --url; repeatable", append)
    .option("--remove", "remove the server from the configuration")
    .option("--force", "replace another server of the same name, or your own settings for this one")
    .option("--print", "print what would be written, and write nothing")
    .addHelpText("after", EXAMPLES)
    .action(async (client: string | undefined, target: string[], options: InstallOptions) => {
      const { install } = await import("../install/install.js");
      const args = client === undefined ? [] : [client, ...target];
      finish(await install(terminal, args, argsAfterDashes, options));
    });
}

const EXAMPLES = `
Examples:
  $ tenon install claude-code
  $ tenon install vscode --scope project              for everyone who opens this folder
  $ tenon install cursor --env API_KEY --name weather  with API_KEY from Cursor's environment
  $ tenon install codex --url https://mcp.example.com/mcp --header "X-API-Key: …"
  $ tenon install cursor -- npx --yes weather-mcp     a published server
  $ tenon install claude-desktop --remove`;
