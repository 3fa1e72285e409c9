import { ts } from "../project/typescript.js";
import type { DiagnosticCollector } from "../diagnostics/diagnostic.js";
import type { Project } from "../project/project.js";

/**
 * An import of the runtime that resolves to nothing explains why no decorator was recognised.
 *
 * @returns false when it was reported
 */
export function checkRuntimeInstalled(project: Project, collector: DiagnosticCollector): boolean {
  for (const file of project.sourceFiles) {
    for (const statement of file.statements) {
      if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) continue;
      if (statement.moduleSpecifier.text !== "@tenon/runtime") continue;
      if (project.checker.getSymbolAtLocation(statement.moduleSpecifier)) continue;
      collector.reporter()("runtime-not-installed", statement.moduleSpecifier, {});
      return false;
    }
  }
  return true;
}
