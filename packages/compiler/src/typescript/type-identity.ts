import { ts } from "./typescript.js";

/**
 * Returns the identity of a type: two types with the same identity have the same values. Unions are compared by their
 * members without `undefined`, which `?` adds.
 */
export function getIdentity(type: ts.Type): string {
  if (!type.isUnion()) return String(getId(type));
  const members = getPresentMembers(type).map((member) => getId(member));
  return members.length === 1 ? String(members[0]) : `u${members.join(",")}`;
}

/** Returns the checker's number of a type. A fresh literal has that of its regular form. */
function getId(type: ts.Type): number {
  const { id, regularType } = type as ts.Type & { id: number; regularType?: ts.Type & { id: number } };
  return regularType?.id ?? id;
}

/** Returns the members of a union except `undefined`. */
export function getPresentMembers(type: ts.UnionType): ts.Type[] {
  return type.types.filter((member) => !isAbsent(member));
}

/** Returns whether a union is part of a larger one. */
export function isWithin(union: ts.UnionType, members: readonly ts.Type[]): boolean {
  const present = getPresentMembers(union);
  return present.length < members.length && present.every((member) => members.includes(member));
}

/** Returns the members of a type except `undefined`. The only member of a type that is not a union is the type itself. */
export function getUnionMembers(type: ts.Type): ts.Type[] {
  return type.isUnion() ? getPresentMembers(type) : isAbsent(type) ? [] : [type];
}

/** Returns whether a type is `undefined` or `void`, for which JSON omits the member. */
export function isAbsent(type: ts.Type): boolean {
  return (type.flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Void)) !== 0;
}

/** Returns whether `undefined` is a value of a type. Callers decide about `any` and `unknown`. */
export function mayBeAbsent(type: ts.Type): boolean {
  return isAbsent(type) || (type.isUnion() && type.types.some((member) => isAbsent(member)));
}

/** Removes `undefined` from a union if only one other member remains; otherwise returns the type itself. */
export function withoutUndefined(type: ts.Type): ts.Type {
  if (!type.isUnion() || !type.types.some((member) => isAbsent(member))) return type;
  const present = getPresentMembers(type);
  const [only] = present;
  return present.length === 1 && only ? only : type;
}
