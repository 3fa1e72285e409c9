import { ts } from "../../project/typescript.js";
import { UNSUPPORTED } from "../../json-schema/fragment.js";
import { type TypeRule } from "../derivation.js";
import { withTypeNode } from "../type-sites.js";

const UNRESOLVED =
  ts.TypeFlags.TypeParameter |
  ts.TypeFlags.IndexedAccess |
  ts.TypeFlags.Conditional |
  ts.TypeFlags.Substitution |
  ts.TypeFlags.Index;

/** In a generic method the type parameter's constraint is all that is known: any value of it may be sent. */
export const typeVariables: TypeRule = (type, site, derivation) => {
  if (!isUnresolved(type)) return undefined;
  const { checker } = derivation;
  const constraint = checker.getBaseConstraintOfType(type);
  if (constraint && constraint !== type && !(constraint.flags & ts.TypeFlags.Unknown)) {
    return derivation.derive(constraint, withTypeNode(site, undefined));
  }
  derivation.report("type-unresolved", site.node, {
    where: derivation.where(site),
    type: derivation.show(type),
  });
  return UNSUPPORTED;
};

/** `T` and `T & { … }`, which `NonNullable<T>` is too. */
export function isUnresolved(type: ts.Type): boolean {
  if (type.isIntersection()) return type.types.some((member) => isUnresolved(member));
  return (type.flags & UNRESOLVED) !== 0;
}
