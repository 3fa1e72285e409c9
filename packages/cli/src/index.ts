export { buildProject } from "./project/build-project.js";
export type { BuildProjectOptions, BuiltProject } from "./project/build-project.js";
export { runCreate } from "./create-program.js";
export { exitWith } from "./terminal/exit.js";
export { run } from "./program.js";
export { processTerminal } from "./terminal/terminal.js";
export type { Paint, Sink, Terminal } from "./terminal/terminal.js";
