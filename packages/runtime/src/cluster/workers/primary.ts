/**
 * Runs the primary process of `--workers`. It serves no clients and loads none of the author's code. It starts the
 * workers, which share its port, replaces those that end, and stops all of them on request.
 * @module
 */
import cluster from "node:cluster";
import { randomBytes } from "node:crypto";
import { availableParallelism } from "node:os";
import type { ServingWorker } from "../../serve.js";
import { createServingWorker } from "./worker.js";
import { TEMPORARY_KEYS } from "../temporary-keys.js";
import { getWorkerNumber } from "../../observe/metrics/worker-number.js";
import { exitWhenWritten } from "../../observe/log/stderr-write.js";
import { WorkerPool } from "./worker-pool.js";

/**
 * Becomes the primary process if the command line contains `--workers`, and then never returns: the process exits after
 * its workers.
 *
 * @param argv the arguments after the script's name
 * @returns immediately in a worker; undefined for a command line that `serve` handles or rejects
 */
export async function startWorkers(argv: readonly string[]): Promise<ServingWorker | undefined> {
  const number = getWorkerNumber();
  const count = readWorkerCount(argv);
  if (number !== undefined) return createServingWorker(number, count ?? 1);
  if (count === undefined || !argv.includes("--http")) return undefined;
  cluster.setupPrimary({ stdio: ["ignore", "inherit", "pipe", "ipc"] });
  // State that one worker has encrypted may reach another.
  const { TENON_STATE_KEYS: keys = "" } = process.env;
  const pool = new WorkerPool(
    count,
    keys.trim() === ""
      ? { TENON_STATE_KEYS: randomBytes(32).toString("base64"), [TEMPORARY_KEYS]: "true" }
      : { TENON_STATE_KEYS: keys },
  );
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, (name: string) => pool.stop(name));
  return exitWhenWritten(await pool.ended);
}

/** Returns the number of workers; undefined if it is invalid or absent. */
function readWorkerCount(argv: readonly string[]): number | undefined {
  const at = argv.findIndex((each) => /^--workers(?:=|$)/.test(each));
  const text = argv[at]?.split("=")[1] ?? argv[at + 1] ?? "";
  if (text === "auto") return availableParallelism();
  return /^[1-9]\d{0,3}$/.test(text) ? Number(text) : undefined;
}
