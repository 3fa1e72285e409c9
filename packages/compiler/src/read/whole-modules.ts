import type { Project } from "../project/project.js";
import { ts } from "../typescript/typescript.js";
import type { SourceEdit } from "../source-edits.js";
import type { FileEditor } from "./collect-edits.js";

/**
 * Rewrites `import * as name` of modules with `export =` as `import name = require(…)`. Without `esModuleInterop`, the name
 * is the exported value, such as a function, but a bundler would turn it into an object that cannot be called.
 *
 * @see https://www.typescriptlang.org/tsconfig/#esModuleInterop
 */
export function requireWholeModules(project: Project): FileEditor {
  if (project.options.esModuleInterop !== false) return () => [];
  return editStatements((statement) => {
    const found = findSingleValueImport(statement, project);
    return found && [replaceStatement(statement, `import ${found.name} = require(${found.from.getText()});`)];
  });
}

/** Rewrites CommonJS syntax as ES modules: `import name = require(…)`, `export =`, and `import * as name` of one value. */
export function importWholeModules(project: Project): FileEditor {
  return editStatements((statement) => {
    if (ts.isExportAssignment(statement) && statement.isExportEquals === true)
      return rewriteExportEquals(statement, project);
    const found = project.options.esModuleInterop === false && findSingleValueImport(statement, project);
    if (found) return [replaceStatement(statement, `import ${found.name} from ${found.from.getText()};`)];
    const required = findRequired(statement);
    if (!required) return undefined;
    const { name, from, isExported } = required;
    const binding = exportsNames(from, project) ? `* as ${name}` : name;
    const type = /\.json["']$/.test(from.getText()) ? ' with { type: "json" }' : "";
    const reexport = isExported ? ` export { ${name} };` : "";
    return [replaceStatement(statement, `import ${binding} from ${from.getText()}${type};${reexport}`)];
  });
}

/** Rewrites `export =`. The members of the exported value become named exports, which exist after the file has run. */
function rewriteExportEquals(statement: ts.ExportAssignment, { checker }: Project): SourceEdit[] {
  const { expression } = statement;
  const edits = [{ start: statement.getStart(), end: expression.getStart(), text: "export default " }];
  const file = statement.getSourceFile();
  const module = checker.getSymbolAtLocation(file);
  if (!module || !ts.isIdentifier(expression)) return edits;
  const names = checker.getExportsOfModule(module).flatMap(({ name, flags }) => {
    const isValue = (flags & ts.SymbolFlags.Value) !== 0 && (flags & ts.SymbolFlags.Prototype) === 0;
    return isValue && name !== "default" && IDENTIFIER.test(name) ? [name] : [];
  });
  if (names.length === 0) return edits;
  const members = names.map((name) => `${name}: exported$${name}`).join(", ");
  const exported = names.map((name) => `exported$${name} as ${name}`).join(", ");
  const text = `\nconst { ${members} } = ${expression.text};\nexport { ${exported} };\n`;
  return [...edits, { start: file.end, end: file.end, text }];
}

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

function editStatements(
  createEdits: (statement: ts.Statement) => readonly SourceEdit[] | undefined,
): FileEditor {
  return ({ statements }) => statements.flatMap((statement) => createEdits(statement) ?? []);
}

interface ImportedModule {
  readonly name: string;
  readonly from: ts.Expression;
}

/** Matches `import * as name` of a module that exports one value. */
function findSingleValueImport(statement: ts.Statement, project: Project): ImportedModule | undefined {
  if (!ts.isImportDeclaration(statement)) return undefined;
  const { importClause, moduleSpecifier: from } = statement;
  const bindings = importClause?.namedBindings;
  if (!bindings || !ts.isNamespaceImport(bindings) || importClause.name || importClause.isTypeOnly)
    return undefined;
  return getExports(from, project)?.has(ts.InternalSymbolName.ExportEquals)
    ? { name: bindings.name.text, from }
    : undefined;
}

/** Matches `import name = require(…)`. */
function findRequired(statement: ts.Statement): (ImportedModule & { isExported: boolean }) | undefined {
  if (!ts.isImportEqualsDeclaration(statement) || statement.isTypeOnly) return undefined;
  const { name, moduleReference, modifiers } = statement;
  if (!ts.isExternalModuleReference(moduleReference)) return undefined;
  const isExported = modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false;
  return { name: name.text, from: moduleReference.expression, isExported };
}

/** Returns whether a module is known to export names instead of one value. */
function exportsNames(from: ts.Expression, project: Project): boolean {
  const exported = getExports(from, project);
  return exported !== undefined && !exported.has(ts.InternalSymbolName.ExportEquals);
}

function getExports(from: ts.Expression, { checker }: Project): ts.SymbolTable | undefined {
  return checker.getSymbolAtLocation(from)?.exports;
}

function replaceStatement(statement: ts.Statement, text: string): SourceEdit {
  return { start: statement.getStart(), end: statement.end, text };
}
