import { libraryFolder, ts } from "../project/typescript.js";
import type { Derivation, Place } from "./derivation.js";

const LIBRARY_PACKAGE = /\/node_modules\/(?:typescript\/lib\/lib\.|@typescript\/lib-|@types\/node\/)/;

/** Whether TypeScript or Node declares this, and not the author or a package. */
export function isLibraryNode(node: ts.Node): boolean {
  const { fileName } = node.getSourceFile();
  return fileName.startsWith(libraryFolder) || LIBRARY_PACKAGE.test(fileName);
}

/** Whether the node is in a file the author edits, so that a diagnostic there can be acted on. */
export function isOwnNode(node: ts.Node): boolean {
  const file = node.getSourceFile();
  return !file.isDeclarationFile && !file.fileName.includes("/node_modules/");
}

/** A place further in, pointing at `node` where the author can edit it, and at the outer node otherwise. */
export function inner(
  outer: Place,
  segment: string | undefined,
  node: ts.Node | undefined,
  typeNode: ts.TypeNode | undefined = undefined,
  more: Pick<Place, "binding" | "inUnion"> = NOTHING_MORE,
): Place {
  const at = typeNode && isOwnNode(typeNode) ? typeNode : node && isOwnNode(node) ? node : outer.node;
  return {
    node: at,
    typeNode,
    outer,
    segment,
    binding: more.binding,
    inUnion: more.inUnion ?? outer.inUnion,
  };
}

const NOTHING_MORE: Pick<Place, "binding" | "inUnion"> = {};

/** The same place with another type node, for a type that is not the one written there. */
export function withTypeNode(place: Place, typeNode: ts.TypeNode | undefined): Place {
  if (typeNode === place.typeNode) return place;
  const { node, outer, segment, binding, inUnion } = place;
  return { node, typeNode, outer, segment, binding, inUnion };
}

/** The steps from the root to a place. */
export function pathOf(place: Place): string[] {
  const path: string[] = [];
  for (let each: Place | undefined = place; each; each = each.outer) {
    if (each.segment !== undefined) path.unshift(each.segment);
  }
  return path;
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
 * The type node, if it still says what the type is: inside generics and mapped types a declaration's node
 * speaks of type parameters, or of the member before it was mapped.
 */
export function trustedNode(
  node: ts.TypeNode | undefined,
  type: ts.Type,
  derivation: Derivation,
): ts.TypeNode | undefined {
  if (!node) return undefined;
  const bare = bareTypeNode(node);
  const written = derivation.checker.getTypeFromTypeNode(bare);
  if (written === type || identityOf(written) === identityOf(type)) return bare;
  return undefined;
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

/**
 * Two types with one identity have the same values. Unions are told by their members, so that adding
 * `undefined` (as `?` does) makes no new one.
 */
export function identityOf(type: ts.Type): string {
  if (!type.isUnion()) return String(numberOf(type));
  const members = presentMembers(type).map((member) => numberOf(member));
  return members.length === 1 ? String(members[0]) : `u${members.join(",")}`;
}

/** The checker numbers types in the order it makes them; literals have a fresh and a regular form. */
function numberOf(type: ts.Type): number {
  const { id, regularType } = type as ts.Type & { id: number; regularType?: ts.Type & { id: number } };
  return regularType?.id ?? id;
}

/** The members of a union but `undefined`. */
export function presentMembers(type: ts.UnionType): ts.Type[] {
  return type.types.filter((member) => !isAbsent(member));
}

/** `undefined` and `void`: what JSON shows by leaving a member out. */
export function isAbsent(type: ts.Type): boolean {
  return (type.flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Void)) !== 0;
}

/** Whether `undefined` is among the values of a type. `any` and `unknown` are left to the caller. */
export function mayBeAbsent(type: ts.Type): boolean {
  return isAbsent(type) || (type.isUnion() && type.types.some((member) => isAbsent(member)));
}

/** The type without `undefined`, where only one other member remains; the type itself otherwise. */
export function onlyPresent(type: ts.Type): ts.Type {
  if (!type.isUnion() || !type.types.some((member) => isAbsent(member))) return type;
  const present = presentMembers(type);
  const [only] = present;
  return present.length === 1 && only ? only : type;
}
