import type { NewDeclaration } from "@tenon/compiler";
import { Argument, Command } from "commander";
import type { AddOptions } from "../add/add.js";
import type { CommandContext } from "../terminal/command-line.js";

/** Creates the command `tenon add`. */
export function defineAddCommand({ terminal, finish }: CommandContext): Command {
  return new Command("add")
    .summary("add a tool, a resource, a prompt, a view, a skill, or rules for coding agents")
    .description(
      "Adds a method to a class of the project, or a file with a new class. The method is a working sample to replace. " +
        "`tenon add view` creates a component that shows the results of a tool, and `tenon add skill` creates a folder with instructions for models. `tenon add rules` writes AGENTS.md, the rules for coding agents that new projects include, or updates them in an " +
        "existing file.",
    )
    .addArgument(
      new Argument("<kind>", "what to add").choices(["tool", "resource", "prompt", "view", "skill", "rules"]),
    )
    .argument("[name]", "the name that clients see; for a view, the name of its tool (not for rules)")
    .option(
      "--file <file>",
      "the file (default: src/<name>.ts, <name>.view.tsx next to the tool, or AGENTS.md for rules)",
    )
    .option("--class <name>", "the class, if the file has several")
    .addHelpText("after", EXAMPLES)
    .action(
      async (
        kind: NewDeclaration["kind"] | "view" | "skill" | "rules",
        name: string | undefined,
        options: AddOptions,
      ) => {
        if (kind === "rules") {
          const { addRules } = await import("../add/add-rules.js");
          finish(await addRules(terminal, name, options));
          return;
        }
        if (kind === "skill") {
          const { addSkill } = await import("../add/add-skill.js");
          finish(addSkill(terminal, name, options));
          return;
        }
        if (kind === "view") {
          const { addView } = await import("../add/add-view.js");
          finish(addView(terminal, name, options));
          return;
        }
        const { add } = await import("../add/add.js");
        finish(add(terminal, kind, name, options));
      },
    );
}

const EXAMPLES = `
Examples:
  $ tenon add tool get_weather
  $ tenon add prompt plan --file src/weather.ts
  $ tenon add view get_weather
  $ tenon add skill refund-orders
  $ tenon add rules
  $ tenon add rules --file .github/copilot-instructions.md`;
