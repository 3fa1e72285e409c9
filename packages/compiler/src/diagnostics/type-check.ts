import { setImmediate } from "node:timers/promises";
import { ts } from "../typescript.js";
import type { Project } from "../project.js";
import { spanOfRange, type Diagnostic } from "./diagnostic.js";

/**
 * TypeScript's own verdict on every file the author wrote, as our diagnostics: what `tsc --noEmit` would say.
 */
export function typeCheck(project: Project): Diagnostic[] {
  return asOurs([...verdicts(project)].flat(), project);
}

/** The same, with a pause after each file, in which other work of this process goes on. */
export async function typeCheckWithPauses(project: Project): Promise<Diagnostic[]> {
  const found: ts.Diagnostic[] = [];
  for (const verdict of verdicts(project)) {
    found.push(...verdict);
    await setImmediate();
  }
  return asOurs(found, project);
}

function* verdicts({ program, ownFiles }: Project): Generator<readonly ts.Diagnostic[]> {
  yield program.getOptionsDiagnostics();
  yield program.getGlobalDiagnostics();
  for (const file of ownFiles) {
    yield program.getSyntacticDiagnostics(file);
    yield program.getSemanticDiagnostics(file);
  }
}

function asOurs(found: readonly ts.Diagnostic[], { root }: Project): Diagnostic[] {
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
