import type { NewDeclaration } from "@tenon/compiler";
import { Argument, Command } from "commander";
import type { AddOptions } from "../add/add.js";
import type { CommandContext } from "../terminal/command-line.js";

/** Creates the command `tenon add`. */
export function defineAddCommand({ terminal, finish }: CommandContext): Command {
  return new Command("add")
    .summary("add a tool, a resource, a prompt, or rules for coding agents")
    .description(
      "Adds a method to a class of the project, or a file with a new class. The method is a working sample to replace. " +
        "`tenon add rules` writes AGENTS.md, the rules for coding agents that new projects include, or updates them in an " +
        "existing file.",
    )
    .addArgument(new Argument("<kind>", "what to add").choices(["tool", "resource", "prompt", "rules"]))
    .argument("[name]", "the name that clients see (rules have none)")
    .option("--file <file>", "the file (default: src/<name>.ts, or AGENTS.md for rules)")
    .option("--class <name>", "the class, if the file has several")
    .addHelpText("after", EXAMPLES)
    .action(async (kind: NewDeclaration["kind"] | "rules", name: string | undefined, options: AddOptions) => {
      if (kind === "rules") {
        const { addRules } = await import("../add/add-rules.js");
        finish(await addRules(terminal, name, options));
        return;
      }
      const { add } = await import("../add/add.js");
      finish(add(terminal, kind, name, options));
    });
}

const EXAMPLES = `
Examples:
  $ tenon add tool get_weather
  $ tenon add prompt plan --file src/weather.ts
  $ tenon add rules
  $ tenon add rules --file .github/copilot-instructions.md`;
