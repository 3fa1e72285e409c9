import type { DiagnosticCollector } from "../diagnostics/diagnostic.js";
import type { Project } from "../project/project.js";

/**
 * An import of the runtime that resolves to nothing explains why no decorator was recognised.
 *
 * @returns false when it was reported
 */
export function checkRuntimeInstalled({ sourceFiles }: Project, collector: DiagnosticCollector): boolean {
  for (const file of sourceFiles) {
    const statement = file.getImportDeclaration("@tenon/runtime");
    if (!statement || statement.getModuleSpecifier().getSymbol()) continue;
    collector.reporter()("runtime-not-installed", statement.getModuleSpecifier(), {});
    return false;
  }
  return true;
}
