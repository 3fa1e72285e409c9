const ignore = (): void => {};

/**
 * Writes to stderr, if anybody is left to read it, and never fails. What cannot be written is lost: a failed write
 * that nobody listened to would become an uncaught exception, whose report would have to be written to stderr, and so
 * on for ever. `stdout-guard.ts` does the same for what the author's code writes.
 */
export function writeStderr(text: string): void {
  const { stderr } = process;
  // Looked at each time: the author's code may have removed all listeners.
  if (!stderr.listeners("error").includes(ignore)) stderr.on("error", ignore);
  stderr.write(text);
}
