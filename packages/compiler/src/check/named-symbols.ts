import type { Project } from "../project/project.js";
import { ts } from "../typescript/typescript.js";

/**
 * Returns the symbols that the files under `src/` import by name, use from a namespace, or export, with aliases
 * resolved.
 */
export function findNamedSymbols({
  sourceFiles,
  checker,
}: Pick<Project, "sourceFiles" | "checker">): Set<ts.Symbol> {
  const resolve = (symbol: ts.Symbol): ts.Symbol =>
    symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  const symbols = sourceFiles.flatMap(({ compilerNode: file }) => {
    const module = checker.getSymbolAtLocation(file);
    const exported = module ? checker.getExportsOfModule(module) : [];
    const namespaces = file.statements.flatMap(listNamespaces);
    const imported = [
      ...file.statements.flatMap(listImportedNames),
      ...(namespaces.length > 0 ? listMembers(file, new Set(namespaces)) : []),
    ].flatMap((name) => checker.getSymbolAtLocation(name) ?? []);
    return [...exported, ...imported].map(resolve);
  });
  return new Set(symbols);
}

function listImportedNames(statement: ts.Statement): ts.Identifier[] {
  const clause = ts.isImportDeclaration(statement) ? statement.importClause : undefined;
  if (!clause) return [];
  const bindings = clause.namedBindings;
  const names = bindings && ts.isNamedImports(bindings) ? bindings.elements.map((each) => each.name) : [];
  return clause.name ? [clause.name, ...names] : names;
}

/** Returns the name in `import * as tools`. */
function listNamespaces(statement: ts.Statement): string[] {
  const bindings = ts.isImportDeclaration(statement) ? statement.importClause?.namedBindings : undefined;
  return bindings && ts.isNamespaceImport(bindings) ? [bindings.name.text] : [];
}

/** Returns the names that follow those of namespaces, such as `Base` in `tools.Base`. */
function listMembers(node: ts.Node, namespaces: ReadonlySet<string>): ts.MemberName[] {
  const found: ts.MemberName[] = [];
  const visit = (each: ts.Node): void => {
    if (
      ts.isPropertyAccessExpression(each) &&
      ts.isIdentifier(each.expression) &&
      namespaces.has(each.expression.text)
    )
      found.push(each.name);
    ts.forEachChild(each, visit);
  };
  visit(node);
  return found;
}
