import { setImmediate } from "node:timers/promises";
import { applicationFiles } from "../project/application-files.js";
import { ts } from "../project/typescript.js";
import type { Project } from "../project/project.js";
import { spanOfRange, type Diagnostic } from "../diagnostics/diagnostic.js";

/**
 * What TypeScript says of a file because it would make CommonJS of it: no `await` at the top level, no `import.meta`, no
 * import of an ES module, none of the syntax of ES modules. A server is bundled as an ES module, where all of these work.
 */
const OF_COMMONJS = new Set([1286, 1287, 1295, 1309, 1343, 1378, 1432, 1470, 1479, 1541, 1542, 2854]);

/**
 * TypeScript's own verdict on every file the author wrote, as our diagnostics: what `tsc --noEmit` would say of ES modules.
 * What is made of the build is left to its own.
 */
export function typeCheck(project: Project): Diagnostic[] {
  return asOurs(
    [...withoutTypes(project), ...checkedFiles(project).flatMap((file) => ofTypes(project, file))],
    project,
  );
}

/** The same, with a pause after each file, in which other work of this process goes on. */
export async function typeCheckWithPauses(project: Project): Promise<Diagnostic[]> {
  const found = withoutTypes(project);
  await setImmediate();
  for (const file of checkedFiles(project)) {
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
  const { ownFiles } = project;
  const program = project.asConfigured();
  return [
    ...program.getOptionsDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...ownFiles.flatMap((file) => firstSyntaxError(project, file)),
  ];
}

function checkedFiles(project: Project): ts.SourceFile[] {
  const left = applicationFiles(project);
  return project.ownFiles.filter((file) => !left.has(file));
}

function ofTypes(project: Project, file: ts.SourceFile): readonly ts.Diagnostic[] {
  if (firstSyntaxError(project, file).length > 0) return [];
  return project
    .asConfigured()
    .getSemanticDiagnostics(file)
    .filter(({ code }) => !OF_COMMONJS.has(code));
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
