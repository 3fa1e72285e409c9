/**
 * Declarations with type parameters, and what is given for these.
 * @module
 */
import { ts } from "./typescript.js";
import { symbolOf, type TypeBindings } from "./written-parts.js";

type Generic = ts.TypeAliasDeclaration | ts.InterfaceDeclaration | ts.ClassLikeDeclaration;

/** The declaration that a name in a type leads to, where that may have type parameters. */
export function genericDeclaration(name: ts.Node, checker: ts.TypeChecker): Generic | undefined {
  return symbolOf(name, checker)?.declarations?.find(
    (each) => ts.isTypeAliasDeclaration(each) || ts.isInterfaceDeclaration(each) || ts.isClassLike(each),
  );
}

/** `bindings` with those of a declaration's type parameters, where arguments or defaults are given for them. */
export function bound(
  parameters: readonly ts.TypeParameterDeclaration[] | undefined,
  given: readonly ts.TypeNode[] | undefined,
  bindings: TypeBindings,
  checker: ts.TypeChecker,
): TypeBindings {
  if (!parameters) return bindings;
  const inside = new Map(bindings);
  for (const [index, parameter] of parameters.entries()) {
    const symbol = checker.getSymbolAtLocation(parameter.name);
    const argument = given?.[index];
    if (!symbol) continue;
    if (argument) inside.set(symbol, { node: argument, bindings });
    else if (parameter.default) inside.set(symbol, { node: parameter.default, bindings: new Map(inside) });
  }
  return inside;
}
