import { RUNTIME, findPackageName } from "../typescript/runtime-symbols.js";
import { libraryFolder } from "../typescript/typescript.js";
import type { Project } from "./project.js";

/**
 * Returns the files outside the project folder that a project is compiled from: sources and declarations of other packages
 * of the workspace, and files that `paths` in tsconfig.json refers to. Packages from a registry, which only an
 * installation changes, and Tenon's runtime are not included.
 *
 * @returns absolute paths, sorted, with links resolved
 */
export function findOutsideFiles({ program, root }: Project): string[] {
  const packages = new Map<string, string | undefined>();
  return program
    .getSourceFiles()
    .map(({ fileName }) => fileName)
    .filter(
      (path) =>
        !path.startsWith(`${root}/`) &&
        !path.startsWith(`${libraryFolder}/`) &&
        !path.includes("/node_modules/") &&
        findPackageName(path, packages) !== RUNTIME,
    )
    .sort();
}
