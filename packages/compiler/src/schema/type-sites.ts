import { bareTypeNode, isOwnNode } from "../project/nodes.js";
import { ts } from "../project/typescript.js";
import type { Derivation, TypeSite } from "./derivation.js";

/** A site further in, pointing at `node` where the author can edit it, and at the outer node otherwise. */
export function inner(
  outer: TypeSite,
  segment: string | undefined,
  node: ts.Node | undefined,
  typeNode: ts.TypeNode | undefined = undefined,
  more: Pick<TypeSite, "binding" | "inUnion"> = NOTHING_MORE,
): TypeSite {
  const at = typeNode && isOwnNode(typeNode) ? typeNode : node && isOwnNode(node) ? node : outer.node;
  return {
    node: at,
    typeNode,
    outer,
    segment,
    binding: more.binding,
    inUnion: more.inUnion ?? outer.inUnion,
    // A member of a union is the same value still.
    isJson: segment === undefined && outer.isJson,
  };
}

const NOTHING_MORE: Pick<TypeSite, "binding" | "inUnion"> = {};

/** The same site with another type node, for a type that is not the one written there. */
export function withTypeNode(site: TypeSite, typeNode: ts.TypeNode | undefined): TypeSite {
  if (typeNode === site.typeNode) return site;
  const { node, outer, segment, binding, inUnion, isJson } = site;
  return { node, typeNode, outer, segment, binding, inUnion, isJson };
}

/** The steps from the root to a site. */
export function pathOf(site: TypeSite): string[] {
  const path: string[] = [];
  for (let each: TypeSite | undefined = site; each; each = each.outer) {
    if (each.segment !== undefined) path.unshift(each.segment);
  }
  return path;
}

/**
 * The type node, if it still says what the type is: inside generics and mapped types a declaration's node
 * names type parameters, or the member before it was mapped.
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
