/**
 * The thread behind `CompilerThread`.
 * @module
 */
import { parentPort, workerData } from "node:worker_threads";
import { createCompileJob } from "./compile-job.js";
import type { FromThread, ThreadData, ToThread } from "./compiler-thread.js";

if (!parentPort) throw new TypeError("This module runs in a thread of its own.");
const port = parentPort;

const job = createCompileJob(workerData as ThreadData, (message: FromThread) => port.postMessage(message));

port.on("message", (message: ToThread) => {
  if ("compile" in message) void job(message.compile);
  else port.close();
});
