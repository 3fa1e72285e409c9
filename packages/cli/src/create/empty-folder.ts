import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";

/** Files that an empty folder may contain. */
const IGNORED_FILES = new Set([".git", ".DS_Store", "Thumbs.db", "desktop.ini"]);

/** Returns the reason why a project cannot be created in a folder: it is a file, or not empty. */
export function findFolderProblem(folder: string): string | undefined {
  if (!existsSync(folder)) return undefined;
  if (!statSync(folder).isDirectory()) return `${folder} is a file.`;
  const otherFiles = readdirSync(folder).filter((name) => !IGNORED_FILES.has(name));
  if (otherFiles.length === 0) return undefined;
  const names = otherFiles.slice(0, 3).join(", ");
  const more = otherFiles.length > 3 ? `, and ${otherFiles.length - 3} more` : "";
  return `${folder} is not empty: it contains ${names}${more}.`;
}

/**
 * Restores the folder. It was empty before, so everything in it was written by this command.
 *
 * @param firstCreated the topmost folder that this command created, if any
 */
export function removeWrittenFiles(folder: string, firstCreated: string | undefined): void {
  if (firstCreated !== undefined) rmSync(firstCreated, { recursive: true, force: true });
  else
    for (const name of readdirSync(folder).filter((each) => !IGNORED_FILES.has(each)))
      rmSync(join(folder, name), { recursive: true, force: true });
}
