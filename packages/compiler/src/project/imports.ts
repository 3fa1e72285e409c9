import { ts } from "./typescript.js";

/** Where a file imports from, or exports from, by statements. */
export function moduleSpecifiers(file: ts.SourceFile): ts.StringLiteral[] {
  return file.statements.flatMap((statement) => {
    const isModule = ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement);
    const specifier = isModule ? statement.moduleSpecifier : undefined;
    return specifier && ts.isStringLiteral(specifier) ? [specifier] : [];
  });
}

/**
 * The module or name in an import that leads nowhere, where that is why a type is not known.
 *
 * @param typeNode the type as written; undefined for one that was inferred
 * @param file where it was written or inferred
 */
export function brokenImportBehind(
  typeNode: ts.Node | undefined,
  file: ts.SourceFile,
  checker: ts.TypeChecker,
): ts.Node | undefined {
  if (!typeNode) return moduleSpecifiers(file).find((specifier) => isUnresolved(specifier, checker));
  const visit = (node: ts.Node): ts.Node | undefined =>
    (ts.isIdentifier(node) ? brokenImportOf(node, checker) : undefined) ?? ts.forEachChild(node, visit);
  return visit(typeNode);
}

function brokenImportOf(name: ts.Identifier, checker: ts.TypeChecker): ts.Node | undefined {
  const symbol = checker.getSymbolAtLocation(name);
  const declaration = symbol?.declarations?.[0];
  const statement = declaration && ts.findAncestor(declaration, ts.isImportDeclaration);
  if (!symbol || !statement) return undefined;
  if (isUnresolved(statement.moduleSpecifier, checker)) return statement.moduleSpecifier;
  return ts.isImportSpecifier(declaration) && isUnknown(symbol, checker)
    ? exportedName(declaration)
    : undefined;
}

/** Whether TypeScript finds no module there. An import for its effects alone is not looked up. */
export function isUnresolved(specifier: ts.Node, checker: ts.TypeChecker): boolean {
  const { parent } = specifier;
  const isForEffects = ts.isImportDeclaration(parent) && !parent.importClause;
  return !isForEffects && checker.getSymbolAtLocation(specifier) === undefined;
}

/** The names that a file imports from modules that do not export them. */
export function namesNotExported(file: ts.SourceFile, checker: ts.TypeChecker): ts.ImportSpecifier[] {
  return file.statements.flatMap((statement) => {
    if (!ts.isImportDeclaration(statement) || isUnresolved(statement.moduleSpecifier, checker)) return [];
    const bindings = statement.importClause?.namedBindings;
    if (!bindings || !ts.isNamedImports(bindings)) return [];
    return bindings.elements.filter((each) => {
      const symbol = checker.getSymbolAtLocation(each.name);
      return symbol !== undefined && isUnknown(symbol, checker);
    });
  });
}

/** The name as the module would export it. */
export function exportedName({ propertyName, name }: ts.ImportSpecifier): ts.ModuleExportName {
  return propertyName ?? name;
}

function isUnknown(symbol: ts.Symbol, checker: ts.TypeChecker): boolean {
  return (
    (symbol.flags & ts.SymbolFlags.Alias) !== 0 &&
    (checker.getAliasedSymbol(symbol).escapedName as string) === "unknown"
  );
}
