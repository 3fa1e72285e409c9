import { behindAliases, settled, writtenAlternatives, type WrittenType } from "../project/written-type.js";
import { ts } from "../project/typescript.js";
import { identityOf, isAbsent, membersOfUnion, presentMembers } from "./type-identity.js";

const DEEPEST = 12;

/**
 * Whether what is written is the type. The checker says so where no type parameter is involved; a node inside of a
 * generic declaration is compared part by part, with what its type parameters stand for.
 */
export function denotes(written: WrittenType, type: ts.Type, checker: ts.TypeChecker, depth = 0): boolean {
  const { node, bindings } = settled(written, checker);
  if (isSame(checker.getTypeFromTypeNode(node), type)) return true;
  if (bindings.size === 0 || depth > DEEPEST) return false;
  const isPart = (part: ts.TypeNode, of: ts.Type | undefined): boolean =>
    of !== undefined && denotes({ node: part, bindings }, of, checker, depth + 1);
  const areParts = (parts: readonly ts.TypeNode[] = [], of: readonly ts.Type[] = []): boolean =>
    parts.length === of.length && parts.every((part, index) => isPart(part, of[index]));
  if (ts.isArrayTypeNode(node))
    return checker.isArrayType(type) && areParts([node.elementType], argumentsOf(type, checker));
  if (ts.isTupleTypeNode(node))
    return checker.isTupleType(type) && areParts(node.elements, argumentsOf(type, checker));
  const behind = behindAliases({ node, bindings }, checker);
  if (ts.isUnionTypeNode(behind.node)) return isUnionOf(behind, type, checker, depth + 1);
  if (ts.isIntersectionTypeNode(behind.node)) return isIntersectionOf(behind, type, checker, depth + 1);
  if (behind.node !== node) return denotes(behind, type, checker, depth + 1);
  if (!ts.isTypeReferenceNode(node)) return type.symbol?.declarations?.includes(node as never) === true;
  const named = checker.getTypeFromTypeNode(node);
  if (named.aliasSymbol)
    return named.aliasSymbol === type.aliasSymbol && areParts(node.typeArguments, type.aliasTypeArguments);
  return (
    named.symbol !== undefined &&
    named.symbol === type.symbol &&
    areParts(node.typeArguments, argumentsOf(type, checker))
  );
}

/** Whether two types are one: the checker makes another of an intersection where it forgets the alias that names it. */
function isSame(left: ts.Type, right: ts.Type): boolean {
  if (left === right || identityOf(left) === identityOf(right)) return true;
  if (left.isUnion() && right.isUnion()) return areSame(presentMembers(left), presentMembers(right));
  return left.isIntersection() && right.isIntersection() && areSame(left.types, right.types);
}

function areSame(left: readonly ts.Type[], right: readonly ts.Type[]): boolean {
  return left.length === right.length && left.every((each) => right.some((other) => isSame(each, other)));
}

function argumentsOf(type: ts.Type, checker: ts.TypeChecker): readonly ts.Type[] {
  return (type as ts.ObjectType).objectFlags & ts.ObjectFlags.Reference
    ? checker.getTypeArguments(type as ts.TypeReference)
    : [];
}

/** Of `T & { }`: each part is one of the members, and each member one of the parts. */
function isIntersectionOf(
  { node, bindings }: WrittenType,
  type: ts.Type,
  checker: ts.TypeChecker,
  depth: number,
): boolean {
  if (!type.isIntersection()) return false;
  const parts = (node as ts.IntersectionTypeNode).types.map((part) => ({ node: part, bindings }));
  const isMember = (part: WrittenType, member: ts.Type): boolean => denotes(part, member, checker, depth);
  return (
    parts.every((part) => type.types.some((member) => isMember(part, member))) &&
    type.types.every((member) => parts.some((part) => isMember(part, member)))
  );
}

/** Each alternative is among the members or goes without saying, and each member is one of the alternatives. */
function isUnionOf(written: WrittenType, type: ts.Type, checker: ts.TypeChecker, depth: number): boolean {
  const members = membersOfUnion(type);
  const shown = new Set<ts.Type>();
  for (const each of writtenAlternatives(written, checker)) {
    const own = checker.getTypeFromTypeNode(each.node);
    const found = members.filter(
      (member) =>
        denotes(each, member, checker, depth) || membersOfUnion(own).some((part) => isSame(part, member)),
    );
    for (const member of found) shown.add(member);
    if (found.length === 0 && !isAbsent(own) && !checker.isTypeAssignableTo(own, type)) return false;
  }
  return members.every((member) => shown.has(member));
}
