import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, isAbsolute, join, normalize, sep } from "node:path";

/** Path relative to the output folder, with forward slashes → content. */
export type FileTree = Map<string, string | Uint8Array>;

/**
 * Writes the files that differ from what is on disk, inside `folder` only.
 *
 * @returns the paths that were written
 * @throws Error when a path would leave the folder; nothing is written then
 */
export function writeFileTree(tree: FileTree, folder: string): string[] {
  for (const path of tree.keys()) {
    const inside = normalize(path);
    if (isAbsolute(path) || inside === ".." || inside.startsWith(`..${sep}`)) {
      throw new Error(`Refusing to write ${path}: it is outside ${folder}.`);
    }
  }
  const written: string[] = [];
  for (const [path, content] of tree) {
    const target = join(folder, path);
    if (isSame(target, content)) continue;
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, content);
    written.push(path);
  }
  return written;
}

function isSame(target: string, content: string | Uint8Array): boolean {
  try {
    return readFileSync(target).equals(typeof content === "string" ? Buffer.from(content) : content);
  } catch {
    return false;
  }
}
