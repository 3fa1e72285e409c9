import { CommanderError } from "commander";
import { Failure } from "./failure.js";
import { systemFailure } from "./system-error.js";
import type { Terminal } from "./terminal.js";

const OK = 0;
const FAILED = 1;
const USAGE = 2;

/** Prints what went wrong, in one form for every command, and returns the exit code. */
export function reportFailure(error: unknown, { err }: Pick<Terminal, "err">): number {
  const { paint } = err;
  if (error instanceof CommanderError) return error.exitCode === OK ? OK : USAGE;
  const failure = error instanceof Failure ? error : systemFailure(error);
  if (failure) {
    err.write(`${paint.red("error")}  ${failure.message}\n`);
    if (failure.hint) err.write(`${paint.cyan("hint")}   ${failure.hint}\n`);
    return failure.exitCode;
  }
  const details = error instanceof Error ? (error.stack ?? error.message) : String(error);
  err.write(
    `${paint.red("error")}  This is a bug in Tenon, not in your project. Please report it.\n${details}\n`,
  );
  return FAILED;
}
