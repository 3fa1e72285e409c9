import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * Finds a file or folder by its name, in a folder or the nearest folder above it.
 *
 * @example
 * findNearest("package.json", "/work/app/src") // "/work/app/package.json"
 */
export function findNearest(name: string, from: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const path = join(folder, name);
    if (existsSync(path)) return path;
    if (dirname(folder) === folder) return undefined;
  }
}
