export { buildProject } from "./build-project.js";
export type { BuildProjectOptions, BuiltProject } from "./build-project.js";
export { runCreate } from "./create.js";
export { exitWith } from "./exit.js";
export { run } from "./program.js";
export { processTerminal } from "./terminal.js";
export type { Paint, Sink, Terminal } from "./terminal.js";
