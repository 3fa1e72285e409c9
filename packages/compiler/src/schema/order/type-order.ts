import { ts } from "../../project/typescript.js";
import { aliasOf, bareTypeNode } from "../../project/nodes.js";
import { identityOf } from "../type-identity.js";
import { literalValue } from "../families/literals.js";

/**
 * The members of a union in the order the author wrote them. The checker keeps them in the order it happened
 * to meet them, which changes with files that have nothing to do with the union.
 */
export function orderedMembers(
  type: ts.UnionType,
  typeNode: ts.TypeNode | undefined,
  checker: ts.TypeChecker,
): ts.Type[] {
  const written = new Map<string, number>();
  const note = (each: ts.Type): void => {
    const key = identityOf(each);
    if (!written.has(key)) written.set(key, written.size);
  };
  if (typeNode) noteNode(typeNode, checker, note, 0);
  if (type.aliasSymbol) noteSymbol(type.aliasSymbol, checker, note, 0);
  if (type.symbol) noteSymbol(type.symbol, checker, note, 0);
  const ranked = type.types.map((member) => ({ member, rank: written.get(identityOf(member)) ?? Infinity }));
  return ranked
    .sort((a, b) => (a.rank === b.rank ? compareTypes(a.member, b.member, checker) : a.rank - b.rank))
    .map(({ member }) => member);
}

const DEPTH = 12;

function noteNode(
  node: ts.TypeNode,
  checker: ts.TypeChecker,
  note: (type: ts.Type) => void,
  depth: number,
): void {
  if (depth > DEPTH) return;
  const bare = bareTypeNode(node);
  if (ts.isUnionTypeNode(bare)) {
    for (const member of bare.types) noteNode(member, checker, note, depth + 1);
    return;
  }
  if (ts.isTypeOperatorNode(bare) && bare.operator === ts.SyntaxKind.KeyOfKeyword) {
    const owner = checker.getTypeFromTypeNode(bare.type);
    for (const property of checker.getPropertiesOfType(owner))
      note(checker.getStringLiteralType(property.name));
    return;
  }
  if (ts.isIndexedAccessTypeNode(bare)) {
    const owner = checker.getTypeFromTypeNode(bare.objectType);
    if (checker.isTupleType(owner)) {
      for (const element of checker.getTypeArguments(owner as ts.TypeReference))
        noteType(element, checker, note, depth);
    } else {
      for (const property of checker.getPropertiesOfType(owner)) {
        noteType(checker.getTypeOfSymbol(property), checker, note, depth);
      }
    }
    return;
  }
  const type = checker.getTypeFromTypeNode(bare);
  if (!type.isUnion()) note(type);
  else if (type.flags & ts.TypeFlags.Boolean) for (const member of type.types) note(member);
  if (!ts.isTypeReferenceNode(bare)) return;
  for (const argument of bare.typeArguments ?? []) noteNode(argument, checker, note, depth + 1);
  const alias = aliasOf(bare, checker);
  if (alias?.target) noteNode(alias.target, checker, note, depth + 1);
  else if (type.symbol) noteSymbol(type.symbol, checker, note, depth + 1);
}

function noteType(
  type: ts.Type,
  checker: ts.TypeChecker,
  note: (type: ts.Type) => void,
  depth: number,
): void {
  if (!type.isUnion()) note(type);
  else if (type.aliasSymbol ?? type.symbol)
    noteSymbol(type.aliasSymbol ?? type.symbol, checker, note, depth + 1);
}

/** Members of an enum in their order; the node of an alias without parameters. */
function noteSymbol(
  symbol: ts.Symbol,
  checker: ts.TypeChecker,
  note: (type: ts.Type) => void,
  depth: number,
): void {
  if (depth > DEPTH) return;
  for (const declaration of symbol.declarations ?? []) {
    if (ts.isEnumDeclaration(declaration)) {
      for (const member of declaration.members) {
        const memberSymbol = checker.getSymbolAtLocation(member.name);
        if (memberSymbol) note(checker.getDeclaredTypeOfSymbol(memberSymbol));
      }
    } else if (ts.isTypeAliasDeclaration(declaration)) {
      noteNode(declaration.type, checker, note, depth + 1);
    }
  }
}

/** Where the source gives no order: literals by value, then everything else by where it is declared. */
function compareTypes(left: ts.Type, right: ts.Type, checker: ts.TypeChecker): number {
  const [a, b] = [literalValue(left), literalValue(right)];
  if (a !== undefined && b !== undefined && typeof a === typeof b) return a < b ? -1 : a > b ? 1 : 0;
  if (left.flags !== right.flags) return left.flags - right.flags;
  const byDeclaration = compareMembers(left, right);
  return byDeclaration === 0
    ? compareText(checker.typeToString(left), checker.typeToString(right))
    : byDeclaration;
}

/** Intersections by the first of their members that differ: `(A | B) & C` is `A & C | B & C` to the checker. */
function compareMembers(left: ts.Type, right: ts.Type): number {
  if (!left.isIntersection() || !right.isIntersection())
    return compareDeclarations(left.symbol, right.symbol);
  for (const [index, member] of left.types.entries()) {
    const other = right.types[index];
    if (other && other !== member) return compareDeclarations(member.symbol, other.symbol);
  }
  return 0;
}

export function compareDeclarations(left: ts.Symbol | undefined, right: ts.Symbol | undefined): number {
  const [a, b] = [left?.declarations?.[0], right?.declarations?.[0]];
  if (!a || !b) return (a ? 0 : 1) - (b ? 0 : 1);
  return compareText(a.getSourceFile().fileName, b.getSourceFile().fileName) || a.pos - b.pos;
}

function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
