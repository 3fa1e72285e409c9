import type { Terminal } from "./terminal.js";

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
