import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/**
 * Returns the paths of all files in a folder and its subfolders, relative to it, with forward slashes. Links are followed.
 *
 * @param skipped names of files and folders to leave out
 */
export function listFiles(folder: string, skipped: readonly string[]): string[] {
  return readdirSync(folder)
    .filter((name) => !skipped.includes(name))
    .sort()
    .flatMap((name) => {
      const path = join(folder, name);
      if (!statSync(path).isDirectory()) return [name];
      return listFiles(path, skipped).map((inside) => `${name}/${inside}`);
    });
}
