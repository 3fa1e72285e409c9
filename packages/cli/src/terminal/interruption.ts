/** The exit codes that shells give programs ended by these signals. */
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const;

/** Whether the person at the terminal, or the system, has asked this process to stop. */
export interface Interruption {
  /** Aborted by the first request; the second is left to end the process at once. */
  signal: AbortSignal;
  /** What the process should exit with once `signal` is aborted. */
  readonly exitCode: number;
  /** Leaves signals to their default again. */
  release(): void;
}

/** Takes Ctrl-C and SIGTERM from now on, so that what has begun can be tidied up. */
export function takeInterruptions(): Interruption {
  const controller = new AbortController();
  let exitCode: number = EXIT_CODES.SIGINT;
  const stop = (name: keyof typeof EXIT_CODES): void => {
    exitCode = EXIT_CODES[name];
    release();
    controller.abort();
  };
  const release = (): void => {
    process.off("SIGINT", stop);
    process.off("SIGTERM", stop);
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  return {
    signal: controller.signal,
    get exitCode() {
      return exitCode;
    },
    release,
  };
}
