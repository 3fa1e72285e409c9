import { Command } from "commander";
import type { CommandContext } from "../terminal/command-line.js";
import type { TypesOptions } from "../typed-client/write-types.js";
import { addRemoteOptions, REMOTE_HELP } from "./remote-options.js";

/** `tenon types` */
export function typesCommand({ terminal, finish, behindDashes }: CommandContext): Command {
  const command = new Command("types")
    .summary("write a typed client for a server")
    .description(
      "Writes a module, or a whole package, with a typed client for a server: server.tools.search({ query }) takes and " +
        "gives what the server lists. It needs nothing but @modelcontextprotocol/client, and tells when the server is not " +
        "what it was.",
    )
    .usage("[options] [url | dir | -- command...]")
    .argument("[target...]", "a URL, a command behind --, or a project folder (default: the current one)")
    .option("-o, --out <file>", "where to write (default: to stdout)")
    .option(
      "--package <name>",
      "write a package of this name, to be built and published, into the folder --out",
    )
    .option("--check", "write nothing, and fail when the file is out of date")
    .option("--force", "replace a file that `tenon types` has not written");
  return addRemoteOptions(command)
    .addHelpText("after", `${REMOTE_HELP}\n${EXAMPLES}`)
    .action(async (words: string[], options: TypesOptions) => {
      const { writeTypes } = await import("../typed-client/write-types.js");
      finish(await writeTypes(terminal, words, behindDashes, options));
    });
}

const EXAMPLES = `
Examples:
  $ tenon types https://mcp.example.com/mcp --out src/search.ts
  $ tenon types https://mcp.example.com/mcp --out src/search.ts --check
  $ tenon types --out client --package @example/client
  $ tenon types --out src/files.ts -- npx -y @modelcontextprotocol/server-filesystem .`;
