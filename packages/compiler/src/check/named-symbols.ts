import type { Project } from "../project/project.js";
import { ts } from "../typescript/typescript.js";

/** Returns the symbols that the files under `src/` import by name or export, without aliases. */
export function findNamedSymbols({
  sourceFiles,
  checker,
}: Pick<Project, "sourceFiles" | "checker">): Set<ts.Symbol> {
  const resolve = (symbol: ts.Symbol): ts.Symbol =>
    symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  const symbols = sourceFiles.flatMap(({ compilerNode: file }) => {
    const module = checker.getSymbolAtLocation(file);
    const exported = module ? checker.getExportsOfModule(module) : [];
    const imported = file.statements
      .flatMap(listImportedNames)
      .flatMap((name) => checker.getSymbolAtLocation(name) ?? []);
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
