import { ts } from "../../project/typescript.js";
import { isCarriedLibraryType, libraryName } from "../families/library-types.js";

/**
 * Whether the properties of a lone parameter of the type are the arguments: one object type, however written. Not a
 * union (its members would be alternatives at the root, which clients refuse), an array, or a class of the
 * library that JSON writes in its own way.
 */
export function isArgumentsObject(type: ts.Type, checker: ts.TypeChecker): boolean {
  if (type.flags & ts.TypeFlags.TypeParameter) {
    const constraint = checker.getBaseConstraintOfType(type);
    return constraint !== undefined && constraint !== type && isArgumentsObject(constraint, checker);
  }
  if (type.isIntersection()) return type.types.every((member) => isArgumentsObject(member, checker));
  if (!(type.flags & ts.TypeFlags.Object)) return false;
  if (checker.isArrayType(type) || checker.isTupleType(type)) return false;
  if (isCarriedLibraryType(type) || libraryName(type) !== undefined) return false;
  return type.getCallSignatures().length === 0 && type.getConstructSignatures().length === 0;
}
