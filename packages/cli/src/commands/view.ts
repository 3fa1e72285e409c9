import { Command, InvalidArgumentError } from "commander";
import type { CommandContext } from "../terminal/command-line.js";
import type { ViewOptions } from "../view/view.js";

/** Creates the command `tenon view`. */
export function defineViewCommand({ terminal, finish }: CommandContext): Command {
  return new Command("view")
    .summary("save screenshots of a tool's view")
    .description(
      "Calls a tool of the project in the current folder, and saves screenshots of its view in the light and the dark theme. The " +
        "view runs as in a client: in a frame on another origin, under its security policy. Fails if the view violates the policy " +
        "or logs an error. Requires playwright-core in the project, and Chrome or Chromium.",
    )
    .argument("<tool>", "the tool's name")
    .argument("[arguments...]", "the tool's arguments, as for `tenon call`")
    .option("-o, --out <folder>", "the folder of the screenshots (default: .tenon/views)")
    .option("--width <pixels>", "the width of the view", parseWidth, 640)
    .option("--recording <file>", "show the last call to the tool in a recording of `tenon dev --record`")
    .addHelpText("after", EXAMPLES)
    .action(async (tool: string, args: string[], options: ViewOptions) => {
      const { view } = await import("../view/view.js");
      finish(await view(terminal, tool, args, options));
    });
}

function parseWidth(text: string): number {
  const width = Number(text);
  if (!Number.isInteger(width) || width < 1 || width > 10_000)
    throw new InvalidArgumentError("Expected a whole number from 1 to 10000.");
  return width;
}

const EXAMPLES = `
Examples:
  $ tenon view forecast city=Oslo
  $ tenon view forecast city=Oslo --width 390 --out screenshots
  $ tenon view forecast --recording .tenon/recordings/session.jsonl`;
