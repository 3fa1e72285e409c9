import { ts } from "./typescript.js";

/** Returns the module specifiers in a file's import and export statements. */
export function getModuleSpecifiers(file: ts.SourceFile): ts.StringLiteral[] {
  return file.statements.flatMap((statement) => {
    const specifier = getModuleSpecifier(statement);
    return specifier && ts.isStringLiteral(specifier) ? [specifier] : [];
  });
}

/** Returns the module specifiers of the types `import("…")` in a file. */
export function getTypeSpecifiers(file: ts.SourceFile): ts.StringLiteral[] {
  // TypeScript collects all specifiers while it binds the file, so the file need not be searched.
  const { imports = [] } = file as { imports?: readonly ts.StringLiteralLike[] };
  return imports.filter(
    (each): each is ts.StringLiteral => ts.isStringLiteral(each) && ts.isLiteralTypeNode(each.parent),
  );
}

function getModuleSpecifier(statement: ts.Statement): ts.Expression | undefined {
  if (ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement))
    return statement.moduleSpecifier;
  const isRequired =
    ts.isImportEqualsDeclaration(statement) && ts.isExternalModuleReference(statement.moduleReference);
  return isRequired ? statement.moduleReference.expression : undefined;
}

/**
 * Finds the unresolved module or name of an import that makes a type unknown.
 *
 * @param typeNode the type as written; undefined for an inferred type
 * @param file the file in which it is written or inferred
 */
export function findBrokenImport(
  typeNode: ts.Node | undefined,
  file: ts.SourceFile,
  checker: ts.TypeChecker,
): ts.Node | undefined {
  if (!typeNode) return getModuleSpecifiers(file).find((specifier) => isUnresolved(specifier, checker));
  const visited = new Set<ts.Node>();
  const visit = (node: ts.Node): ts.Node | undefined => {
    if (visited.has(node)) return undefined;
    visited.add(node);
    if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      const { literal } = node.argument;
      if (isUnresolved(literal, checker)) return literal;
    }
    const found = ts.isIdentifier(node) ? findBrokenImportOfName(node, checker) : undefined;
    const alias = ts.isIdentifier(node) ? findTypeAlias(node, checker) : undefined;
    return found ?? (alias && visit(alias.type)) ?? ts.forEachChild(node, visit);
  };
  return visit(typeNode);
}

function findTypeAlias(name: ts.Identifier, checker: ts.TypeChecker): ts.TypeAliasDeclaration | undefined {
  return checker.getSymbolAtLocation(name)?.declarations?.find(ts.isTypeAliasDeclaration);
}

function findBrokenImportOfName(name: ts.Identifier, checker: ts.TypeChecker): ts.Node | undefined {
  const symbol = checker.getSymbolAtLocation(name);
  const declaration = symbol?.declarations?.[0];
  const statement = declaration && ts.findAncestor(declaration, isImport);
  const specifier = statement && getModuleSpecifier(statement);
  if (!symbol || !specifier) return undefined;
  if (isUnresolved(specifier, checker)) return specifier;
  return ts.isImportSpecifier(declaration) && isUnknown(symbol, checker)
    ? getExportedName(declaration)
    : undefined;
}

function isImport(node: ts.Node): node is ts.ImportDeclaration | ts.ImportEqualsDeclaration {
  return ts.isImportDeclaration(node) || ts.isImportEqualsDeclaration(node);
}

/** Returns whether TypeScript cannot resolve a module. It does not look up imports for side effects. */
export function isUnresolved(specifier: ts.Node, checker: ts.TypeChecker): boolean {
  const { parent } = specifier;
  const isForEffects = ts.isImportDeclaration(parent) && !parent.importClause;
  return !isForEffects && checker.getSymbolAtLocation(specifier) === undefined;
}

/**
 * Resolves a module to a file, whether or not TypeScript reads files of that kind.
 *
 * @param mode whether to resolve it as an `import` or a `require`
 */
export function resolveFile(
  module: string,
  from: string,
  mode: ts.ResolutionMode,
  options: ts.CompilerOptions,
): string | undefined {
  return ts.resolveModuleName(module, from, options, ts.sys, undefined, undefined, mode).resolvedModule
    ?.resolvedFileName;
}

/** Finds the names that a file imports from modules that do not export them. */
export function findNamesNotExported(file: ts.SourceFile, checker: ts.TypeChecker): ts.ImportSpecifier[] {
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

/** Returns the name that a specifier imports, before `as`. */
export function getExportedName({ propertyName, name }: ts.ImportSpecifier): ts.ModuleExportName {
  return propertyName ?? name;
}

function isUnknown(symbol: ts.Symbol, checker: ts.TypeChecker): boolean {
  return (
    (symbol.flags & ts.SymbolFlags.Alias) !== 0 &&
    (checker.getAliasedSymbol(symbol).escapedName as string) === "unknown"
  );
}
