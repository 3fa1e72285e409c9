import type { Command } from "commander";
import { errorLines, hintLines } from "./error-lines.js";
import { reportFailure } from "./report-failure.js";
import type { Sink, Terminal } from "./terminal.js";

/** What every command is given. */
export interface CommandContext {
  terminal: Terminal;
  /** Called once, when the command has ended: 0 when all is well, 1 after a failure that was printed. */
  finish(exitCode: number): void;
  /** How many of the last words stand behind `--`: a program that a server is started by, and its own arguments. */
  readonly behindDashes: number;
}

/**
 * Runs one command line to its end, and prints what failed.
 *
 * @param args without the program's own name
 * @param createProgram makes the program whose command line it is
 * @returns the exit code
 */
export async function runCommandLine(
  args: readonly string[],
  terminal: Terminal,
  createProgram: (context: CommandContext) => Command,
): Promise<number> {
  let exitCode = 0;
  const finish = (code: number): void => {
    exitCode = code;
  };
  try {
    const dashes = args.indexOf("--");
    const behindDashes = dashes < 0 ? 0 : args.length - dashes - 1;
    await createProgram({ terminal, finish, behindDashes }).parseAsync(args, { from: "user" });
    return exitCode;
  } catch (error) {
    return reportFailure(error, terminal);
  }
}

/** Makes commander print to the terminal, and throw where it would exit. */
export function attachTerminal(command: Command, { out, err }: Terminal): Command {
  return command
    .exitOverride()
    .showSuggestionAfterError(true)
    .configureHelp({
      subcommandTerm: (each) => each.name(),
      visibleArguments: ({ registeredArguments }) =>
        registeredArguments.filter(({ description }) => description !== ""),
    })
    .configureOutput({
      writeOut: (text) => out.write(text),
      writeErr: (text) => err.write(text),
      outputError: (text) => err.write(usageErrorText(text, err)),
      getOutHasColors: () => out.color,
      getErrHasColors: () => err.color,
      getOutHelpWidth: () => out.columns,
      getErrHelpWidth: () => err.columns,
    });
}

/**
 * What commander says of a command line that makes no sense, in the form of every other error.
 *
 * @example
 * usageErrorText("error: unknown option '--prot'\n(Did you mean --port?)\n", err)
 * // error  Unknown option `--prot`.
 * // hint   Did you mean --port?
 */
function usageErrorText(text: string, err: Sink): string {
  const [message = "", suggestion] = text.trimEnd().split(/\n\(|\)$/);
  const words = message.replace(/^error: /, "").replaceAll(/(^|[\s(])'([^']*)'/g, "$1`$2`");
  const sentence = words.charAt(0).toUpperCase() + words.slice(1);
  const hint = suggestion === undefined ? "" : hintLines(suggestion, err);
  return errorLines(`${sentence}${/[.?!]$/.test(sentence) ? "" : "."}`, err) + hint;
}
