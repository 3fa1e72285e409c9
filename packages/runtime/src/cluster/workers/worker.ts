import type { ServingWorker } from "../../serve.js";
import type { FromWorker, ToWorker } from "./messages.js";

/** Creates the connection of a worker to the process that started it. */
export function createServingWorker(number: number): ServingWorker {
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
