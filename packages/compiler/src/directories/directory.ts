import type { ToolEntry } from "@tenon/runtime/manifest";
import type { directoryMessages } from "../diagnostics/directory-messages.js";

/** The public directories of servers whose rules Tenon knows, with the names that messages use. */
export const DIRECTORIES = {
  openai: "OpenAI",
  anthropic: "Anthropic",
  registry: "The MCP registry",
  glama: "Glama",
} as const;

/** The name of a directory in options. */
export type DirectoryName = keyof typeof DIRECTORIES;

/** The directories in display order. */
export const DIRECTORY_NAMES = Object.keys(DIRECTORIES) as DirectoryName[];

/** The code of a diagnostic about a rule of directories. */
export type DirectoryCode = keyof typeof directoryMessages;

/** A rule of directories for each tool. */
export interface ToolRule {
  /** The code of the diagnostic about a tool that breaks it. */
  code: DirectoryCode;
  directories: readonly DirectoryName[];
  /** Returns the parameters of the diagnostic, apart from the tool and the directories; undefined if the tool complies. */
  find(entry: ToolEntry): object | undefined;
}
