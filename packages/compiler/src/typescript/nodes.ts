import { libraryFolder, ts } from "./typescript.js";

const LIBRARY_PACKAGE = /\/node_modules\/(?:typescript\/lib\/lib\.|@typescript\/lib-|@types\/node\/)/;

/** Returns whether TypeScript or Node declares a node, not the author or a package. */
export function isLibraryNode(node: ts.Node): boolean {
  const { fileName } = node.getSourceFile();
  return fileName.startsWith(libraryFolder) || LIBRARY_PACKAGE.test(fileName);
}

/** Returns whether a file belongs to an installed package, whose author does not write for this compiler. */
export function isPackageFile({ fileName }: ts.SourceFile): boolean {
  return fileName.includes("/node_modules/");
}

/** Returns whether a node is in a file that the author edits, so that a diagnostic there is useful. */
export function isOwnNode(node: ts.Node): boolean {
  const file = node.getSourceFile();
  return !file.isDeclarationFile && !isPackageFile(file);
}

/** Removes syntax that does not change the type: parentheses, `readonly`, and the `?` and names of tuple elements. */
export function unwrapTypeNode(node: ts.TypeNode): ts.TypeNode {
  if (ts.isParenthesizedTypeNode(node) || ts.isOptionalTypeNode(node)) return unwrapTypeNode(node.type);
  if (ts.isNamedTupleMember(node)) return unwrapTypeNode(node.type);
  if (ts.isTypeOperatorNode(node) && node.operator === ts.SyntaxKind.ReadonlyKeyword)
    return unwrapTypeNode(node.type);
  return node;
}
