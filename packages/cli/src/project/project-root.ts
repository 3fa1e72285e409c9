import { existsSync, realpathSync } from "node:fs";
import { join, resolve } from "node:path";

/**
 * The absolute path of a project folder, links resolved, because bundler and compiler must agree on the
 * names of the files in it. A folder that does not exist is left for the compiler to complain about.
 */
export function projectRoot(folder: string, cwd = "."): string {
  const path = resolve(cwd, folder);
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** False for a folder that no edit of a source file could make a project. */
export function isProject(root: string): boolean {
  return existsSync(join(root, "package.json")) && existsSync(join(root, "src"));
}
