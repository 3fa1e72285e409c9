/** Loaded first by a process without a parent: writes its exit code to the file that `EXIT_FILE` names. */
import { writeFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

const { EXIT_FILE = "" } = process.env;
if (isMainThread) process.on("exit", (code) => writeFileSync(EXIT_FILE, String(code)));
