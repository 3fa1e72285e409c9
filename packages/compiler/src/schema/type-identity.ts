import { ts } from "../project/typescript.js";

/**
 * Two types with one identity have the same values. Unions are compared by their members, so that adding
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

/** The same of any type: what is no union has one member, itself. */
export function membersOfUnion(type: ts.Type): ts.Type[] {
  return type.isUnion() ? presentMembers(type) : isAbsent(type) ? [] : [type];
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
