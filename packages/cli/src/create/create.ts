import { resolve } from "node:path";
import { getUserAgent } from "package-manager-detector";
import type { AgentName } from "package-manager-detector";
import { Cancelled } from "./cancelled.js";
import { tenonPackages } from "./checkout.js";
import type { CreateContext } from "./context.js";
import { packageManagerCommand } from "./package-manager.js";
import { animatedProgress, plainProgress } from "./progress.js";
import { quoteWord } from "./quote-word.js";
import { runProgram } from "./run-program.js";
import { steps } from "./steps.js";
import { findTemplate, findTemplates } from "./templates.js";
import { terminalPrompts } from "./terminal-prompts.js";
import { takeInterruptions } from "../terminal/interruption.js";
import type { Terminal } from "../terminal/terminal.js";

export interface CreateOptions {
  /** Ask nothing. */
  yes?: boolean;
  template?: string;
  /** The package's name. */
  name?: string;
  /** Install, build and make a call. Asked for when absent. */
  install?: boolean;
  /** Make a git repository. Asked for when absent. */
  git?: boolean;
  /** Instead of the one that started this program. */
  packageManager?: AgentName;
}

/** `tenon create [dir]` and `npm create mcp-server [dir]`: from nothing to an answered call. */
export async function create(
  terminal: Terminal,
  folder: string | undefined,
  options: CreateOptions,
): Promise<number> {
  const templates = findTemplates();
  const interruption = takeInterruptions();
  const context: CreateContext = {
    cwd: terminal.cwd,
    yes: options.yes ?? !terminal.interactive,
    prompts: terminalPrompts,
    progress: terminal.interactive ? animatedProgress(terminal.out) : plainProgress(terminal.out),
    run: runProgram,
    templates,
    packageManager: options.packageManager ?? getUserAgent() ?? "npm",
    tenon: tenonPackages(runProgram),
    ...(folder !== undefined && { folder: resolve(terminal.cwd, folder) }),
    ...(options.name !== undefined && { name: options.name }),
    ...(options.template !== undefined && { template: findTemplate(templates, options.template) }),
    ...(options.install !== undefined && { install: options.install }),
    ...(options.git !== undefined && { git: options.git }),
    signal: interruption.signal,
  };
  context.progress.intro("A new MCP server");
  if (!options.yes && !terminal.interactive)
    context.progress.note("No questions can be asked here, so the defaults are used.");
  try {
    for (const step of steps) await step(context);
    return 0;
  } catch (error) {
    const isCancelled = error instanceof Cancelled;
    if (!isCancelled && !interruption.signal.aborted) throw error;
    context.progress.outro(whatIsLeft(context));
    return interruption.exitCode;
  } finally {
    interruption.release();
  }
}

/** What somebody who stopped half-way finds, and how to go on. */
function whatIsLeft({ written, installed, shownFolder = ".", packageManager }: CreateContext): string {
  if (!written) return "Cancelled. Nothing was written.";
  const run = (command: string): string =>
    shownFolder === "." ? `\`${command}\`` : `\`cd ${quoteWord(shownFolder)}\` and \`${command}\``;
  const folder = shownFolder === "." ? "this folder" : shownFolder;
  if (!installed)
    return `Cancelled. The files in ${folder} are complete; its packages are not installed. Go on with ${run(`${packageManager} install`)}, or remove the folder.`;
  return `Cancelled. ${folder} is written and installed. Go on with ${run(packageManagerCommand(packageManager, "run", ["build"]))}, or remove the folder.`;
}
