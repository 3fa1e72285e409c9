import { UNSUPPORTED } from "../../json-schema/fragment.js";
import { isLibraryNode } from "../../typescript/nodes.js";
import { ts } from "../../typescript/typescript.js";
import type { DerivationCache } from "../derivation/derivation-cache.js";
import type { TypeRule } from "../derivation/derivation.js";

/** Returns whether a type is the runtime's `Cursor`. An author's own `Cursor` is an ordinary type. */
export function isCursor(type: ts.Type, cache: DerivationCache): boolean {
  return type.symbol?.name === "Cursor" && cache.runtime.getName(type.symbol) === "Cursor";
}

/** Rejects cursors inside an argument or a result, where nothing creates them. */
export const cursors: TypeRule = (type, site, derivation) => {
  if (!isCursor(type, derivation.cache)) return undefined;
  derivation.report("type-cursor", site.node, {
    where: derivation.describeSite(site),
    problem: derivation.direction === "input" ? "nested" : "result",
  });
  return UNSUPPORTED;
};

/** Rejects `Principal` inside an argument, where clients could claim to be anyone. Arguments are not verified. */
export const principals: TypeRule = (type, site, derivation) => {
  if (derivation.direction === "output") return undefined;
  const isPrincipal = [type, ...(type.isClassOrInterface() ? (type.getBaseTypes() ?? []) : [])].some(
    (each) =>
      each.symbol?.name === "Principal" && derivation.cache.runtime.getName(each.symbol) === "Principal",
  );
  if (!isPrincipal) return undefined;
  derivation.report("type-principal", site.node, {
    where: derivation.describeSite(site),
    type: derivation.formatType(type),
    ...(isNullableParameter(site.node, derivation.checker) && { isNullable: true }),
  });
  return UNSUPPORTED;
};

/** Returns whether a node is a parameter that may be `null`, or its type. Parameters that may be `undefined` are injected. */
function isNullableParameter(node: ts.Node, checker: ts.TypeChecker): boolean {
  const parameter = ts.isUnionTypeNode(node.parent) ? node.parent.parent : node.parent;
  const declaration = [node, parameter].find((each) => ts.isParameter(each));
  if (declaration === undefined) return false;
  const type = checker.getTypeAtLocation(declaration);
  return type.isUnion() && type.types.some(({ flags }) => flags & ts.TypeFlags.Null);
}

/** The types of parameters that receive an object of the server, which no client can send. */
const INJECTABLE = ["Context", "AbortSignal"] as const;

/**
 * Returns the name of the injected type that a type inside an argument is, extends, or is written with, such as
 * `Pick<Context, "signal">`. A separate parameter must have that type to receive its value.
 */
export function findInjectable(
  type: ts.Type,
  cache: DerivationCache,
): (typeof INJECTABLE)[number] | undefined {
  const related = [
    type,
    ...(type.isIntersection() ? type.types : []),
    ...(type.isClassOrInterface() ? (type.getBaseTypes() ?? []) : []),
    ...(type.aliasTypeArguments ?? []),
  ];
  return INJECTABLE.find((name) =>
    related.some(({ symbol }) => {
      if (symbol?.name !== name) return false;
      if (name === "Context") return cache.runtime.getName(symbol) === name;
      return symbol.declarations?.some((each) => isLibraryNode(each)) ?? false;
    }),
  );
}
