/** The property in which `guardStdout` stores the original `write`. */
const REAL_WRITE = Symbol.for("tenon.stdout.write");

type Write = typeof process.stdout.write;

/** Returns the original `process.stdout.write`, even after `guardStdout` has replaced it. */
export function getStdoutWrite(): Write {
  const guarded = process.stdout as typeof process.stdout & { [REAL_WRITE]?: Write };
  return guarded[REAL_WRITE] ?? (process.stdout.write.bind(process.stdout) as Write);
}
