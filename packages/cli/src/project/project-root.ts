import { existsSync, realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import { Failure } from "../terminal/failure.js";

/**
 * Returns the absolute path of a project folder with symbolic links resolved, so that bundler and compiler use the same
 * file names. A folder that does not exist is reported by the compiler.
 */
export function resolveProjectRoot(folder: string, cwd = "."): string {
  const path = resolve(cwd, folder);
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** Returns whether a folder has a `package.json` and `src/`. Without them, no edit of a source makes it a project. */
export function isProject(root: string): boolean {
  return existsSync(join(root, "package.json")) && existsSync(join(root, "src"));
}

/** Checks a folder to write sources to; `src/` may be missing. @throws Failure if it has no package.json */
export function assertPackage(root: string): void {
  if (existsSync(join(root, "package.json"))) return;
  throw new Failure(`${root} has no package.json.`, {
    hint: "Change to the folder of a project, or create one with `tenon create`.",
  });
}
