import { setImmediate } from "node:timers/promises";
import { findApplicationFiles } from "../project/application-files.js";
import { ts } from "../typescript/typescript.js";
import type { CheckedFiles } from "../project/checked-files.js";
import { toRangeSpan, type Diagnostic } from "../diagnostics/diagnostic.js";

/**
 * Codes of TypeScript's errors about files that it would compile to CommonJS: top-level `await`, `import.meta`, imports
 * of ES modules, and ES module syntax. A server is bundled as an ES module, in which all of these work.
 */
const COMMONJS_ERROR_CODES = new Set([
  1286, 1287, 1295, 1309, 1343, 1378, 1432, 1470, 1479, 1541, 1542, 2854,
]);

/**
 * Returns TypeScript's errors for all of the author's files as diagnostics, like `tsc --noEmit` for ES modules. Files
 * that import the build output are excluded.
 */
export function typeCheck(project: CheckedFiles): Diagnostic[] {
  return toDiagnostics(
    [
      ...findBasicErrors(project),
      ...listCheckedFiles(project).flatMap((file) => findTypeErrors(project, file)),
    ],
    project,
  );
}

/** Does the same as {@link typeCheck}, with a pause after each file, so that other work of this process continues. */
export async function typeCheckWithPauses(project: CheckedFiles): Promise<Diagnostic[]> {
  const found = findBasicErrors(project);
  await setImmediate();
  for (const file of listCheckedFiles(project)) {
    found.push(...findTypeErrors(project, file));
    await setImmediate();
  }
  return toDiagnostics(found, project);
}

/**
 * Returns the first syntax error of each file. Later ones are unreliable, since the parser may have misread the source by
 * then.
 */
export function findSyntaxErrors(project: CheckedFiles): Diagnostic[] {
  const files = project.sourceFiles.map((file) => file.compilerNode);
  return toDiagnostics(
    files.flatMap((file) => findFirstSyntaxError(project, file)),
    project,
  );
}

function findFirstSyntaxError({ program }: CheckedFiles, file: ts.SourceFile): readonly ts.Diagnostic[] {
  return program.getSyntacticDiagnostics(file).slice(0, 1);
}

/** Returns the errors in compiler options, and the syntax errors. */
function findBasicErrors(project: CheckedFiles): ts.Diagnostic[] {
  const { ownFiles } = project;
  const program = project.getConfiguredProgram();
  return [
    ...program.getOptionsDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...ownFiles.flatMap((file) => findFirstSyntaxError(project, file)),
  ];
}

function listCheckedFiles(project: CheckedFiles): ts.SourceFile[] {
  const excluded = findApplicationFiles(project);
  return project.ownFiles.filter((file) => !excluded.has(file));
}

function findTypeErrors(project: CheckedFiles, file: ts.SourceFile): readonly ts.Diagnostic[] {
  if (findFirstSyntaxError(project, file).length > 0) return [];
  return project
    .getConfiguredProgram()
    .getSemanticDiagnostics(file)
    .filter(({ code }) => !COMMONJS_ERROR_CODES.has(code));
}

function toDiagnostics(found: readonly ts.Diagnostic[], { root }: CheckedFiles): Diagnostic[] {
  return ts.sortAndDeduplicateDiagnostics(found).map((diagnostic) => toDiagnostic(diagnostic, root));
}

function toDiagnostic(diagnostic: ts.Diagnostic, root: string): Diagnostic {
  const text = ts.flattenDiagnosticMessageText(diagnostic.messageText, "\n");
  const severity = diagnostic.category === ts.DiagnosticCategory.Error ? "error" : "warning";
  const { file, start, length } = diagnostic;
  return {
    code: "typescript",
    severity,
    message: `${text} (TS${diagnostic.code})`,
    ...(file && start !== undefined && { span: toRangeSpan(file, start, start + (length ?? 0), root) }),
  };
}
