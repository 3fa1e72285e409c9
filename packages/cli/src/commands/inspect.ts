import { Command } from "commander";
import type { InspectOptions } from "../inspect/inspect.js";
import type { CommandContext } from "../terminal/command-line.js";

/** `tenon inspect` */
export function inspectCommand({ terminal, finish }: CommandContext): Command {
  return new Command("inspect")
    .summary("see what a client will see")
    .description("Shows every tool, prompt and resource, without running anything.")
    .argument("[dir]", "the project folder", ".")
    .option("--json", "print the definitions verbatim, and the diagnostics, as JSON")
    .addHelpText("after", EXAMPLES)
    .action(async (dir: string, options: InspectOptions) => {
      const { inspect } = await import("../inspect/inspect.js");
      finish(inspect(terminal, dir, options));
    });
}

const EXAMPLES = `
Examples:
  $ tenon inspect
  $ tenon inspect --json | jq '.tools[].name'`;
