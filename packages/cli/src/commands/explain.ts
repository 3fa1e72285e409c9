import { Command } from "commander";
import type { CommandContext } from "../terminal/command-line.js";

/** Creates the command `tenon explain`. */
export function defineExplainCommand({ terminal, finish }: CommandContext): Command {
  return new Command("explain")
    .summary("explain a diagnostic code")
    .description("Explains when a diagnostic occurs and how to fix it. Without a code, lists all codes.")
    .argument("[code]", "the code, such as type-function")
    .addHelpText("after", EXAMPLES)
    .action(async (code: string | undefined) => {
      const { explain } = await import("../explain/explain.js");
      finish(explain(terminal, code));
    });
}

const EXAMPLES = `
Examples:
  $ tenon explain type-function
  $ tenon explain | grep schema`;
