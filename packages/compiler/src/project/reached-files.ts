import { moduleSpecifiers } from "./imports.js";
import { isOwnNode } from "./nodes.js";
import type { Project } from "./project.js";
import { ts } from "./typescript.js";

/** The author's files that a server is made of: those under `src/`, and all that they import from elsewhere. */
export function reachedFiles({ sourceFiles, checker }: Project): ts.SourceFile[] {
  const reached = new Set(sourceFiles.map((file) => file.compilerNode));
  for (const file of reached) {
    for (const specifier of moduleSpecifiers(file)) {
      const module = checker.getSymbolAtLocation(specifier)?.valueDeclaration;
      if (module && ts.isSourceFile(module) && isOwnNode(module)) reached.add(module);
    }
  }
  return [...reached];
}
