import { getModuleSpecifiers } from "../typescript/imports.js";
import type { CheckedFiles } from "./checked-files.js";
import { findReachedFiles } from "./reached-files.js";
import { ts } from "../typescript/typescript.js";

/**
 * Returns the author's files that import the build output, such as an application that mounts the server, and the files
 * that import these. They cannot be checked before a build, or against an outdated one; their own build checks them.
 */
export function findApplicationFiles(project: CheckedFiles): ReadonlySet<ts.SourceFile> {
  const served = new Set(findReachedFiles(project));
  const others = project.ownFiles.filter((file) => !served.has(file) && !file.isDeclarationFile);
  const imports = new Map(others.map((file) => [file, resolveImports(file, project)]));
  const isBuildOutput = (path: string): boolean => path.startsWith(`${project.root}/dist/`);
  const names = new Set<string>();
  for (let size = -1; size < names.size;) {
    size = names.size;
    for (const [{ fileName }, paths] of imports)
      if (paths.some((path) => isBuildOutput(path) || names.has(path))) names.add(fileName);
  }
  return new Set(others.filter(({ fileName }) => names.has(fileName)));
}

/** Returns the paths of a file's imports; for an unresolved import, the paths where TypeScript looks for it. */
function resolveImports(file: ts.SourceFile, { checker, options }: CheckedFiles): string[] {
  return getModuleSpecifiers(file).flatMap((specifier) => {
    const module = checker.getSymbolAtLocation(specifier)?.valueDeclaration;
    if (module) return [module.getSourceFile().fileName];
    const attempted: string[] = [];
    const fileExists = (path: string): boolean => {
      attempted.push(path);
      return false;
    };
    const mode = ts.getModeForUsageLocation(file, specifier, options);
    // Without `directoryExists`, TypeScript also looks in folders that do not exist.
    const host: ts.ModuleResolutionHost = { fileExists, readFile: () => undefined };
    ts.resolveModuleName(specifier.text, file.fileName, options, host, undefined, undefined, mode);
    return attempted;
  });
}
