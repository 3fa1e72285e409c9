import { moduleSpecifiers } from "./imports.js";
import type { Project } from "./project.js";
import { reachedFiles } from "./reached-files.js";
import { ts } from "./typescript.js";

/**
 * The author's files that import what is built here, such as an application in which the server is mounted, and those that
 * import these. They cannot be checked before there is a build, and not by that of another version: their own build does.
 */
export function applicationFiles(project: Project): ReadonlySet<ts.SourceFile> {
  const served = new Set(reachedFiles(project));
  const others = project.ownFiles.filter((file) => !served.has(file) && !file.isDeclarationFile);
  const imports = new Map(others.map((file) => [file, importedPaths(file, project)]));
  const isOfBuild = (path: string): boolean => path.startsWith(`${project.root}/dist/`);
  const names = new Set<string>();
  for (let size = -1; size < names.size;) {
    size = names.size;
    for (const [{ fileName }, paths] of imports)
      if (paths.some((path) => isOfBuild(path) || names.has(path))) names.add(fileName);
  }
  return new Set(others.filter(({ fileName }) => names.has(fileName)));
}

/** Where a file's imports lead; of one that leads nowhere, where it was looked for. */
function importedPaths(file: ts.SourceFile, { checker, options }: Project): string[] {
  return moduleSpecifiers(file).flatMap((specifier) => {
    const module = checker.getSymbolAtLocation(specifier)?.valueDeclaration;
    if (module) return [module.getSourceFile().fileName];
    const looked: string[] = [];
    const fileExists = (path: string): boolean => {
      looked.push(path);
      return false;
    };
    const mode = ts.getModeForUsageLocation(file, specifier, options);
    // Nothing but this: in a folder that does not exist, no file would be looked for.
    const host: ts.ModuleResolutionHost = { fileExists, readFile: () => undefined };
    ts.resolveModuleName(specifier.text, file.fileName, options, host, undefined, undefined, mode);
    return looked;
  });
}
