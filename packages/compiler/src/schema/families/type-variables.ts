import { ts } from "../../typescript/typescript.js";
import { UNSUPPORTED } from "../../json-schema/fragment.js";
import { type TypeRule } from "../derivation/derivation.js";
import { withWritten } from "../derivation/type-sites.js";

const UNRESOLVED =
  ts.TypeFlags.TypeParameter |
  ts.TypeFlags.IndexedAccess |
  ts.TypeFlags.Conditional |
  ts.TypeFlags.Substitution |
  ts.TypeFlags.Index;

/** Derives a type parameter of a generic method from its constraint: clients may send any value of the constraint. */
export const typeVariables: TypeRule = (type, site, derivation) => {
  if (!isUnresolved(type)) return undefined;
  const { checker, cache, bindings } = derivation;
  const constraint = checker.getBaseConstraintOfType(type);
  if (constraint && constraint !== type && !(constraint.flags & ts.TypeFlags.Unknown)) {
    return derivation.derive(
      constraint,
      withWritten(site, cache.types.bindConstraints(site.written, type, bindings)),
    );
  }
  derivation.report("type-unresolved", site.node, {
    where: derivation.describeSite(site),
    type: derivation.formatType(type),
  });
  return UNSUPPORTED;
};

/** Returns whether a type is `T` or `T & { … }`, which includes `NonNullable<T>`. */
export function isUnresolved(type: ts.Type): boolean {
  if (type.isIntersection()) return type.types.some((member) => isUnresolved(member));
  return (type.flags & UNRESOLVED) !== 0;
}
