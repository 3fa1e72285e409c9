import { Command, Option } from "commander";
import { SHELL_SCRIPTS, SHELLS } from "../completion/shell-scripts.js";
import { Failure } from "../terminal/failure.js";
import type { CommandContext } from "../terminal/command-line.js";
import { createUnknownNameFailure } from "../terminal/unknown-name.js";

/** Creates the command `tenon completion`. */
export function defineCompletionCommand({ terminal, finish, argsAfterDashes }: CommandContext): Command {
  return new Command("completion")
    .summary("print a shell completion script")
    .description(
      "Prints a script for your shell that completes commands, options, clients, and diagnostic codes. In a project that has " +
        "been built, it also completes tools, their arguments, prompts, and resources.",
    )
    .usage("<shell>")
    .argument("[shell]", `your shell: ${SHELLS.join(", ")}`)
    .argument("[words...]")
    .addOption(new Option("--suggest", "print completions for the last argument after --").hideHelp())
    .addHelpText("after", EXAMPLES)
    .action(
      async (
        shell: string | undefined,
        words: string[],
        options: { suggest?: boolean },
        command: Command,
      ) => {
        finish(0);
        if (options.suggest) return void terminal.out.write(await getSuggestions(command));
        if (words.length > 0)
          command.error(
            `error: too many arguments for 'completion'. Expected 1 argument but got ${words.length + 1}.`,
            { exitCode: 2 },
          );
        if (shell === undefined) {
          throw new Failure("The name of your shell is missing.", {
            hint: `Name it: ${SHELLS.join(", ")}.`,
            exitCode: 2,
          });
        }
        const known = SHELLS.find((each) => each === shell);
        if (known === undefined) throw createUnknownNameFailure("shell", shell, SHELLS, { exitCode: 2 });
        terminal.out.write(SHELL_SCRIPTS[known]);
      },
    );

  async function getSuggestions(command: Command): Promise<string> {
    const [{ suggest }, { formatSuggestions }, { createValueSource }] = await Promise.all([
      import("../completion/suggest.js"),
      import("../completion/suggestions.js"),
      import("../completion/project-values.js"),
    ]);
    const args = argsAfterDashes === 0 ? [] : command.args.slice(-argsAfterDashes);
    return formatSuggestions(await suggest(command.parent ?? command, args, createValueSource(terminal.cwd)));
  }
}

const EXAMPLES = `
The scripts need tenon on your PATH: npm install --global @tenon/cli

Examples:
  $ echo 'source <(tenon completion bash)' >> ~/.bashrc
  $ echo 'source <(tenon completion zsh)' >> ~/.zshrc       # after compinit
  $ tenon completion fish > ~/.config/fish/completions/tenon.fish`;
