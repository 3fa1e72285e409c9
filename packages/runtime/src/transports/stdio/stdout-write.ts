/** Where `guardStdout` puts the stream's own write. */
const REAL_WRITE = Symbol.for("tenon.stdout.write");

type Write = typeof process.stdout.write;

/** The write that reaches stdout, guarded or not. */
export function stdoutWrite(): Write {
  const guarded = process.stdout as typeof process.stdout & { [REAL_WRITE]?: Write };
  return guarded[REAL_WRITE] ?? (process.stdout.write.bind(process.stdout) as Write);
}
