import type { AgentName } from "package-manager-detector";
import type { Template } from "./templates.js";

/** Everything the steps of `create` share. A step names the part it uses, so a test passes just that. */
export interface CreateContext {
  /** The folder the command was started in, absolute. */
  cwd: string;
  /** Nobody is asked; what the command line leaves open is chosen. */
  yes: boolean;
  prompts: Prompts;
  progress: Progress;
  run: RunProgram;
  /** What people can choose from, the default first. */
  templates: readonly Template[];
  /** The program that started this one, and therefore installs. */
  packageManager: AgentName;
  /** What the new project will ask for, by package name. */
  tenon: TenonPackages;

  /** Absolute. From the command line, or asked for. */
  folder?: string;
  /** The package's name. */
  name?: string;
  template?: Template;
  install?: boolean;
  /** Make a git repository of it. */
  git?: boolean;
  /** The path of the project for use in a command, seen from `cwd`. */
  shownFolder?: string;

  /** Aborted when the person at the terminal wants to stop. */
  signal: AbortSignal;
  /** How far the project has come. */
  written?: boolean;
  installed?: boolean;
}

/** Questions. An answer of `undefined` means the person gave up. */
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

/** Reports each step while it runs. */
export interface Progress {
  /** Opens the conversation. */
  intro(text: string): void;
  note(text: string): void;
  /** Shows that something takes a while; `done` turns the result into the line that remains. */
  task<T>(label: string, work: () => Promise<T>, done: (result: T) => string): Promise<T>;
  /** A titled block of lines. */
  block(title: string, lines: readonly string[]): void;
  outro(text: string): void;
}

/** Runs a program to its end. Standard error and output come together, as a person would see them. */
export type RunProgram = (
  program: string,
  args: readonly string[],
  options: { cwd: string; signal?: AbortSignal },
) => Promise<ProgramResult>;

export interface ProgramResult {
  exitCode: number;
  /** Everything it printed. */
  output: string;
}

/** Where a new project gets Tenon's own packages from. */
export interface TenonPackages {
  /** The version this program belongs to. */
  version: string;
  /** Puts the packages where the specifiers point, for a project outside the registry. */
  provide?(folder: string, signal?: AbortSignal): Promise<Record<string, string>>;
}
