import { formatError, formatHint } from "./error-lines.js";
import type { Terminal } from "./terminal.js";

/**
 * Makes the command fail, with a message, if the process exits before the command is done: the project's code runs in this
 * process, and may call `process.exit(0)`.
 *
 * @returns the function to call when the command is done
 */
export function reportEarlyExit({ err }: Pick<Terminal, "err">): () => void {
  const report = (exitCode: number): void => {
    err.write(formatError(`The process exited with code ${exitCode} before the command was done.`, err));
    err.write(formatHint("If the project calls `process.exit`, throw an error instead.", err));
    process.exitCode = exitCode || 1;
  };
  process.once("exit", report);
  return () => process.off("exit", report);
}

/**
 * Exits when all output has been flushed. The process would not end by itself if the user's handlers left timers or
 * connections open.
 */
export async function exitWith(exitCode: number, terminal: Pick<Terminal, "out" | "err">): Promise<never> {
  await Promise.all([terminal.out.flush(), terminal.err.flush()]);
  const { failure } = terminal.out;
  if (failure !== undefined) {
    terminal.err.write(`The output could not be written: ${failure.message}\n`);
    await terminal.err.flush();
  }
  process.exit(failure === undefined ? exitCode : exitCode || 1);
}
