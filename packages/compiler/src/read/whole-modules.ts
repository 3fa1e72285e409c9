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
  if (project.options.esModuleInterop !== false) return new Map();
  return editsOf(project, (statement) => {
    const found = namespaceOfOne(statement, project);
    return found && [replaced(statement, `import ${found.name} = require(${found.from.getText()});`)];
  });
}

/**
 * What CommonJS alone has, as ES modules say it: `import name = require(…)`, `export =`, and such an `import * as name`.
 */
export function importWholeModules(project: Project): SourceEdits {
  return editsOf(project, (statement) => {
    if (ts.isExportAssignment(statement) && statement.isExportEquals === true)
      return exportedByDefault(statement, project);
    const found = project.options.esModuleInterop === false && namespaceOfOne(statement, project);
    if (found) return [replaced(statement, `import ${found.name} from ${found.from.getText()};`)];
    const required = requiredBy(statement);
    if (!required) return undefined;
    const { name, from, isExported } = required;
    const binding = exportsMany(from, project) ? `* as ${name}` : name;
    const type = /\.json["']$/.test(from.getText()) ? ' with { type: "json" }' : "";
    const again = isExported ? ` export { ${name} };` : "";
    return [replaced(statement, `import ${binding} from ${from.getText()}${type};${again}`)];
  });
}

/** The members of what `export =` names can be imported by their names, too. They are there when the file has run. */
function exportedByDefault(statement: ts.ExportAssignment, { checker }: Project): SourceEdit[] {
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

function editsOf(
  project: Project,
  editOf: (statement: ts.Statement) => readonly SourceEdit[] | undefined,
): SourceEdits {
  const edits = new Map<string, SourceEdit[]>();
  for (const file of reachedFiles(project)) {
    const inFile = file.statements.flatMap((statement) => editOf(statement) ?? []);
    if (inFile.length > 0) edits.set(relative(project.root, file.fileName).replaceAll("\\", "/"), inFile);
  }
  return edits;
}

interface ImportedModule {
  readonly name: string;
  readonly from: ts.Expression;
}

/** `import * as name` of a module that exports one value. */
function namespaceOfOne(statement: ts.Statement, project: Project): ImportedModule | undefined {
  if (!ts.isImportDeclaration(statement)) return undefined;
  const { importClause, moduleSpecifier: from } = statement;
  const bindings = importClause?.namedBindings;
  if (!bindings || !ts.isNamespaceImport(bindings) || importClause.name || importClause.isTypeOnly)
    return undefined;
  return exportsOf(from, project)?.has(ts.InternalSymbolName.ExportEquals)
    ? { name: bindings.name.text, from }
    : undefined;
}

/** `import name = require(…)` */
function requiredBy(statement: ts.Statement): (ImportedModule & { isExported: boolean }) | undefined {
  if (!ts.isImportEqualsDeclaration(statement) || statement.isTypeOnly) return undefined;
  const { name, moduleReference, modifiers } = statement;
  if (!ts.isExternalModuleReference(moduleReference)) return undefined;
  const isExported = modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false;
  return { name: name.text, from: moduleReference.expression, isExported };
}

/** Whether a module is known to have names of its own, rather than one value. */
function exportsMany(from: ts.Expression, project: Project): boolean {
  const exported = exportsOf(from, project);
  return exported !== undefined && !exported.has(ts.InternalSymbolName.ExportEquals);
}

function exportsOf(from: ts.Expression, { checker }: Project): ts.SymbolTable | undefined {
  return checker.getSymbolAtLocation(from)?.exports;
}

function replaced(statement: ts.Statement, text: string): SourceEdit {
  return { start: statement.getStart(), end: statement.end, text };
}
