import { Command } from "commander";
import type { CallOptions } from "../call/call.js";
import type { CommandContext } from "../terminal/command-line.js";

/** `tenon call` */
export function callCommand({ terminal, finish }: CommandContext): Command {
  return new Command("call")
    .summary("call a tool, read a resource or get a prompt")
    .description(
      "Calls a tool of the project in the current folder and prints its result, or reads a resource, or gets a " +
        "prompt. Progress goes to stderr, and what the server asks is asked in the terminal.",
    )
    .usage("[options] <tool> [arguments...]")
    .argument("[tool]", "the tool's name")
    .argument(
      "[arguments...]",
      "key=value, where a value may be JSON and a dot leads into an object; or one JSON object",
    )
    .option("-r, --resource <uri>", "read this resource instead")
    .option("-p, --prompt <name>", "get this prompt instead")
    .option("--json", "print the whole result as JSON")
    .addHelpText("after", EXAMPLES)
    .action(async (tool: string | undefined, args: string[], options: CallOptions) => {
      const { call } = await import("../call/call.js");
      finish(await call(terminal, tool === undefined ? [] : [tool, ...args], options));
    });
}

const EXAMPLES = `
Examples:
  $ tenon call greet name=Ada
  $ tenon call search query=tea limit=3 'tags=["green","black"]'
  $ tenon call book place.city=Oslo place.country=NO
  $ tenon call book '{"place":{"city":"Oslo","country":"NO"}}'
  $ tenon call --resource climate://Oslo/2024
  $ tenon call --prompt plan city=Lisbon mood=calm
  $ tenon call search query=tea --json | jq '.structuredContent'`;
