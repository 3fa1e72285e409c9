import { relative } from "node:path";
import type { Project } from "../project/project.js";
import { reachedFiles } from "../project/reached-files.js";
import { ts } from "../project/typescript.js";
import type { SourceEdit, SourceEdits } from "../source-edits.js";

/**
 * Without `esModuleInterop`, `import * as name` of a module with `export =` is what that module exports: a function that
 * can be called, say. A bundler makes an object of it, which cannot, so the import is written as `import name = require(…)`.
 *
 * @see https://www.typescriptlang.org/tsconfig/#esModuleInterop
 */
export function requireWholeModules(project: Project): SourceEdits {
  const edits = new Map<string, SourceEdit[]>();
  if (project.options.esModuleInterop !== false) return edits;
  for (const file of reachedFiles(project)) {
    const inFile = file.statements.flatMap((statement) => editOf(statement, project.checker) ?? []);
    if (inFile.length > 0) edits.set(relative(project.root, file.fileName).replaceAll("\\", "/"), inFile);
  }
  return edits;
}

function editOf(statement: ts.Statement, checker: ts.TypeChecker): SourceEdit | undefined {
  if (!ts.isImportDeclaration(statement)) return undefined;
  const { importClause, moduleSpecifier } = statement;
  const bindings = importClause?.namedBindings;
  if (!bindings || !ts.isNamespaceImport(bindings) || importClause.name || importClause.isTypeOnly)
    return undefined;
  const exported = checker.getSymbolAtLocation(moduleSpecifier)?.exports;
  if (!exported?.has(ts.InternalSymbolName.ExportEquals)) return undefined;
  const text = `import ${bindings.name.text} = require(${moduleSpecifier.getText()});`;
  return { start: statement.getStart(), end: statement.end, text };
}
