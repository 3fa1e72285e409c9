/**
 * Under a global symbol, so that any copy of this package finds what another one put aside. `stdout-write.ts` repeats
 * it rather than importing it: a server begins with this module, and nothing else should have to be loaded for it.
 */
const REAL_WRITE = Symbol.for("tenon.stdout.write");

type Write = typeof process.stdout.write;

/**
 * Keeps stdout for the wire: from here on, `console.*`, `process.stdout.write` and streams piped into
 * `process.stdout` end up on stderr. What cannot be written is lost. Must run before any code of the user is loaded.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports#stdio
 */
export function guardStdout(): void {
  const { stdout, stderr } = process;
  const guarded = stdout as typeof stdout & { [REAL_WRITE]?: Write };
  if (guarded[REAL_WRITE] !== undefined) return;
  // Once the host is gone every write fails, and an `error` event that nobody listens to is an uncaught exception.
  // `stderr-write.ts` repeats this for the same reason as above.
  for (const stream of [stdout, stderr]) stream.on("error", () => {});
  guarded[REAL_WRITE] = stdout.write.bind(stdout) as Write;
  stdout.write = stderr.write.bind(stderr) as Write;
  // Ending stdout would end the conversation, whoever asks for it.
  stdout.end = ((...args: unknown[]) => {
    const callback = args.find((each) => typeof each === "function") as (() => void) | undefined;
    if (callback !== undefined) process.nextTick(callback);
    return stdout;
  }) as typeof stdout.end;
  // Every method of the console writes through the streams; these are replaced too, for consoles that do not.
  const { console: target } = globalThis;
  const toStderr = target.error.bind(target);
  Object.assign(target, { log: toStderr, info: toStderr, debug: toStderr });
}
