/**
 * Names in types: their declarations, and the type arguments bound to type parameters.
 * @module
 */
import { isLibraryNode } from "../typescript/nodes.js";
import { getAliasedSymbol } from "../typescript/aliased-symbol.js";
import { ts } from "../typescript/typescript.js";
import { inheritDeclarations, NO_BINDINGS, type TypeBindings, type WrittenType } from "./written-type.js";

/** A node that refers to a declaration by name, with or without type arguments. */
export type NamingNode =
  ts.TypeReferenceNode | ts.ExpressionWithTypeArguments | ts.ImportTypeNode | ts.TypeQueryNode;

/** Returns whether a node names a type that is declared elsewhere. */
export function isNamingNode(node: ts.Node): node is NamingNode {
  return (
    ts.isTypeReferenceNode(node) ||
    ts.isExpressionWithTypeArguments(node) ||
    ts.isImportTypeNode(node) ||
    ts.isTypeQueryNode(node)
  );
}

/** Finds the symbol that a node refers to, in the module that declares it. */
export function findNamedSymbol(node: NamingNode, checker: ts.TypeChecker): ts.Symbol | undefined {
  const name = getNameNode(node);
  return getAliasedSymbol(name && checker.getSymbolAtLocation(name), checker);
}

function getNameNode(node: NamingNode): ts.Node | undefined {
  if (ts.isTypeReferenceNode(node)) return node.typeName;
  if (ts.isTypeQueryNode(node)) return ts.isImportTypeNode(node.exprName) ? undefined : node.exprName;
  return ts.isImportTypeNode(node) ? node.qualifier : node.expression;
}

/** Finds the type alias that a node refers to, in the author's code or a library. */
export function findAlias(node: ts.Node, checker: ts.TypeChecker): ts.TypeAliasDeclaration | undefined {
  if (!isNamingNode(node) || ts.isTypeQueryNode(node) || (ts.isImportTypeNode(node) && node.isTypeOf))
    return undefined;
  if (isOwnName(node, checker)) return undefined;
  return findNamedSymbol(node, checker)?.declarations?.find((each) => ts.isTypeAliasDeclaration(each));
}

/** Returns whether a node names a class, interface, or enum directly. Its type shows that without a lookup of the name. */
function isOwnName(node: NamingNode, checker: ts.TypeChecker): boolean {
  const { symbol, aliasSymbol } = checker.getTypeFromTypeNode(node);
  const named = ts.SymbolFlags.Class | ts.SymbolFlags.Interface | ts.SymbolFlags.Enum;
  if (aliasSymbol || !symbol || !(symbol.flags & named)) return false;
  const name = getNameNode(node);
  return name !== undefined && ts.isIdentifier(name) && name.escapedText === symbol.escapedName;
}

/** Returns the type that is bound to a type parameter. */
export function getBinding(
  node: ts.Node,
  bindings: TypeBindings,
  checker: ts.TypeChecker,
): WrittenType | undefined {
  if (bindings.size === 0 || !ts.isTypeReferenceNode(node) || node.typeArguments) return undefined;
  const symbol = checker.getSymbolAtLocation(node.typeName);
  return symbol && bindings.get(symbol);
}

/** Returns the name of the library type that a node refers to, such as `Awaited`. */
export function getLibraryTypeName(node: ts.Node, checker: ts.TypeChecker): string | undefined {
  if (!ts.isTypeReferenceNode(node) || !ts.isIdentifier(node.typeName)) return undefined;
  const symbol = findNamedSymbol(node, checker);
  return symbol?.declarations?.some((each) => isLibraryNode(each)) ? symbol.name : undefined;
}

/** Adds bindings for the type parameters of a declaration, from type arguments or defaults. */
export function bindParameters(
  parameters: readonly ts.TypeParameterDeclaration[] | undefined,
  typeArguments: readonly WrittenType[],
  bindings: TypeBindings,
  checker: ts.TypeChecker,
): TypeBindings {
  if (!parameters) return bindings;
  const inside = new Map(bindings);
  for (const [index, parameter] of parameters.entries()) {
    const symbol = checker.getSymbolAtLocation(parameter.name);
    if (!symbol) continue;
    const argument = typeArguments[index];
    if (argument) inside.set(symbol, argument);
    else if (parameter.default) inside.set(symbol, { node: parameter.default, bindings: new Map(inside) });
    else inside.delete(symbol);
  }
  return inside;
}

