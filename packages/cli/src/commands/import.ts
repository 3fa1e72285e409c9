import { Command } from "commander";
import type { ImportOptions } from "../import/import.js";
import type { CommandContext } from "../terminal/command-line.js";
import { addRemoteOptions, REMOTE_HELP } from "./remote-options.js";

/** `tenon import` */
export function importCommand({ terminal, finish }: CommandContext): Command {
  const command = new Command("import")
    .summary("write a class for a server there is")
    .description(
      "Asks a running server what it offers, and writes a class whose definitions are the same: types and comments, " +
        "and options of decorators where types cannot say it. The methods are yours to write.",
    )
    .argument("<target...>", "the URL of a server, or the command that starts one (after --)")
    .option("-o, --out <file>", "where to write", "src/imported.ts")
    .option("--class <name>", "the name of the class", "Imported")
    .option("--force", "replace the file");
  return addRemoteOptions(command)
    .addHelpText("after", `${REMOTE_HELP}\n${EXAMPLES}`)
    .action(async (words: string[], options: ImportOptions) => {
      const { importServer } = await import("../import/import.js");
      finish(await importServer(terminal, words, options));
    });
}

const EXAMPLES = `
Examples:
  $ tenon import https://mcp.example.com/mcp
  $ tenon import --out src/files.ts --class Files -- npx -y @modelcontextprotocol/server-filesystem .`;
