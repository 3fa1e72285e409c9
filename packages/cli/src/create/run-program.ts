import spawn, { SubprocessError } from "nano-spawn";
import type { RunProgram } from "./context.js";

/** Nothing is read from the terminal: a program that asks a question gets no answer rather than hang. */
export const runProgram: RunProgram = async (program, args, { cwd }) => {
  try {
    const { output } = await spawn(program, args, { cwd, stdin: "ignore", env: unsetCallerVariables() });
    return { exitCode: 0, output };
  } catch (error) {
    if (!(error instanceof SubprocessError)) throw error;
    return { exitCode: error.exitCode ?? 1, output: error.output || reasonOf(error) };
  }
};

/**
 * Removes the variables that `npm create` and `npx` set for the programs they start: they name the folder of the
 * caller, and would send the new project's installation there.
 */
function unsetCallerVariables(): Record<string, undefined> {
  const inherited =
    /^(?:npm_(?:package|lifecycle|command|config_local_prefix|config_prefix|config_yes)|INIT_CWD$)/;
  const names = Object.keys(process.env).filter((name) => inherited.test(name));
  return Object.fromEntries(names.map((name) => [name, undefined]));
}

/** Why a program could not be started. */
function reasonOf({ message, cause }: SubprocessError): string {
  return cause instanceof Error ? cause.message : message;
}
