import type { FromWorker, ToWorker } from "./messages.js";

/** One of the processes of `--workers`, as it begins to serve. */
export interface ServingWorker {
  /** From 1 on. What all of them do, the first of them says. */
  readonly number: number;
  /**
   * Tells the process that has started this one that it serves, and hears from it when to stop.
   *
   * A signal stops a worker, too, and any number of them does no more than one: Ctrl-C and service managers signal all
   * processes of a group, and what a second one means is for the first process to say.
   *
   * @param stopsWithinMs how long it may take at most to stop
   * @param stop called once
   * @returns what this one is started again for, if it is
   */
  join(stopsWithinMs: number, stop: (signal: string) => void): Promise<string | undefined>;
}

export function servingWorker(number: number): ServingWorker {
  return { number, join };
}

function join(stopsWithinMs: number, stop: (signal: string) => void): Promise<string | undefined> {
  let isStopping = false;
  const stopOnce = (signal: string): void => {
    if (isStopping) return;
    isStopping = true;
    stop(signal);
  };
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, stopOnce);
  return new Promise((resolve) => {
    process.on("message", (message: ToWorker) => {
      if (message.tenon === "stop") stopOnce(message.signal);
      else if (message.tenon === "welcome") resolve(message.replaces);
    });
    const serving: FromWorker = { tenon: "serving", stopsWithinMs };
    process.send?.(serving);
  });
}
