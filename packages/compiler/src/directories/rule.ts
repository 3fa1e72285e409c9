import type { ToolEntry } from "@tenon/runtime/manifest";
import type { directoryMessages } from "../diagnostics/directory-messages.js";
import type { DirectoryName } from "./directory.js";

export type DirectoryCode = keyof typeof directoryMessages;

/** A rule of directories for each tool. */
export interface ToolRule {
  /** The code of the diagnostic about a tool that breaks it. */
  code: DirectoryCode;
  directories: readonly DirectoryName[];
  /** Returns the parameters of the diagnostic besides the tool and the directories; undefined if the tool fits. */
  find(entry: ToolEntry): object | undefined;
}
