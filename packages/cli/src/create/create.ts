import { resolve } from "node:path";
import { getUserAgent } from "package-manager-detector";
import { Cancelled } from "./cancelled.js";
import { tenonPackages } from "./checkout.js";
import type { CreateContext } from "./context.js";
import { animatedProgress, plainProgress } from "./progress.js";
import { runProgram } from "./run-program.js";
import { steps } from "./steps.js";
import { findTemplate, findTemplates } from "./templates.js";
import { terminalPrompts } from "./terminal-prompts.js";
import type { Terminal } from "../terminal/terminal.js";

export interface CreateOptions {
  /** Ask nothing. */
  yes?: boolean;
  template?: string;
  /** The package's name. */
  name?: string;
  /** Install, build and make a call. Asked for when absent. */
  install?: boolean;
}

/** `tenon create [dir]` and `npm create mcp-server [dir]`: from nothing to an answered call. */
export async function create(
  terminal: Terminal,
  folder: string | undefined,
  options: CreateOptions,
): Promise<number> {
  const templates = findTemplates();
  const context: CreateContext = {
    cwd: terminal.cwd,
    yes: options.yes ?? !terminal.interactive,
    prompts: terminalPrompts,
    progress: terminal.interactive ? animatedProgress(terminal.out) : plainProgress(terminal.out),
    run: runProgram,
    templates,
    packageManager: getUserAgent() ?? "npm",
    tenon: tenonPackages(runProgram),
    ...(folder !== undefined && { folder: resolve(terminal.cwd, folder) }),
    ...(options.name !== undefined && { name: options.name }),
    ...(options.template !== undefined && { template: findTemplate(templates, options.template) }),
    ...(options.install !== undefined && { install: options.install }),
  };
  context.progress.intro("A new MCP server");
  if (!options.yes && !terminal.interactive)
    context.progress.note("No questions can be asked here, so the defaults are used.");
  try {
    for (const step of steps) await step(context);
    return 0;
  } catch (error) {
    if (!(error instanceof Cancelled)) throw error;
    context.progress.outro("Cancelled. Nothing was written.");
    return 1;
  }
}
