import { existsSync, realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import { Failure } from "../terminal/failure.js";

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

/** Of a folder that sources are to be written to: `src/` may be missing. @throws Failure where there is no package.json */
export function assertPackage(root: string): void {
  if (existsSync(join(root, "package.json"))) return;
  throw new Failure(`There is no package.json in ${root}.`, {
    hint: "Go to the folder of a project, or make one with `tenon create`.",
  });
}
