import { RUNTIME, packageNameOf } from "./runtime-symbols.js";
import { libraryFolder } from "./typescript.js";
import type { Project } from "./project.js";

/**
 * The files that a project is compiled from and that lie outside of its folder: sources and declarations of the packages
 * beside it in a workspace, where links lead to them, and what `paths` of tsconfig.json name. What is installed from a
 * registry changes by an installation alone and is left out, and so is Tenon's runtime.
 *
 * @returns absolute paths, sorted, with the links in them followed
 */
export function filesBeside({ program, root }: Project): string[] {
  const packages = new Map<string, string | undefined>();
  return program
    .getSourceFiles()
    .map(({ fileName }) => fileName)
    .filter(
      (path) =>
        !path.startsWith(`${root}/`) &&
        !path.startsWith(`${libraryFolder}/`) &&
        !path.includes("/node_modules/") &&
        packageNameOf(path, packages) !== RUNTIME,
    )
    .sort();
}
