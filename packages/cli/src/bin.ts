import { keepCompiledCode } from "./code-cache.js";
import { exitWith } from "./exit.js";
import { optimizeLate } from "./optimize-late.js";
import { run } from "./program.js";
import { processTerminal } from "./terminal.js";

optimizeLate();
keepCompiledCode();
const terminal = processTerminal(process);
await exitWith(await run(process.argv.slice(2), terminal), terminal);
