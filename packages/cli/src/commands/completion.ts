import { Command, Option } from "commander";
import { SHELL_SCRIPTS, SHELLS } from "../completion/shell-scripts.js";
import { Failure } from "../terminal/failure.js";
import type { CommandContext } from "../terminal/command-line.js";
import { unknownName } from "../terminal/unknown-name.js";

/** `tenon completion` */
export function completionCommand({ terminal, finish, behindDashes }: CommandContext): Command {
  return new Command("completion")
    .summary("complete commands by Tab in your shell")
    .description(
      "Prints a script that has your shell complete commands, options, clients and codes, and in a project that has " +
        "been built, its tools, their arguments, prompts and resources.",
    )
    .usage("<shell>")
    .argument("[shell]", `your shell: ${SHELLS.join(", ")}`)
    .argument("[words...]")
    .addOption(new Option("--suggest", "print what may stand in place of the last word behind --").hideHelp())
    .addHelpText("after", EXAMPLES)
    .action(
      async (shell: string | undefined, _: string[], options: { suggest?: boolean }, command: Command) => {
        finish(0);
        if (options.suggest) return void terminal.out.write(await suggestions(command));
        if (shell === undefined) throw new Failure("Name your shell: bash, zsh or fish.", { exitCode: 2 });
        const known = SHELLS.find((each) => each === shell);
        if (known === undefined) throw unknownName("shell", shell, SHELLS, { exitCode: 2 });
        terminal.out.write(SHELL_SCRIPTS[known]);
      },
    );

  async function suggestions(command: Command): Promise<string> {
    const [{ suggest }, { suggestionLines }, { valuesIn }] = await Promise.all([
      import("../completion/suggest.js"),
      import("../completion/suggestions.js"),
      import("../completion/project-values.js"),
    ]);
    const words = behindDashes === 0 ? [] : command.args.slice(-behindDashes);
    return suggestionLines(await suggest(command.parent ?? command, words, valuesIn(terminal.cwd)));
  }
}

const EXAMPLES = `
Where tenon is on your PATH (npm install --global @tenon/cli):

Examples:
  $ echo 'source <(tenon completion bash)' >> ~/.bashrc
  $ echo 'source <(tenon completion zsh)' >> ~/.zshrc       # behind compinit
  $ tenon completion fish > ~/.config/fish/completions/tenon.fish`;
