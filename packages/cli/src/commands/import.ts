import { Command } from "commander";
import type { ImportOptions } from "../import/import.js";
import type { CommandContext } from "../terminal/command-line.js";
import { addRemoteOptions, append, REMOTE_HELP } from "./remote-options.js";

/** `tenon import` */
export function importCommand({ terminal, finish }: CommandContext): Command {
  const command = new Command("import")
    .summary("write a class for an existing server or HTTP API")
    .description(
      "Asks a running server what it offers, and writes a class whose definitions are the same: types and comments, " +
        "and options of decorators where types cannot say it. The methods are yours to write. For an HTTP API that has an " +
        "OpenAPI 3 document (.json, .yaml), it writes the methods as well.",
    )
    .argument(
      "<target...>",
      "the URL of a server, the command that starts one (after --), or the file or URL of an OpenAPI document",
    )
    .option("-o, --out <file>", "where to write (default: src/imported.ts, or by the API's name)")
    .option("--class <name>", "the name of the class (default: Imported, or the API's name)")
    .option("--force", "replace the file")
    .option("--openapi", "the target is an OpenAPI document, whatever it is called")
    .option(
      "--only <pattern>",
      "OpenAPI: the operations to take, such as 'GET /pets*'; may be repeated",
      append,
    )
    .option("--tag <name>", "OpenAPI: the tag whose operations to take; may be repeated", append)
    .option("--deprecated", "OpenAPI: deprecated operations, too")
    .option("--by-tag", "OpenAPI: a class for each tag")
    .option("--all", "OpenAPI: all operations, however many");
  return addRemoteOptions(command)
    .addHelpText("after", `${REMOTE_HELP}\n${EXAMPLES}`)
    .action(async (words: string[], options: ImportOptions) => {
      const { importTarget } = await import("../import/import.js");
      finish(await importTarget(terminal, words, options));
    });
}

const EXAMPLES = `
Examples:
  $ tenon import https://mcp.example.com/mcp
  $ tenon import --out src/files.ts --class Files -- npx -y @modelcontextprotocol/server-filesystem .
  $ tenon import openapi.yaml --only 'GET /pets*'
  $ tenon import https://api.example.com/openapi.json --tag issues`;
