import { CommanderError } from "commander";
import { errorLines, hintLines } from "./error-lines.js";
import { Failure } from "./failure.js";
import { systemFailure } from "./system-error.js";
import type { Terminal } from "./terminal.js";

const OK = 0;
const FAILED = 1;
const USAGE = 2;

/** Prints what went wrong, in one form for every command, and returns the exit code. */
export function reportFailure(error: unknown, { err }: Pick<Terminal, "err">): number {
  if (error instanceof CommanderError) return error.exitCode === OK ? OK : USAGE;
  const failure = error instanceof Failure ? error : systemFailure(error);
  if (failure) {
    err.write(errorLines(failure.message, err));
    if (failure.hint) err.write(hintLines(failure.hint, err));
    return failure.exitCode;
  }
  const details = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const what = errorLines("This is a bug in Tenon, not in your project. Please report it.", err);
  err.write(`${what}${details}\n`);
  return FAILED;
}
