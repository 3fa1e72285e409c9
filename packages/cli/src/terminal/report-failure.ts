import { CommanderError } from "commander";
import { Failure } from "./failure.js";
import type { Terminal } from "./terminal.js";

const OK = 0;
const FAILED = 1;
const USAGE = 2;

/** Prints what went wrong, in one form for every command, and returns the exit code. */
export function reportFailure(error: unknown, { err }: Pick<Terminal, "err">): number {
  const { paint } = err;
  if (error instanceof CommanderError) return error.exitCode === OK ? OK : USAGE;
  if (error instanceof Failure) {
    err.write(`${paint.red("error")}  ${error.message}\n`);
    if (error.hint) err.write(`${paint.cyan("hint")}   ${error.hint}\n`);
    return error.exitCode;
  }
  const details = error instanceof Error ? (error.stack ?? error.message) : String(error);
  err.write(
    `${paint.red("error")}  This is a bug in Tenon, not in your project. Please report it.\n${details}\n`,
  );
  return FAILED;
}
