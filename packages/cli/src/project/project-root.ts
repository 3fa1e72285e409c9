import { existsSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { findNearest } from "../files/find-nearest.js";
import { Failure } from "../terminal/failure.js";

/**
 * Returns the absolute path of a project folder with symbolic links resolved, so that bundler and compiler use the same
 * file names. A folder that does not exist is reported by the compiler.
 */
export function resolveProjectRoot(folder: string, cwd = "."): string {
  const path = resolve(cwd, folder);
  try {
    // On systems that ignore case, the native function also returns the names as they are on disk.
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

/**
 * Finds the folder of the project on which a command runs. For `.`, it is the current folder or its nearest parent with a
 * `package.json`. Any other folder is used unchanged.
 *
 * @param folder the folder that the user named, relative to `cwd`; `.` by default
 * @param cwd the current folder, absolute
 * @returns the absolute path, with symbolic links resolved
 * @example
 * findProjectRoot(".", "/work/app/src/notes") // "/work/app"
 */
export function findProjectRoot(folder: string, cwd: string): string {
  const path = folder === "." ? findNearest("package.json", cwd) : undefined;
  return resolveProjectRoot(path === undefined ? folder : dirname(path), cwd);
}

/**
 * Changes to the folder of a project, in which the author's code finds files such as `.env`, if the command runs in a folder
 * below it.
 *
 * @param cwd the current folder, absolute
 */
export function enterProject(root: string, cwd: string): void {
  if (resolveProjectRoot(cwd) !== root) process.chdir(root);
}

/** Returns whether a folder has a `package.json` and `src/`. A folder without them does not become a project when a source is edited. */
export function isProject(root: string): boolean {
  return existsSync(join(root, "package.json")) && existsSync(join(root, "src"));
}

/**
 * Checks a project folder before sources are written to it; `src/` may be missing.
 *
 * @throws Failure if it has no package.json
 */
export function assertPackage(root: string): void {
  if (existsSync(join(root, "package.json"))) return;
  throw new Failure(`${root} has no package.json.`, {
    hint: "Change to the folder of a project, or create one with `tenon create`.",
  });
}
