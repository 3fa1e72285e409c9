/** The exit codes that shells report for programs ended by these signals. */
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const;

/** A request by the user or the system to stop this process. */
export interface Interruption {
  /** Aborted by the first signal. The second ends the process immediately. */
  signal: AbortSignal;
  /** The exit code of the process after `signal` is aborted. */
  readonly exitCode: number;
  /** Restores the default handling of signals. */
  release(): void;
}

/** Handles Ctrl-C and SIGTERM from now on, so that the command can clean up. */
export function handleInterruptions(): Interruption {
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
