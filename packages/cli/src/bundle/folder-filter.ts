import { join } from "node:path";

/** Returns the filter of an esbuild plugin that matches the paths of files inside a folder. */
export function createFolderFilter(folder: string): RegExp {
  const prefix = join(folder, "x").slice(0, -1);
  return new RegExp(`^${prefix.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&")}`);
}
