import { ts } from "../../project/typescript.js";
import { REFUSED } from "../../json-schema/fragment.js";
import { type Rule } from "../derivation.js";
import { withTypeNode } from "../type-sites.js";

const UNRESOLVED =
  ts.TypeFlags.TypeParameter |
  ts.TypeFlags.IndexedAccess |
  ts.TypeFlags.Conditional |
  ts.TypeFlags.Substitution |
  ts.TypeFlags.Index;

/** In a generic method the type parameter's constraint is all that is known: any value of it may be sent. */
export const typeVariables: Rule = (type, place, derivation) => {
  if (!isUnresolved(type)) return undefined;
  const { checker } = derivation;
  const constraint = checker.getBaseConstraintOfType(type);
  if (constraint && constraint !== type && !(constraint.flags & ts.TypeFlags.Unknown)) {
    return derivation.derive(constraint, withTypeNode(place, undefined));
  }
  derivation.report("type-unresolved", place.node, {
    where: derivation.where(place),
    type: derivation.show(type),
  });
  return REFUSED;
};

/** `T` and `T & { … }`, which `NonNullable<T>` is too. */
export function isUnresolved(type: ts.Type): boolean {
  if (type.isIntersection()) return type.types.some((part) => isUnresolved(part));
  return (type.flags & UNRESOLVED) !== 0;
}
