import { Command, Option } from "commander";
import type { InstallOptions } from "../install/install.js";
import type { CommandContext } from "../terminal/command-line.js";
import { append } from "./remote-options.js";

/** `tenon install` */
export function installCommand({ terminal, finish, behindDashes }: CommandContext): Command {
  return new Command("install")
    .summary("have a client start the server")
    .description(
      "Writes the project's server, or the one that a command behind -- starts, into the configuration of a client: " +
        "claude-code, claude-desktop, cursor, vscode, windsurf, gemini, codex, goose, opencode, copilot, qwen, zed or lm-studio. All else in the file stays as it is, and the file as it was is kept beside it. " +
        "Without a client, prints what most clients take.",
    )
    .usage("[options] [client] [dir] [-- command...]")
    .argument("[client]", "the client")
    .argument(
      "[target...]",
      "the project folder (default: the current one); or behind --, what starts a server, such as one that somebody has published",
    )
    .option("--name <name>", "under which the client knows the server (default: the server's own)")
    .addOption(
      new Option("--scope <scope>", "for you, or for all who work in the project's folder")
        .choices(["user", "project"])
        .default("user"),
    )
    .option("--env <NAME=value...>", "what the server finds in its environment")
    .option("--url <url>", "where the server is reached, when the client does not start it")
    .option(
      "--header <Name: value>",
      "what the client sends there with each request; may be repeated",
      append,
    )
    .option("--remove", "take the server out again")
    .option("--force", "replace another server of the same name, and what you have set of this one")
    .option("--print", "only show what would be written")
    .addHelpText("after", EXAMPLES)
    .action(async (client: string | undefined, target: string[], options: InstallOptions) => {
      const { install } = await import("../install/install.js");
      const words = client === undefined ? [] : [client, ...target];
      finish(await install(terminal, words, behindDashes, options));
    });
}

const EXAMPLES = `
Examples:
  $ tenon install claude-code
  $ tenon install vscode --scope project              for everybody who opens this folder
  $ tenon install cursor --env API_KEY=… --name weather
  $ tenon install codex --url https://mcp.example.com/mcp --header "X-API-Key: …"
  $ tenon install cursor -- npx --yes weather-mcp     a server that somebody has published
  $ tenon install claude-desktop --remove`;
