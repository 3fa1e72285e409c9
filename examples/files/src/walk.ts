import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { minimatch } from "minimatch";
import type { Sandbox } from "./sandbox.js";

/** A directory and what is in it, or a file. */
export interface Branch {
  name: string;
  type: "directory" | "file";
  children?: Branch[];
}

/** @param leaveOut what is neither shown nor gone into, by its path from where the walk begins */
export async function treeOf(
  sandbox: Sandbox,
  start: string,
  leaveOut: (way: string) => boolean,
  from = "",
): Promise<Branch[]> {
  const entries = await sandbox.open(join(start, from), (folder) => readdir(folder, { withFileTypes: true }));
  const branches: Branch[] = [];
  for (const entry of entries) {
    const way = join(from, entry.name);
    if (leaveOut(way)) continue;
    branches.push(
      entry.isDirectory()
        ? { name: entry.name, type: "directory", children: await treeOf(sandbox, start, leaveOut, way) }
        : { name: entry.name, type: "file" },
    );
  }
  return branches;
}

/** Everything below a directory, but for links that lead out of the sandbox and directories that cannot be read. */
export async function* walk(
  sandbox: Sandbox,
  start: string,
  leaveOut: (way: string) => boolean,
  from = "",
): AsyncGenerator<string> {
  const entries = await sandbox
    .open(join(start, from), (folder) => readdir(folder, { withFileTypes: true }))
    .catch((error: unknown) => {
      if (from === "") throw error;
      return [];
    });
  for (const entry of entries) {
    const way = join(from, entry.name);
    if (leaveOut(way)) continue;
    if (entry.isSymbolicLink() && !(await sandbox.contains(join(start, way)))) continue;
    yield way;
    if (entry.isDirectory()) yield* walk(sandbox, start, leaveOut, way);
  }
}

export function matches(way: string, pattern: string): boolean {
  return minimatch(way, pattern, { dot: true });
}

/** A pattern without a star is also the name of something at any depth. */
export function isExcluded(way: string, pattern: string): boolean {
  if (pattern.includes("*")) return matches(way, pattern);
  return [pattern, `**/${pattern}`, `**/${pattern}/**`].some((each) => matches(way, each));
}
