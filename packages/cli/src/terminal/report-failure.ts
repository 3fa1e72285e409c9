import { CommanderError } from "commander";
import { formatError, formatHint } from "./error-lines.js";
import { Failure } from "./failure.js";
import { toPrintable } from "./printable.js";
import { toSystemFailure } from "./system-error.js";
import type { Terminal } from "./terminal.js";

const OK = 0;
const FAILED = 1;
const USAGE = 2;

/** Prints the failure of a command, and returns the exit code. */
export function reportFailure(error: unknown, { err }: Pick<Terminal, "err">): number {
  if (error instanceof CommanderError) return error.exitCode === OK ? OK : USAGE;
  const failure = error instanceof Failure ? error : toSystemFailure(error);
  if (failure) {
    // Messages quote servers and files.
    err.write(formatError(toPrintable(failure.message), err));
    if (failure.hint) err.write(formatHint(toPrintable(failure.hint), err));
    return failure.exitCode;
  }
  const details = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const heading = formatError("This is a bug in Tenon, not in your project. Please report it.", err);
  err.write(`${heading}${details}\n`);
  return FAILED;
}
