import { enableCompileCache } from "./startup/compile-cache.js";
import { setV8Flags } from "./startup/v8-flags.js";
import { run } from "./program.js";
import { exitWith, reportEarlyExit } from "./terminal/exit.js";
import { processTerminal } from "./terminal/terminal.js";

setV8Flags();
enableCompileCache();
const terminal = processTerminal(process);
const endCommand = reportEarlyExit(terminal);
const exitCode = await run(process.argv.slice(2), terminal);
endCommand();
await exitWith(exitCode, terminal);
