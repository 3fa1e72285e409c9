/**
 * The key of the original `write`. It is a global symbol, so that all copies of this package share it.
 * `stdout-write.ts` repeats it instead of importing it: a server begins with this module, which must not load others.
 */
const REAL_WRITE = Symbol.for("tenon.stdout.write");

type Write = typeof process.stdout.write;

/**
 * Reserves stdout for the protocol: `console.*`, `process.stdout.write`, and streams piped into `process.stdout` write
 * to stderr from now on. Output that cannot be written is lost. Must run before any of the user's code is loaded.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports#stdio
 */
export function guardStdout(): void {
  const { stdout, stderr } = process;
  const guarded = stdout as typeof stdout & { [REAL_WRITE]?: Write };
  if (guarded[REAL_WRITE] !== undefined) return;
  // After the host has exited, every write fails, and an `error` event without a listener is an uncaught exception.
  // `stderr-write.ts` repeats this for the same reason as above.
  for (const stream of [stdout, stderr]) stream.on("error", () => {});
  guarded[REAL_WRITE] = stdout.write.bind(stdout) as Write;
  stdout.write = stderr.write.bind(stderr) as Write;
  // Ending stdout would end the connection.
  stdout.end = ((...args: unknown[]) => {
    const callback = args.find((each) => typeof each === "function") as (() => void) | undefined;
    if (callback !== undefined) process.nextTick(callback);
    return stdout;
  }) as typeof stdout.end;
  // Some consoles do not write through the streams, so their methods are replaced too.
  const { console: target } = globalThis;
  const toStderr = target.error.bind(target);
  Object.assign(target, { log: toStderr, info: toStderr, debug: toStderr });
}
