/**
 * The thread behind `CompilerThread`.
 * @module
 */
import { parentPort, workerData } from "node:worker_threads";
import { keepCompiledCode } from "../../startup/code-cache.js";
import type { FromThread, ThreadData, ToThread } from "./compiler-thread.js";

if (!parentPort) throw new TypeError("This module runs in a thread of its own.");
const port = parentPort;

// Before the compiler is loaded, because it is about the compiler.
keepCompiledCode();
const { createCompileJob } = await import("./compile-job.js");
const job = createCompileJob(workerData as ThreadData, (message: FromThread) => port.postMessage(message));

port.on("message", (message: ToThread) => {
  if ("compile" in message) void job(message.compile);
  else port.close();
});
