import { Command } from "commander";
import type { CommandContext } from "../terminal/command-line.js";

/** `tenon explain` */
export function explainCommand({ terminal, finish }: CommandContext): Command {
  return new Command("explain")
    .summary("show the page of a diagnostic")
    .description("Shows what a diagnostic looks like and what to do about it. Without a code, lists all.")
    .argument("[code]", "such as type-function")
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
