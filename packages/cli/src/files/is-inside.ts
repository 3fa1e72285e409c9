import { isAbsolute, relative, sep } from "node:path";

/**
 * Returns whether a path is in a folder, or the folder itself; both are absolute. On Windows, neither the case nor the kind
 * of slashes matters.
 */
export function isInside(path: string, folder: string): boolean {
  const route = relative(folder, path);
  return route !== ".." && !route.startsWith(`..${sep}`) && !isAbsolute(route);
}
