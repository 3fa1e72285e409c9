import { Argument, Command } from "commander";
import type { AddOptions } from "../add/add.js";
import type { CommandContext } from "../terminal/command-line.js";

/** `tenon add` */
export function addCommand({ terminal, finish }: CommandContext): Command {
  return new Command("add")
    .summary("add a tool, a resource or a prompt")
    .description(
      "Adds a method to a class of the project, or a file with a class: a sample that works, to be rewritten.",
    )
    .addArgument(new Argument("<kind>", "what to add").choices(["tool", "resource", "prompt"]))
    .argument("<name>", "as clients are to know it")
    .option("--to <file>", "the source file (default: one named for it, in src/)")
    .option("--class <name>", "the class, where the file has several")
    .addHelpText("after", EXAMPLES)
    .action(async (kind: "tool" | "resource" | "prompt", name: string, options: AddOptions) => {
      const { add } = await import("../add/add.js");
      finish(add(terminal, kind, name, options));
    });
}

const EXAMPLES = `
Examples:
  $ tenon add tool get_weather
  $ tenon add prompt plan --to src/weather.ts`;
