import { getModuleSpecifiers } from "../typescript/imports.js";
import { isOwnNode } from "../typescript/nodes.js";
import type { CheckedFiles } from "./checked-files.js";
import { ts } from "../typescript/typescript.js";

/** Returns the author's files that make up a server: those under `src/`, and all files that they import. */
export function findReachedFiles({
  sourceFiles,
  checker,
}: Pick<CheckedFiles, "sourceFiles" | "checker">): ts.SourceFile[] {
  const reached = new Set(sourceFiles.map((file) => file.compilerNode));
  for (const file of reached) {
    for (const specifier of getModuleSpecifiers(file)) {
      const module = checker.getSymbolAtLocation(specifier)?.valueDeclaration;
      if (module && ts.isSourceFile(module) && isOwnNode(module)) reached.add(module);
    }
  }
  return [...reached];
}
