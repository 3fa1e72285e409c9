import { Command } from "commander";
import type { CallOptions } from "../call/call.js";
import type { CommandContext } from "../terminal/command-line.js";

/** `tenon call` */
export function callCommand({ terminal, finish }: CommandContext): Command {
  return new Command("call")
    .summary("call a tool")
    .description("Calls a tool of the project in the current folder and prints its result.")
    .argument("<tool>", "the tool's name")
    .argument("[arguments...]", "key=value; values may be JSON, a dot in a key leads into an object")
    .option("--json <object>", "all arguments at once, as a JSON object")
    .option("--raw", "print the whole result as JSON")
    .addHelpText("after", EXAMPLES)
    .action(async (tool: string, pairs: string[], options: CallOptions) => {
      const { call } = await import("../call/call.js");
      finish(await call(terminal, tool, pairs, options));
    });
}

const EXAMPLES = `
Examples:
  $ tenon call greet name=Ada
  $ tenon call search query=tea limit=3 'tags=["green","black"]'
  $ tenon call book place.city=Oslo place.country=NO
  $ tenon call book --json '{"place":{"city":"Oslo","country":"NO"}}'`;
