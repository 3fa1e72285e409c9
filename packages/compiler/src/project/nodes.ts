import { libraryFolder, ts } from "./typescript.js";

const LIBRARY_PACKAGE = /\/node_modules\/(?:typescript\/lib\/lib\.|@typescript\/lib-|@types\/node\/)/;

/** Whether TypeScript or Node declares this, and not the author or a package. */
export function isLibraryNode(node: ts.Node): boolean {
  const { fileName } = node.getSourceFile();
  return fileName.startsWith(libraryFolder) || LIBRARY_PACKAGE.test(fileName);
}

/** Whether a file belongs to a package that is installed, so that its author does not write for this compiler. */
export function isPackageFile({ fileName }: ts.SourceFile): boolean {
  return fileName.includes("/node_modules/");
}

/** Whether the node is in a file the author edits, so that a diagnostic there can be acted on. */
export function isOwnNode(node: ts.Node): boolean {
  const file = node.getSourceFile();
  return !file.isDeclarationFile && !isPackageFile(file);
}

/**
 * A type node without what does not change its type: parentheses, `readonly`, the `?` and `...` of tuple
 * elements.
 */
export function bareTypeNode(node: ts.TypeNode): ts.TypeNode {
  if (ts.isParenthesizedTypeNode(node) || ts.isOptionalTypeNode(node)) return bareTypeNode(node.type);
  if (ts.isNamedTupleMember(node)) return bareTypeNode(node.type);
  if (ts.isTypeOperatorNode(node) && node.operator === ts.SyntaxKind.ReadonlyKeyword)
    return bareTypeNode(node.type);
  return node;
}

/**
 * The alias a type node names, and the node behind it; undefined for type parameters, classes, interfaces and
 * generic aliases, whose inside speaks of their parameters.
 */
export function aliasOf(
  node: ts.TypeNode,
  checker: ts.TypeChecker,
): { declaration: ts.TypeAliasDeclaration; target: ts.TypeNode | undefined } | undefined {
  if (!ts.isTypeReferenceNode(node)) return undefined;
  if (namesItself(node, checker)) return undefined;
  let symbol = checker.getSymbolAtLocation(node.typeName);
  if (symbol && symbol.flags & ts.SymbolFlags.Alias) symbol = checker.getAliasedSymbol(symbol);
  const declaration = symbol?.declarations?.find((each) => ts.isTypeAliasDeclaration(each));
  if (!declaration) return undefined;
  return { declaration, target: declaration.typeParameters ? undefined : bareTypeNode(declaration.type) };
}

/** A class, interface or enum under its own name: known from the type, without looking the name up again. */
function namesItself(node: ts.TypeReferenceNode, checker: ts.TypeChecker): boolean {
  const { symbol, aliasSymbol } = checker.getTypeFromTypeNode(node);
  const named = ts.SymbolFlags.Class | ts.SymbolFlags.Interface | ts.SymbolFlags.Enum;
  if (aliasSymbol || !symbol || !(symbol.flags & named)) return false;
  return ts.isIdentifier(node.typeName) && node.typeName.escapedText === symbol.escapedName;
}
