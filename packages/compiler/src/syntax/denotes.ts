import { ts } from "../typescript/typescript.js";
import {
  getIdentity,
  isAbsent,
  getUnionMembers,
  withoutUndefined,
  getPresentMembers,
} from "../typescript/type-identity.js";
import { getTypeArgument } from "../typescript/type-mapper.js";
import { getAlternatives, getParts } from "./alternatives.js";
import { findAlias, getTypeArguments } from "./names.js";
import { getPropertyNames } from "./property-names.js";
import { assemble, type Structure, type TypeResolver, type WrittenType } from "./written-type.js";

const MAX_DEPTH = 12;

/**
 * Returns whether a written type denotes a type of the checker. If no type parameter is involved, the checker decides.
 * Types inside generic declarations and assembled types are compared part by part.
 *
 * @param own a type whose aliases and references are resolved
 */
export function denotes(own: WrittenType, type: ts.Type, resolver: TypeResolver, depth: number): boolean {
  const { checker } = resolver;
  const isInferred = own.structure?.kind === "leaf";
  const known = own.structure ? isInferred && own.type : checker.getTypeFromTypeNode(own.node);
  if (known && isSame(known, type)) return true;
  // The arguments of a generic method have the types of the constraints.
  const constraint = getConstraint(type, checker);
  if (constraint !== type) return resolver.denotes(own, constraint, depth + 1);
  // `NoInfer<Date>`, which is a type of its own in the checker.
  if (known && known.flags & ts.TypeFlags.Substitution && isSame(getConstraint(known, checker), type))
    return true;
  if (depth > MAX_DEPTH) return false;
  // The checker creates the types in `Readonly<A | B>` again for a class that inherits them.
  const areUnions = known && known.isUnion() && type.isUnion();
  if (!own.structure && !resolver.isOpen(own) && !mentionsThis(own.node) && !areUnions) return false;
  const areParts = (parts: readonly WrittenType[], types: readonly ts.Type[] = []): boolean =>
    parts.length === types.length &&
    parts.every((part, index) => {
      const other = types[index];
      return other !== undefined && resolver.denotes(part, other, depth + 1);
    });
  if (!own.structure && findAlias(own.node, checker)) {
    const named = checker.getTypeFromTypeNode(own.node);
    if (named.aliasSymbol && named.aliasSymbol === type.aliasSymbol) {
      const typeArguments = getTypeArguments(own);
      if (areParts(typeArguments, type.aliasTypeArguments)) return true;
      // `Omit<A, "kind">` and `Omit<B, "kind">` are different types, even if their members have the same types.
      if (typeArguments.length > 0 && typeArguments.every((each) => resolver.getType(each))) return false;
    }
  }
  const { structure, end } = resolver.resolve(own);
  switch (structure.kind) {
    case "union":
      return isSameUnion(end, type, resolver, depth + 1);
    case "intersection":
      return isSameIntersection(getParts(end, resolver), type, resolver, depth + 1);
    case "array":
      return checker.isArrayType(type) && areParts([structure.element], getReferenceArguments(type, checker));
    case "tuple":
      return isSameTuple(structure, type, resolver, depth + 1);
    case "object": {
      if (!structure.declarations.some((each) => type.symbol?.declarations?.includes(each))) return false;
      const { typeArguments } = structure;
      return typeArguments.length > 0
        ? areParts(typeArguments, getReferenceArguments(type, checker).slice(0, typeArguments.length))
        : hasSameArguments(structure, type, resolver, depth + 1) &&
            hasSameMembers(end, type, resolver, depth + 1);
    }
    case "mapped":
      return (
        type.symbol?.declarations?.includes(structure.node) === true &&
        hasSameArguments(structure, type, resolver, depth + 1) &&
        hasSameNames(structure, type, resolver) &&
        hasSameMembers(end, type, resolver, depth + 1)
      );
    case "name":
      return type.isStringLiteral() && type.value === structure.name;
    default:
      return end !== own && !end.structure && isSame(checker.getTypeFromTypeNode(end.node), type);
  }
}

/** Returns the constraint of a type parameter, or of a type that depends on some. Other types are returned unchanged. */
function getConstraint(type: ts.Type, checker: ts.TypeChecker): ts.Type {
  return (type.flags & ts.TypeFlags.Instantiable && checker.getBaseConstraintOfType(type)) || type;
}

/** Returns whether a type mentions `this`, which the checker replaces in the types of methods, but not in that of the node. */
function mentionsThis(node: ts.Node): boolean {
  return ts.isThisTypeNode(node) || ts.forEachChild(node, mentionsThis) === true;
}

/** Returns the part of an intersection that denotes `member`. Several such parts are returned as an intersection. */
export function findPart(
  written: WrittenType,
  member: ts.Type,
  resolver: TypeResolver,
): WrittenType | undefined {
  const [first, ...others] = getParts(written, resolver).filter((part) => resolver.denotes(part, member));
  if (!first || others.length === 0) return first && resolver.resolveToAlias(first);
  return assemble(written, { kind: "intersection", types: [first, ...others] });
}

