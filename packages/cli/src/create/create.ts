import { resolve } from "node:path";
import { getUserAgent } from "package-manager-detector";
import type { AgentName } from "package-manager-detector";
import { CancelledError } from "./cancelled-error.js";
import { findTenonPackages } from "./checkout.js";
import type { CreateContext } from "./context.js";
import { toManagerCommand } from "./package-manager.js";
import { createAnimatedProgress, createPlainProgress } from "./progress.js";
import { quoteWord } from "../terminal/quote-word.js";
import { runProgram } from "./run-program.js";
import { STEPS } from "./steps.js";
import { findTemplate, findTemplates } from "./templates.js";
import { terminalPrompts } from "./terminal-prompts.js";
import { handleInterruptions } from "../terminal/interruption.js";
import type { Terminal } from "../terminal/terminal.js";

/** The options of `tenon create`. */
export interface CreateOptions {
  /** Whether to use defaults instead of prompts. */
  yes?: boolean;
  template?: string;
  /** The name of the package. */
  name?: string;
  /** Whether to install, build, and make a call. If it is absent, the user is prompted. */
  install?: boolean;
  /** Whether to create a Git repository. If it is absent, the user is prompted. */
  git?: boolean;
  /** The package manager, instead of the one that started this program. */
  packageManager?: AgentName;
}

/** Runs `tenon create [dir]` and `npm create mcp-server [dir]`. Returns the exit code. */
export async function create(
  terminal: Terminal,
  folder: string | undefined,
  options: CreateOptions,
): Promise<number> {
  const templates = findTemplates();
  const interruption = handleInterruptions();
  const context: CreateContext = {
    cwd: terminal.cwd,
    yes: options.yes ?? !terminal.interactive,
    prompts: terminalPrompts,
    progress: terminal.interactive ? createAnimatedProgress(terminal.out) : createPlainProgress(terminal.out),
    run: runProgram,
    templates,
    packageManager: options.packageManager ?? getUserAgent() ?? "npm",
    tenon: findTenonPackages(runProgram),
    ...(folder !== undefined && { folder: resolve(terminal.cwd, folder) }),
    ...(options.name !== undefined && { name: options.name }),
    ...(options.template !== undefined && { template: findTemplate(templates, options.template) }),
    ...(options.install !== undefined && { install: options.install }),
    ...(options.git !== undefined && { git: options.git }),
    signal: interruption.signal,
  };
  context.progress.intro("A new MCP server");
  if (!options.yes && !terminal.interactive)
    context.progress.note("Using the defaults, because this terminal is not interactive.");
  try {
    for (const step of STEPS) await step(context);
    return 0;
  } catch (error) {
    const isCancelled = error instanceof CancelledError;
    if (!isCancelled && !interruption.signal.aborted) throw error;
    context.progress.outro(formatCancellation(context));
    return interruption.exitCode;
  } finally {
    interruption.release();
  }
}

/** Formats the message for an interrupted command: what exists, and how to continue. */
function formatCancellation({
  written,
  installed,
  shownFolder = ".",
  packageManager,
}: CreateContext): string {
  if (!written) return "Cancelled. Nothing was written.";
  const run = (command: string): string =>
    shownFolder === "." ? `\`${command}\`` : `\`cd ${quoteWord(shownFolder)}\` and \`${command}\``;
  const folder = shownFolder === "." ? "this folder" : shownFolder;
  if (!installed)
    return `Cancelled. The files in ${folder} are complete, but the packages are not installed. Continue with ${run(`${packageManager} install`)}, or remove the folder.`;
  return `Cancelled. The files in ${folder} are complete, and the packages are installed. Continue with ${run(toManagerCommand(packageManager, "run", ["build"]))}, or remove the folder.`;
}
