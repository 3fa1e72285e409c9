import { ts } from "./typescript.js";

/** Returns whether a symbol is a `const enum` that is only declared, so that it need not exist at run time. */
export function isAmbientConstEnum({ flags, declarations = [] }: ts.Symbol): boolean {
  if ((flags & ts.SymbolFlags.Value) !== ts.SymbolFlags.ConstEnum) return false;
  return declarations.every(isAmbient);
}

/** Returns whether a declaration, or one that contains it, is in a declaration file or has `declare`. */
function isAmbient(node: ts.Node): boolean {
  if (ts.isSourceFile(node)) return node.isDeclarationFile;
  const modifiers = ts.canHaveModifiers(node) ? (ts.getModifiers(node) ?? []) : [];
  return modifiers.some(({ kind }) => kind === ts.SyntaxKind.DeclareKeyword) || isAmbient(node.parent);
}
