import { ts } from "ts-morph";
import type { Derivation, Place } from "./derivation.js";
import { literalValue } from "./literals.js";
import { aliasOf } from "./places.js";
import { compareDeclarations, orderedMembers } from "./type-order.js";

/**
 * The properties of an object type in the order the author wrote them. Only where a mapped type takes its keys
 * from a union (`Pick`, `Omit`, `Record`) does the checker's order depend on what else is in the program.
 */
export function orderedProperties(type: ts.Type, place: Place, derivation: Derivation): ts.Symbol[] {
  const properties = derivation.checker.getPropertiesOfType(type);
  if (!((type as ts.ObjectType).objectFlags & ts.ObjectFlags.Mapped) || properties.length < 2)
    return properties;
  if (properties.every((property) => property.declarations?.length))
    return [...properties].sort(compareDeclarations);
  const rank = new Map<string, number>();
  for (const name of keyNames(type, place, derivation)) if (!rank.has(name)) rank.set(name, rank.size);
  const position = (symbol: ts.Symbol): number => rank.get(symbol.name) ?? Infinity;
  return [...properties].sort((a, b) => {
    const [left, right] = [position(a), position(b)];
    if (left !== right) return left - right;
    return a.name < b.name ? -1 : 1;
  });
}

/** Names in the order of the union that the keys come from. */
function keyNames(type: ts.Type, place: Place, derivation: Derivation): string[] {
  const node = place.typeNode && aliasTarget(place.typeNode, derivation.checker);
  const nodes = node && ts.isTypeReferenceNode(node) ? (node.typeArguments ?? []) : [];
  const written = nodes.map((each) =>
    namesIn(derivation.checker.getTypeFromTypeNode(each), each, derivation),
  );
  const fromAlias = (type.aliasTypeArguments ?? []).map((each) => namesIn(each, undefined, derivation));
  const mapped = type.symbol?.declarations?.find((declaration) => ts.isMappedTypeNode(declaration));
  const constraint = mapped?.typeParameter.constraint;
  const inside = constraint
    ? namesIn(derivation.checker.getTypeFromTypeNode(constraint), constraint, derivation)
    : [];
  return [...written, ...fromAlias, inside].flat();
}

/** The node behind aliases without parameters: of `type Limits = Record<…>`, the `Record<…>`. */
function aliasTarget(node: ts.TypeNode, checker: ts.TypeChecker): ts.TypeNode {
  let target = node;
  for (let next = aliasOf(target, checker)?.target; next; next = aliasOf(target, checker)?.target)
    target = next;
  return target;
}

function namesIn(type: ts.Type, node: ts.TypeNode | undefined, derivation: Derivation): string[] {
  if (type.isUnion()) {
    return orderedMembers(type, node, derivation).flatMap((member) => {
      const value = literalValue(member);
      return value === undefined ? [] : [String(value)];
    });
  }
  const isObject = type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection);
  return isObject ? derivation.checker.getPropertiesOfType(type).map((property) => property.name) : [];
}
