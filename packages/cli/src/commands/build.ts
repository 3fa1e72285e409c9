import { Command } from "commander";
import type { BuildOptions } from "../project/build.js";
import type { CommandContext } from "../terminal/command-line.js";
import { profileOption } from "./profile-option.js";

/** `tenon build` */
export function buildCommand({ terminal, finish }: CommandContext): Command {
  return new Command("build")
    .summary("make dist/")
    .description(
      "Type-checks the project, derives every schema and writes a server that runs on Node alone, or with the " +
        "packages that cannot be bundled, which are listed.",
    )
    .argument("[dir]", "the project folder", ".")
    .option("-o, --out <dir>", "where to write (default: dist in the project)")
    .addOption(profileOption())
    .addHelpText("after", EXAMPLES)
    .action(async (dir: string, options: BuildOptions) => {
      const { build } = await import("../project/build.js");
      finish(await build(terminal, dir, options));
    });
}

const EXAMPLES = `
Examples:
  $ tenon build
  $ tenon build examples/notes
  $ tenon build --profile gemini               for clients that take only what Gemini takes
  $ node dist/server.js                        serve over stdio
  $ node dist/server.js --http --port 3000     serve at http://127.0.0.1:3000/mcp`;
