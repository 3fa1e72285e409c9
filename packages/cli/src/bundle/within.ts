import { join } from "node:path";

/** Matches the paths of what lies in a folder, for the filters of esbuild's plugins. */
export function within(folder: string): RegExp {
  const prefix = join(folder, "x").slice(0, -1);
  return new RegExp(`^${prefix.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&")}`);
}
