/**
 * The types of parameters that a handler may have besides plain arguments.
 * @module
 */
import type { HandlerParameter } from "@tenon/runtime/manifest";
import { isLibraryNode } from "../../typescript/nodes.js";
import { ts } from "../../typescript/typescript.js";
import type { DerivationCache } from "../derivation/derivation-cache.js";
import { isSupportedLibraryType, getLibraryName } from "../families/library-types.js";

/**
 * Returns what the runtime passes to a parameter of this type, or undefined for arguments. The types are recognized by
 * their declarations: an author's own `Context` or `AbortSignal` is an ordinary type.
 *
 * @param optional whether the parameter may be omitted or `undefined`
 */
export function findInjectedParameter(
  type: ts.Type,
  optional: boolean,
  cache: DerivationCache,
): HandlerParameter | undefined {
  const symbol = type.getSymbol();
  const name = symbol?.name;
  if (name === "Context" && cache.runtime.getName(symbol) === "Context") return { from: "context" };
  if (name === "Principal" && cache.runtime.getName(symbol) === "Principal")
    return { from: "principal", ...(optional && { optional }) };
  const isSignal = name === "AbortSignal" && symbol?.declarations?.some((each) => isLibraryNode(each));
  return isSignal ? { from: "signal" } : undefined;
}

/**
 * Returns whether the properties of a lone parameter of the type are the arguments: it must be one object type, however
 * it is written. Unions do not qualify, since their members would be alternatives at the root, which clients reject.
 * Neither do arrays and library classes that JSON represents differently.
 */
export function isArgumentsObject(type: ts.Type, checker: ts.TypeChecker): boolean {
  if (type.flags & ts.TypeFlags.TypeParameter) {
    const constraint = checker.getBaseConstraintOfType(type);
    return constraint !== undefined && constraint !== type && isArgumentsObject(constraint, checker);
  }
  if (type.isIntersection()) return type.types.every((member) => isArgumentsObject(member, checker));
  if (!(type.flags & ts.TypeFlags.Object)) return false;
  if (checker.isArrayType(type) || checker.isTupleType(type)) return false;
  if (isSupportedLibraryType(type) || getLibraryName(type) !== undefined) return false;
  return type.getCallSignatures().length === 0 && type.getConstructSignatures().length === 0;
}
