import { ts } from "../../typescript/typescript.js";
import { unwrapTypeNode } from "../../typescript/nodes.js";
import { findAlias } from "../../syntax/type-syntax.js";
import { getIdentity } from "../../typescript/type-identity.js";
import { getLiteralValue } from "../../typescript/literal-value.js";

/**
 * Returns the members of a union in the order in which the author wrote them. The checker's own order depends on when
 * it first encountered each type, so unrelated files can change it.
 */
export function getOrderedMembers(
  type: ts.UnionType,
  typeNode: ts.TypeNode | undefined,
  checker: ts.TypeChecker,
): ts.Type[] {
  const written = new Map<string, number>();
  const record = (each: ts.Type): void => {
    const key = getIdentity(each);
    if (!written.has(key)) written.set(key, written.size);
  };
  if (typeNode) recordNode(typeNode, checker, record, 0);
  if (type.aliasSymbol) recordSymbol(type.aliasSymbol, checker, record, 0);
  if (type.symbol) recordSymbol(type.symbol, checker, record, 0);
  const ranked = type.types.map((member) => ({ member, rank: written.get(getIdentity(member)) ?? Infinity }));
  return ranked
    .sort((a, b) => (a.rank === b.rank ? compareTypes(a.member, b.member, checker) : a.rank - b.rank))
    .map(({ member }) => member);
}

const MAX_DEPTH = 12;

function recordNode(
  node: ts.TypeNode,
  checker: ts.TypeChecker,
  record: (type: ts.Type) => void,
  depth: number,
): void {
  if (depth > MAX_DEPTH) return;
  const bare = unwrapTypeNode(node);
  if (ts.isUnionTypeNode(bare)) {
    for (const member of bare.types) recordNode(member, checker, record, depth + 1);
    return;
  }
  if (ts.isTypeOperatorNode(bare) && bare.operator === ts.SyntaxKind.KeyOfKeyword) {
    const owner = checker.getTypeFromTypeNode(bare.type);
    for (const property of checker.getPropertiesOfType(owner))
      record(checker.getStringLiteralType(property.name));
    return;
  }
  if (ts.isIndexedAccessTypeNode(bare)) {
    const owner = checker.getTypeFromTypeNode(bare.objectType);
    if (checker.isTupleType(owner)) {
      for (const element of checker.getTypeArguments(owner as ts.TypeReference))
        recordType(element, checker, record, depth);
    } else {
      for (const property of checker.getPropertiesOfType(owner)) {
        recordType(checker.getTypeOfSymbol(property), checker, record, depth);
      }
    }
    return;
  }
  const type = checker.getTypeFromTypeNode(bare);
  if (!type.isUnion()) record(type);
  else if (type.flags & ts.TypeFlags.Boolean) for (const member of type.types) record(member);
  if (!ts.isTypeReferenceNode(bare)) return;
  for (const argument of bare.typeArguments ?? []) recordNode(argument, checker, record, depth + 1);
  const alias = findAlias(bare, checker);
  if (alias && !alias.typeParameters) recordNode(alias.type, checker, record, depth + 1);
  else if (type.symbol) recordSymbol(type.symbol, checker, record, depth + 1);
}

function recordType(
  type: ts.Type,
  checker: ts.TypeChecker,
  record: (type: ts.Type) => void,
  depth: number,
): void {
  if (!type.isUnion()) record(type);
  else if (type.aliasSymbol ?? type.symbol)
    recordSymbol(type.aliasSymbol ?? type.symbol, checker, record, depth + 1);
}

/** Records the members of an enum in order, or the type that an alias names. */
function recordSymbol(
  symbol: ts.Symbol,
  checker: ts.TypeChecker,
  record: (type: ts.Type) => void,
  depth: number,
): void {
  if (depth > MAX_DEPTH) return;
  for (const declaration of symbol.declarations ?? []) {
    if (ts.isEnumDeclaration(declaration)) {
      for (const member of declaration.members) {
        const memberSymbol = checker.getSymbolAtLocation(member.name);
        if (memberSymbol) record(checker.getDeclaredTypeOfSymbol(memberSymbol));
      }
    } else if (ts.isTypeAliasDeclaration(declaration)) {
      recordNode(declaration.type, checker, record, depth + 1);
    }
  }
}

/** Compares types whose order the source does not determine: literals by value, all others by declaration. */
function compareTypes(left: ts.Type, right: ts.Type, checker: ts.TypeChecker): number {
  const [a, b] = [getLiteralValue(left), getLiteralValue(right)];
  if (a !== undefined && b !== undefined && typeof a === typeof b) return a < b ? -1 : a > b ? 1 : 0;
  if (left.flags !== right.flags) return left.flags - right.flags;
  const byDeclaration = compareMembers(left, right);
  return byDeclaration === 0
    ? compareText(checker.typeToString(left), checker.typeToString(right))
    : byDeclaration;
}

/** Compares intersections by their first differing members: for the checker, `(A | B) & C` is `A & C | B & C`. */
function compareMembers(left: ts.Type, right: ts.Type): number {
  if (!left.isIntersection() || !right.isIntersection())
    return compareDeclarations(left.symbol, right.symbol);
  for (const [index, member] of left.types.entries()) {
    const other = right.types[index];
    if (other && other !== member) return compareDeclarations(member.symbol, other.symbol);
  }
  return 0;
}

/** Compares symbols by the position of their first declarations. Symbols without a declaration come last. */
export function compareDeclarations(left: ts.Symbol | undefined, right: ts.Symbol | undefined): number {
  const [a, b] = [left?.declarations?.[0], right?.declarations?.[0]];
  if (!a || !b) return (a ? 0 : 1) - (b ? 0 : 1);
  return compareText(a.getSourceFile().fileName, b.getSourceFile().fileName) || a.pos - b.pos;
}

function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
