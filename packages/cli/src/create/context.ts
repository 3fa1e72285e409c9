import type { AgentName } from "package-manager-detector";
import type { Template } from "./templates.js";

/** The state that the steps of `create` share. Each step declares the members that it uses, so that tests provide only those. */
export interface CreateContext {
  /** The current folder, absolute. */
  cwd: string;
  /** Whether to use defaults instead of prompts. */
  yes: boolean;
  prompts: Prompts;
  progress: Progress;
  run: RunProgram;
  /** The templates to choose from, the default first. */
  templates: readonly Template[];
  /** The package manager of the new project. By default, the one that started this program. */
  packageManager: AgentName;
  /** The source of Tenon's packages. */
  tenon: TenonPackages;

  /** The project folder, absolute. */
  folder?: string;
  /** The name of the package. */
  name?: string;
  template?: Template;
  /** Whether to install the dependencies. */
  install?: boolean;
  /** Whether to create a Git repository. */
  git?: boolean;
  /** The project folder relative to `cwd`, for commands. */
  shownFolder?: string;

  /** Aborted when the user interrupts the command. */
  signal: AbortSignal;
  /** Whether the files have been written. */
  written?: boolean;
  /** Whether the dependencies have been installed. */
  installed?: boolean;
}

/** Prompts. Each returns undefined if the user cancels it. */
export interface Prompts {
  text(question: {
    message: string;
    placeholder: string;
    validate: (value: string) => string | undefined;
  }): Promise<string | undefined>;
  select(question: {
    message: string;
    options: { value: string; label: string; hint: string }[];
  }): Promise<string | undefined>;
  confirm(question: { message: string }): Promise<boolean | undefined>;
}

/** A report of the steps while they run. */
export interface Progress {
  /** Prints the title. */
  intro(text: string): void;
  /** Prints information between steps. */
  note(text: string): void;
  /** Shows a label while `work` runs, then the line that `done` returns. */
  task<T>(label: string, work: () => Promise<T>, done: (result: T) => string): Promise<T>;
  /** Prints lines with a title. */
  block(title: string, lines: readonly string[]): void;
  /** Prints the last line. */
  outro(text: string): void;
}

/** Runs a program to its end, with standard output and error combined. */
export type RunProgram = (
  program: string,
  args: readonly string[],
  options: { cwd: string; signal?: AbortSignal },
) => Promise<ProgramResult>;

/** The result of a program that has ended. */
export interface ProgramResult {
  exitCode: number;
  /** The combined output. */
  output: string;
}

/** The source of Tenon's packages for a new project. */
export interface TenonPackages {
  /** The version of this program. */
  version: string;
  /** Copies the packages into the project and returns their specifiers by name. Absent if the registry has them. */
  provide?(folder: string, signal?: AbortSignal): Promise<Record<string, string>>;
}
