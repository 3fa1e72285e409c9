import { join } from "node:path";

/** A file of a package that is installed in this folder, named as in `node_modules`; absolute. */
export function thirdParty(path: string): string {
  return join(import.meta.dirname, "node_modules", path);
}
