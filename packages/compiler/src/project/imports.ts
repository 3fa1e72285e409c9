import { ts } from "./typescript.js";

/** Where a file imports from, or exports from, by statements. */
export function moduleSpecifiers(file: ts.SourceFile): ts.StringLiteral[] {
  return file.statements.flatMap((statement) => {
    const specifier = moduleSpecifierOf(statement);
    return specifier && ts.isStringLiteral(specifier) ? [specifier] : [];
  });
}

function moduleSpecifierOf(statement: ts.Statement): ts.Expression | undefined {
  if (ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement))
    return statement.moduleSpecifier;
  const isRequired =
    ts.isImportEqualsDeclaration(statement) && ts.isExternalModuleReference(statement.moduleReference);
  return isRequired ? statement.moduleReference.expression : undefined;
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
  const statement = declaration && ts.findAncestor(declaration, isImport);
  const specifier = statement && moduleSpecifierOf(statement);
  if (!symbol || !specifier) return undefined;
  if (isUnresolved(specifier, checker)) return specifier;
  return ts.isImportSpecifier(declaration) && isUnknown(symbol, checker)
    ? exportedName(declaration)
    : undefined;
}

function isImport(node: ts.Node): node is ts.ImportDeclaration | ts.ImportEqualsDeclaration {
  return ts.isImportDeclaration(node) || ts.isImportEqualsDeclaration(node);
}

/** Whether TypeScript finds no module there. An import for its effects alone is not looked up. */
export function isUnresolved(specifier: ts.Node, checker: ts.TypeChecker): boolean {
  const { parent } = specifier;
  const isForEffects = ts.isImportDeclaration(parent) && !parent.importClause;
  return !isForEffects && checker.getSymbolAtLocation(specifier) === undefined;
}

/**
 * The file that a module is resolved to, whether or not TypeScript reads such files.
 *
 * @param mode how the import is resolved: as one of a module, or as a `require`
 */
export function resolvedFile(
  module: string,
  from: string,
  mode: ts.ResolutionMode,
  options: ts.CompilerOptions,
): string | undefined {
  return ts.resolveModuleName(module, from, options, ts.sys, undefined, undefined, mode).resolvedModule
    ?.resolvedFileName;
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
