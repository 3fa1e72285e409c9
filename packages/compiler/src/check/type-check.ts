import { setImmediate } from "node:timers/promises";
import { ts } from "../project/typescript.js";
import type { Project } from "../project/project.js";
import { spanOfRange, type Diagnostic } from "../diagnostics/diagnostic.js";

/**
 * TypeScript's own verdict on every file the author wrote, as our diagnostics: what `tsc --noEmit` would say.
 */
export function typeCheck(project: Project): Diagnostic[] {
  return asOurs(
    [...withoutTypes(project), ...project.ownFiles.flatMap((file) => ofTypes(project, file))],
    project,
  );
}

/** The same, with a pause after each file, in which other work of this process goes on. */
export async function typeCheckWithPauses(project: Project): Promise<Diagnostic[]> {
  const found = withoutTypes(project);
  await setImmediate();
  for (const file of project.ownFiles) {
    found.push(...ofTypes(project, file));
    await setImmediate();
  }
  return asOurs(found, project);
}

/**
 * The first syntax error of each file that is read. The parser loses its way there, so whatever else is found is about
 * a text that nobody has written.
 */
export function syntaxErrors(project: Project): Diagnostic[] {
  const files = project.sourceFiles.map((file) => file.compilerNode);
  return asOurs(
    files.flatMap((file) => firstSyntaxError(project, file)),
    project,
  );
}

function firstSyntaxError({ program }: Project, file: ts.SourceFile): readonly ts.Diagnostic[] {
  return program.getSyntacticDiagnostics(file).slice(0, 1);
}

/** What is wrong with the options, and where a file cannot be parsed. */
function withoutTypes(project: Project): ts.Diagnostic[] {
  const { program, ownFiles } = project;
  return [
    ...program.getOptionsDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...ownFiles.flatMap((file) => firstSyntaxError(project, file)),
  ];
}

function ofTypes(project: Project, file: ts.SourceFile): readonly ts.Diagnostic[] {
  return firstSyntaxError(project, file).length > 0 ? [] : project.program.getSemanticDiagnostics(file);
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
