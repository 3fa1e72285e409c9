import type { Terminal } from "./terminal.js";

/**
 * Ends the process once everything printed is on its way. Handlers the user wrote may have left timers and
 * connections open, so the process would not end by itself.
 */
export async function exitWith(exitCode: number, terminal: Pick<Terminal, "out" | "err">): Promise<never> {
  await Promise.all([terminal.out.flush(), terminal.err.flush()]);
  const { failure } = terminal.out;
  if (failure !== undefined) {
    terminal.err.write(`The output cannot be written: ${failure.message}\n`);
    await terminal.err.flush();
  }
  process.exit(failure === undefined ? exitCode : exitCode || 1);
}
