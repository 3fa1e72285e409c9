const ignore = (): void => {};

/**
 * Writes to stderr and never fails. A string that cannot be written is lost: a failed write without a listener would
 * become an uncaught exception, whose report would go to stderr again, and so on forever. `stdout-guard.ts` does the
 * same for the author's code.
 */
export function writeStderr(text: string): void {
  const { stderr } = process;
  // Checked each time, since the author's code may have removed all listeners.
  if (!stderr.listeners("error").includes(ignore)) stderr.on("error", ignore);
  stderr.write(text);
}

/** The time in which a slow reader of stderr can receive the last output of a process, in milliseconds. */
const LAST_OUTPUT_MS = 2000;

/** Ends the process when stderr has been written. Node discards output that its reader has no room for yet. */
export function exitWhenWritten(code: number): Promise<never> {
  return new Promise(() => {
    const exit = (): void => process.exit(code);
    setTimeout(exit, LAST_OUTPUT_MS);
    process.stderr.write("", exit);
  });
}
