import { relative } from "node:path";
import type { Project } from "../project/project.js";
import { findReachedFiles } from "../project/reached-files.js";
import type { SourceEdit, SourceEdits } from "../source-edits.js";
import type { ts } from "../typescript/typescript.js";

/** Creates the edits of one file. */
export type FileEditor = (file: ts.SourceFile) => readonly SourceEdit[];

/** Collects the edits of each of the author's files that can be part of a server or its tests. */
export function collectEdits(project: Project, editors: readonly FileEditor[]): SourceEdits {
  const edits = new Map<string, readonly SourceEdit[]>();
  for (const file of new Set([...project.ownFiles, ...findReachedFiles(project)])) {
    if (file.isDeclarationFile) continue;
    const inFile = editors.flatMap((edit) => edit(file));
    if (inFile.length > 0) edits.set(relative(project.root, file.fileName).replaceAll("\\", "/"), inFile);
  }
  return edits;
}