/** Returns whether two types are equal. The checker creates a second intersection or union when it drops an alias. */
function isSame(left: ts.Type, right: ts.Type): boolean {
  if (left === right || getIdentity(left) === getIdentity(right)) return true;
  if (left.isUnion() && right.isUnion()) return areSame(getPresentMembers(left), getPresentMembers(right));
  return left.isIntersection() && right.isIntersection() && areSame(left.types, right.types);
}

function areSame(left: readonly ts.Type[], right: readonly ts.Type[]): boolean {
  return left.length === right.length && left.every((each) => right.some((other) => isSame(each, other)));
}

function getReferenceArguments(type: ts.Type, checker: ts.TypeChecker): readonly ts.Type[] {
  return (type as ts.ObjectType).objectFlags & ts.ObjectFlags.Reference
    ? checker.getTypeArguments(type as ts.TypeReference)
    : [];
}

/** Maximum depth of objects that are compared by their members. */
const MAX_OBJECT_DEPTH = 4;

/** Compares members: a literal in a generic type is a different type for each type argument. */
function hasSameMembers(written: WrittenType, type: ts.Type, resolver: TypeResolver, depth: number): boolean {
  if (depth > MAX_OBJECT_DEPTH || written.bindings.size === 0) return true;
  return resolver.checker.getPropertiesOfType(type).every((symbol) => {
    const member = resolver.findMember(written, symbol.name, symbol)?.written;
    const kind = member && resolver.resolve(member).structure.kind;
    if (!member || kind === "unfollowed" || kind === "function") return true;
    return resolver.denotes(member, withoutUndefined(resolver.checker.getTypeOfSymbol(symbol)), depth + 1);
  });
}

/** Compares what replaces the type parameters of a generic declaration, as far as the checker knows both types. */
function hasSameArguments(
  { bindings }: Pick<WrittenType, "bindings">,
  type: ts.Type,
  resolver: TypeResolver,
  depth: number,
): boolean {
  return [...bindings].every(([parameter, written]) => {
    const other = getTypeArgument(type, resolver.checker.getDeclaredTypeOfSymbol(parameter));
    if (!other) return true;
    const own = resolver.getType(written);
    if (own) return isSame(own, other);
    // The checker does not know the inner type of `Readonly<Readonly<A | B>>`, where `A` and `B` may have the same names.
    return resolver.resolve(written).structure.kind !== "mapped" || resolver.denotes(written, other, depth);
  });
}

/** Compares the names of a mapped type's members, if the types behind its keys show them. */
function hasSameNames(
  { node, bindings }: Extract<Structure, { kind: "mapped" }>,
  type: ts.Type,
  resolver: TypeResolver,
): boolean {
  const { constraint } = node.typeParameter;
  const names = constraint && !node.nameType && getPropertyNames({ node: constraint, bindings }, resolver);
  if (!names || names === "any") return true;
  const members = resolver.checker.getPropertiesOfType(type);
  return members.length === new Set(names).size && members.every(({ name }) => names.includes(name));
}

/** Compares elements. A parameter whose type is inferred matches any type. */
function isSameTuple(
  { elements }: Extract<Structure, { kind: "tuple" }>,
  type: ts.Type,
  resolver: TypeResolver,
  depth: number,
): boolean {
  if (!resolver.checker.isTupleType(type)) return false;
  const types = getReferenceArguments(type, resolver.checker);
  if (elements.length !== types.length) return false;
  return elements.every(({ written, isRest }, index) => {
    const part = isRest && written ? resolver.findIndexMember(written)?.written : written;
    const other = types[index];
    return (
      part === undefined || (other !== undefined && resolver.denotes(part, withoutUndefined(other), depth))
    );
  });
}

/** Returns whether each part is one of the members, and each member is one of the parts. */
function isSameIntersection(
  parts: readonly WrittenType[],
  type: ts.Type,
  resolver: TypeResolver,
  depth: number,
): boolean {
  const members = type.isIntersection() ? type.types : [type];
  const isMember = (part: WrittenType, member: ts.Type): boolean => resolver.denotes(part, member, depth);
  return (
    parts.every((part) => members.some((member) => isMember(part, member))) &&
    members.every((member) => parts.some((part) => isMember(part, member)))
  );
}

/** Returns whether each alternative is a member or adds no values, and each member is one of the alternatives. */
function isSameUnion(written: WrittenType, type: ts.Type, resolver: TypeResolver, depth: number): boolean {
  const members = getUnionMembers(type);
  const matched = new Set<ts.Type>();
  for (const each of getAlternatives(written, resolver)) {
    const own = resolver.getType(each);
    const found = members.filter(
      (member) =>
        resolver.denotes(each, member, depth) ||
        (own && getUnionMembers(own).some((part) => isSame(part, member))),
    );
    for (const member of found) matched.add(member);
    // A combination in `(A | B) & (C | D)` may be impossible.
    if (found.length > 0 || each.structure?.kind === "intersection") continue;
    // The checker drops `undefined`, and `"a"` in `"a" | string`, but no object.
    if (!own || own.flags & ts.TypeFlags.Object) return false;
    if (!isAbsent(own) && !resolver.checker.isTypeAssignableTo(own, type)) return false;
  }
  return members.every((member) => matched.has(member));
}
