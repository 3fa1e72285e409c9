import { Command } from "commander";
import type { BuildOptions } from "../project/build.js";
import type { CommandContext } from "../terminal/command-line.js";
import { createProfileOption } from "./profile-option.js";

/** Creates the command `tenon build`. */
export function defineBuildCommand({ terminal, finish }: CommandContext): Command {
  return new Command("build")
    .summary("compile the project to dist/")
    .description(
      "Checks the types of the project, derives every schema, and writes a server that needs only Node. Packages that " +
        "cannot be bundled are listed; install them next to the server.",
    )
    .argument("[dir]", "the project folder (default: the one that contains the current folder)")
    .option("-o, --out <dir>", "the output folder (default: dist in the project)")
    .addOption(createProfileOption())
    .addHelpText("after", EXAMPLES)
    .action(async (dir: string | undefined, options: BuildOptions) => {
      const { build } = await import("../project/build.js");
      finish(await build(terminal, dir, options));
    });
}

const EXAMPLES = `
Examples:
  $ tenon build
  $ tenon build examples/notes
  $ tenon build --profile gemini               schemas within the limits of Gemini
  $ node dist/server.js                        serve over stdio
  $ node dist/server.js --http --port 3000     serve at http://127.0.0.1:3000/mcp`;
