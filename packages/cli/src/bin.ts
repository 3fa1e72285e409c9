import { keepCompiledCode } from "./startup/code-cache.js";
import { exitWith } from "./terminal/exit.js";
import { optimizeLate } from "./startup/v8-flags.js";
import { run } from "./program.js";
import { processTerminal } from "./terminal/terminal.js";

optimizeLate();
keepCompiledCode();
const terminal = processTerminal(process);
await exitWith(await run(process.argv.slice(2), terminal), terminal);
