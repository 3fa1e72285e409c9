import { lstatSync, realpathSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Returns whether a path is a symbolic link to a folder that contains it, or that it was reached through. Code that lists folders
 * recursively would never end if it followed such links.
 *
 * @param path absolute; a path that does not exist is not a link
 */
export function isCyclicLink(path: string): boolean {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return false;
  const target = findRealPath(path);
  if (target === undefined) return false;
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if (findRealPath(folder) === target) return true;
    if (dirname(folder) === folder) return false;
  }
}

/** Returns undefined if the path leads nowhere. */
function findRealPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
