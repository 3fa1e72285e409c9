import { Command } from "commander";
import type { ImportOptions } from "../import/import.js";
import type { CommandContext } from "../terminal/command-line.js";
import { addRemoteOptions, append, REMOTE_HELP } from "./remote-options.js";

/** Creates the command `tenon import`. */
export function defineImportCommand({ terminal, finish }: CommandContext): Command {
  const command = new Command("import")
    .summary("generate a class from a server or OpenAPI document")
    .description(
      "Reads the definitions of a running server and generates a class with the same definitions: types, comments, and " +
        "decorator options where types are not enough. You write the methods. From an OpenAPI 3 document (.json, .yaml), " +
        "it also generates the methods, which call the API.",
    )
    .argument(
      "<target...>",
      "the URL of a server, the command that starts one (after --), or the file or URL of an OpenAPI document",
    )
    .option("-o, --out <file>", "the file to write (default: src/imported.ts, or the name of the API)")
    .option("--class <name>", "the name of the class (default: Imported, or the name of the API)")
    .option("--force", "replace an existing file")
    .option("--openapi", "read the target as an OpenAPI document, regardless of its name")
    .option("--only <pattern>", "OpenAPI: import these operations, such as 'GET /pets*'; repeatable", append)
    .option("--tag <name>", "OpenAPI: import the operations with this tag; repeatable", append)
    .option("--deprecated", "OpenAPI: import deprecated operations, too")
    .option("--by-tag", "OpenAPI: generate a class for each tag")
    .option("--all", "OpenAPI: import all operations, regardless of their number");
  return addRemoteOptions(command)
    .addHelpText("after", `${REMOTE_HELP}\n${EXAMPLES}`)
    .action(async (args: string[], options: ImportOptions) => {
      const { importTarget } = await import("../import/import.js");
      finish(await importTarget(terminal, args, options));
    });
}

const EXAMPLES = `
Examples:
  $ tenon import https://mcp.example.com/mcp
  $ tenon import --out src/files.ts --class Files -- npx -y @modelcontextprotocol/server-filesystem .
  $ tenon import openapi.yaml --only 'GET /pets*'
  $ tenon import https://api.example.com/openapi.json --tag issues`;
