/**
 * `--workers`: the first process serves nobody and loads none of the author's code. It starts the others, which share its
 * port, starts those again that end, and stops all of them when it is told to.
 * @module
 */
import cluster from "node:cluster";
import { randomBytes } from "node:crypto";
import { availableParallelism } from "node:os";
import { servingWorker, type ServingWorker } from "./worker.js";
import { workerNumber } from "./worker-number.js";
import { WorkerPool } from "./worker-pool.js";

/**
 * Becomes the first process if `--workers` says so, and never returns then: it ends with the workers.
 *
 * @param argv what follows the script's name on the command line
 * @returns at once in a worker; nothing for a command line that `serve` will have to refuse
 */
export async function startWorkers(argv: readonly string[]): Promise<ServingWorker | undefined> {
  const number = workerNumber();
  if (number !== undefined) return servingWorker(number);
  const count = workerCount(argv);
  if (count === undefined || !argv.includes("--http")) return undefined;
  cluster.setupPrimary({ stdio: ["ignore", "inherit", "pipe", "ipc"] });
  // States that one worker has encrypted come back to another.
  const { TENON_STATE_KEYS: keys = "" } = process.env;
  const pool = new WorkerPool(count, {
    TENON_STATE_KEYS: keys.trim() === "" ? randomBytes(32).toString("base64") : keys,
  });
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, (name: string) => pool.stop(name));
  process.exit(await pool.ended);
}

/** How many are asked for; `undefined` for what is no such number. */
function workerCount(argv: readonly string[]): number | undefined {
  const at = argv.findIndex((each) => /^--workers(?:=|$)/.test(each));
  const text = argv[at]?.split("=")[1] ?? argv[at + 1] ?? "";
  if (text === "auto") return availableParallelism();
  return /^[1-9]\d{0,3}$/.test(text) ? Number(text) : undefined;
}
