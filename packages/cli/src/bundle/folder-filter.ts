import { join } from "node:path";

/** Matches the paths of files inside a folder, as esbuild's plugins filter them. */
export function folderFilter(folder: string): RegExp {
  const prefix = join(folder, "x").slice(0, -1);
  return new RegExp(`^${prefix.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&")}`);
}
