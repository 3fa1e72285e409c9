/** Loaded first by a process whose exit code nobody gets to see: it is left in the file that `EXIT_FILE` names. */
import { writeFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

const { EXIT_FILE = "" } = process.env;
if (isMainThread) process.on("exit", (code) => writeFileSync(EXIT_FILE, String(code)));
