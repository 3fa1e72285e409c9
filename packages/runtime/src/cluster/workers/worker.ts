import type { ServingWorker } from "../../serve.js";
import type { FromWorker, ToWorker } from "./messages.js";

const SSE_NEEDS_ONE_PROCESS =
  "Clients of HTTP+SSE will receive 404: their messages reach any worker, but only the one with their stream knows their " +
  "session. Serve HTTP+SSE from a process without --workers.";

/**
 * Creates the connection of a worker to the process that started it.
 *
 * @param count the number of workers
 */
export function createServingWorker(number: number, count: number): ServingWorker {
  const check: ServingWorker["check"] = ({ http, log }, { sse = http.sse }) => {
    if (count > 1 && sse === true) log({ level: "warn", event: "warning", msg: SSE_NEEDS_ONE_PROCESS });
  };
  return { number, join, check };
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
