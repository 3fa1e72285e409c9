import { Command } from "commander";
import type { CommandContext } from "../terminal/command-line.js";
import type { TypesOptions } from "../typed-client/write-types.js";
import { addRemoteOptions, REMOTE_HELP } from "./remote-options.js";

/** Creates the command `tenon types`. */
export function defineTypesCommand({ terminal, finish, argsAfterDashes }: CommandContext): Command {
  const command = new Command("types")
    .summary("generate a typed client")
    .description(
      "Generates a module or a package with a typed client for a server, such as server.tools.search({ query }), from the " +
        "schemas that the server lists. It depends only on @modelcontextprotocol/client, and reports when the schemas of the " +
        "server have changed.",
    )
    .usage("[options] [url | dir | -- command...]")
    .argument(
      "[target...]",
      "a URL, a command after --, or a project folder (default: the one that contains the current folder)",
    )
    .option("-o, --out <file>", "the file to write (default: stdout)")
    .option(
      "--package <name>",
      "write a package of this name, ready to build and publish, to the --out folder",
    )
    .option("--check", "write nothing; fail if the file is out of date")
    .option("--force", "replace a file that `tenon types` did not write");
  return addRemoteOptions(command)
    .addHelpText("after", `${REMOTE_HELP}\n${EXAMPLES}`)
    .action(async (args: string[], options: TypesOptions) => {
      const { writeTypes } = await import("../typed-client/write-types.js");
      finish(await writeTypes(terminal, args, argsAfterDashes, options));
    });
}

const EXAMPLES = `
Examples:
  $ tenon types https://mcp.example.com/mcp --out src/search.ts
  $ tenon types https://mcp.example.com/mcp --out src/search.ts --check
  $ tenon types --out client --package @example/client
  $ tenon types --out src/files.ts -- npx -y @modelcontextprotocol/server-filesystem .`;
