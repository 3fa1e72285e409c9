import { exitWith, processTerminal, runCreate } from "@tenon/cli/create";

const terminal = processTerminal(process);
await exitWith(await runCreate(process.argv.slice(2), terminal), terminal);