/** Returns the type arguments of a node, with the bindings in scope. */
export function getTypeArguments({ node, bindings }: WrittenType): WrittenType[] {
  const given = isNamingNode(node) ? (node.typeArguments ?? []) : [];
  return given.map((each) => ({ node: each, bindings }));
}

/** Returns the type arguments that a class or interface passes to the declarations that it extends or implements. */
export function getInheritedBindings(declaration: ts.Node, checker: ts.TypeChecker): TypeBindings {
  const found = new Map<ts.Symbol, WrittenType>();
  addInherited(declaration, NO_BINDINGS, checker, found, 0);
  return found;
}

/** Maximum depth of a class hierarchy. An incorrect program can be circular. */
const MAX_BASES = 20;

function addInherited(
  declaration: ts.Node,
  bindings: TypeBindings,
  checker: ts.TypeChecker,
  found: Map<ts.Symbol, WrittenType>,
  depth: number,
): void {
  if (depth > MAX_BASES || !isClassOrInterface(declaration)) return;
  for (const node of getBases(declaration)) {
    const base = findNamedSymbol(node, checker)?.declarations?.find(isClassOrInterface);
    if (!base) continue;
    const inside = bindParameters(
      base.typeParameters,
      getTypeArguments({ node, bindings }),
      bindings,
      checker,
    );
    for (const [symbol, each] of inside) found.set(symbol, each);
    addInherited(base, inside, checker, found, depth + 1);
  }
}

/** Returns the types that a class or interface extends and implements. */
export function getBases(
  declaration: ts.ClassLikeDeclaration | ts.InterfaceDeclaration,
): readonly ts.ExpressionWithTypeArguments[] {
  return (declaration.heritageClauses ?? []).flatMap(({ types }) => [...types]);
}

/** Returns whether a node declares a class or an interface. */
export function isClassOrInterface(
  node: ts.Node | undefined,
): node is ts.ClassLikeDeclaration | ts.InterfaceDeclaration {
  return node !== undefined && (ts.isClassLike(node) || ts.isInterfaceDeclaration(node));
}

/** Finds the type parameters that a node mentions. */
export function findTypeParameters(node: ts.Node, checker: ts.TypeChecker): readonly ts.Symbol[] {
  const found = new Set<ts.Symbol>();
  const visit = (each: ts.Node): void => {
    const symbol = ts.isIdentifier(each) ? checker.getSymbolAtLocation(each) : undefined;
    if (symbol && symbol.flags & ts.SymbolFlags.TypeParameter) found.add(symbol);
    ts.forEachChild(each, visit);
  };
  visit(node);
  return [...found];
}

/**
 * Binds the type parameters that a written type mentions to their constraints, so that the tags of the constraints apply. In a class
 * that uses the type `this`, a type parameter has a copy, which has no expression.
 */
export function bindConstraints(
  written: WrittenType | undefined,
  type: ts.Type,
  outer: TypeBindings,
  checker: ts.TypeChecker,
): WrittenType | undefined {
  if (!written) {
    const node = type.flags & ts.TypeFlags.TypeParameter ? findConstraint(type.symbol) : undefined;
    return node && bindConstraints({ node, bindings: outer }, type, outer, checker);
  }
  if (written.structure) return written;
  const bindings = new Map(written.bindings);
  const bind = (mentioning: ts.Node): void => {
    for (const symbol of findTypeParameters(mentioning, checker)) {
      const node = findConstraint(symbol);
      if (!node || bindings.has(symbol)) continue;
      bindings.set(symbol, { node, bindings });
      // In `<T extends Count, U extends T>`, the constraint of `U` mentions `T`.
      bind(node);
    }
  };
  bind(written.node);
  return inheritDeclarations(written, { node: written.node, bindings });
}

function findConstraint({ declarations }: ts.Symbol): ts.TypeNode | undefined {
  return declarations?.find((each) => ts.isTypeParameterDeclaration(each))?.constraint;
}
