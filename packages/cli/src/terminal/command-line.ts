import type { Command } from "commander";
import { formatError, formatHint } from "./error-lines.js";
import { Failure } from "./failure.js";
import { reportFailure } from "./report-failure.js";
import type { Sink, Terminal } from "./terminal.js";

/** The context that every command receives. */
export interface CommandContext {
  terminal: Terminal;
  /** Called when the command ends, with 0 for success, or 1 if it has printed a failure. */
  finish(exitCode: number): void;
  /** The number of arguments after `--`: the command that starts a server. */
  readonly argsAfterDashes: number;
}

/**
 * Runs one command line and reports its failure, if any.
 *
 * @param args the arguments, without the name of the program
 * @param createProgram creates the program that parses the arguments
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
    // A script in which the variable with the command is empty must not use the project instead.
    if (dashes >= 0 && dashes === args.length - 1)
      throw new Failure("No command follows `--`.", {
        hint: "Write the command that starts the server after it, or omit `--`.",
        exitCode: 2,
      });
    const argsAfterDashes = dashes < 0 ? 0 : args.length - dashes - 1;
    const program = createProgram({ terminal, finish, argsAfterDashes });
    await program.parseAsync(findUnknownCommand(args, program) ?? args, { from: "user" });
    return exitCode;
  } catch (error) {
    return reportFailure(error, terminal);
  }
}

/** Finds an unknown command for which commander would print the help of the program: `help nope` and `nope --help`. */
function findUnknownCommand(args: readonly string[], { commands }: Command): string[] | undefined {
  const name = args[0] === "help" ? args[1] : args[0];
  const isCommand = name === undefined || name.startsWith("-") || name === "help";
  return isCommand || commands.length === 0 || commands.some((each) => each.name() === name)
    ? undefined
    : [name];
}

/** Makes commander print to the terminal, and throw an error instead of exiting. */
export function attachTerminal(command: Command, { out, err }: Terminal): Command {
  return command
    .hook("preAction", (_program, action) => rejectEmptyValues(action))
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
      outputError: (text) => err.write(formatUsageError(text, err)),
      getOutHasColors: () => out.color,
      getErrHasColors: () => err.color,
      getOutHelpWidth: () => out.columns,
      getErrHelpWidth: () => err.columns,
    });
}

/** Rejects empty values, such as those of unset variables in a script, instead of using a default or the current folder. */
function rejectEmptyValues(command: Command): void {
  for (const option of command.options) {
    const values = [command.getOptionValue(option.attributeName())].flat();
    // The answer of a model may be empty.
    if (values.includes("") && option.long !== "--answer")
      throw new Failure(`The value of ${option.long} is empty.`, { exitCode: 2 });
  }
}

/**
 * Formats commander's message for an invalid command line like all other errors.
 *
 * @example
 * formatUsageError("error: unknown option '--prot'\n(Did you mean --port?)\n", err)
 * // error  Unknown option `--prot`.
 * // hint   Did you mean --port?
 */
function formatUsageError(text: string, err: Sink): string {
  const [message = "", suggestion] = text.trimEnd().split(/\n\(|\)$/);
  const plain = message.replace(/^error: /, "").replaceAll(/(^|[\s(])'([^']*)'/g, "$1`$2`");
  const sentence = plain.charAt(0).toUpperCase() + plain.slice(1);
  const hint = suggestion === undefined ? "" : formatHint(suggestion, err);
  return formatError(`${sentence}${/[.?!]$/.test(sentence) ? "" : "."}`, err) + hint;
}
