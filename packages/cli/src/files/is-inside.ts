import { sep } from "node:path";

/** Returns whether a path is in a folder, or the folder itself; both are absolute. */
export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
