import { ts } from "../typescript.js";
import type { Project } from "../project.js";
import { spanOfRange, type Diagnostic } from "./diagnostic.js";

/**
 * TypeScript's own verdict on every file the author wrote, as our diagnostics: what `tsc --noEmit` would say.
 */
export function typeCheck(project: Project): Diagnostic[] {
  const { program, ownFiles, root } = project;
  const found = [
    ...program.getOptionsDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...ownFiles.flatMap((file) => [
      ...program.getSyntacticDiagnostics(file),
      ...program.getSemanticDiagnostics(file),
    ]),
  ];
  return ts.sortAndDeduplicateDiagnostics(found).map((diagnostic) => fromTypeScript(diagnostic, root));
}

function fromTypeScript(diagnostic: ts.Diagnostic, root: string): Diagnostic {
  const text = ts.flattenDiagnosticMessageText(diagnostic.messageText, "\n");
  const severity = diagnostic.category === ts.DiagnosticCategory.Error ? "error" : "warning";
  const { file, start, length } = diagnostic;
  return {
    code: "typescript",
    severity,
    message: `${text} (TS${diagnostic.code})`,
    ...(file && start !== undefined && { span: spanOfRange(file, start, start + (length ?? 0), root) }),
  };
}
