import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { minimatch } from "minimatch";
import type { Sandbox } from "./sandbox.js";

/** A directory with its entries, or a file. */
export interface Branch {
  name: string;
  type: "directory" | "file";
  children?: Branch[];
}

/**
 * Reads a directory tree.
 *
 * @param isHidden whether to skip a path, relative to `start`
 */
export async function readTree(
  sandbox: Sandbox,
  start: string,
  isHidden: (path: string) => boolean,
  from = "",
): Promise<Branch[]> {
  const entries = await sandbox.open(join(start, from), (folder) => readdir(folder, { withFileTypes: true }));
  const branches: Branch[] = [];
  for (const entry of entries) {
    const path = join(from, entry.name);
    if (isHidden(path)) continue;
    branches.push(
      entry.isDirectory()
        ? { name: entry.name, type: "directory", children: await readTree(sandbox, start, isHidden, path) }
        : { name: entry.name, type: "file" },
    );
  }
  return branches;
}

/** Yields the paths in a directory, except links that lead out of the sandbox and unreadable directories. */
export async function* walk(
  sandbox: Sandbox,
  start: string,
  isHidden: (path: string) => boolean,
  from = "",
): AsyncGenerator<string> {
  const entries = await sandbox
    .open(join(start, from), (folder) => readdir(folder, { withFileTypes: true }))
    .catch((error: unknown) => {
      if (from === "") throw error;
      return [];
    });
  for (const entry of entries) {
    const path = join(from, entry.name);
    if (isHidden(path)) continue;
    if (entry.isSymbolicLink() && !(await sandbox.contains(join(start, path)))) continue;
    yield path;
    if (entry.isDirectory()) yield* walk(sandbox, start, isHidden, path);
  }
}

export function matches(path: string, pattern: string): boolean {
  return minimatch(path, pattern, { dot: true });
}

/** Returns whether a pattern matches a path. A pattern without `*` also matches a name at any depth. */
export function isExcluded(path: string, pattern: string): boolean {
  if (pattern.includes("*")) return matches(path, pattern);
  return [pattern, `**/${pattern}`, `**/${pattern}/**`].some((each) => matches(path, each));
}
