import { ts } from "../../typescript/typescript.js";
import { getLiteralValue } from "../../typescript/literal-value.js";
import { findAlias } from "../../syntax/type-syntax.js";
import { unwrapTypeNode } from "../../typescript/nodes.js";
import { compareDeclarations, getOrderedMembers } from "./type-order.js";

/**
 * Returns the properties of an object type in the order in which the author wrote them. The checker's order depends on
 * the rest of the program only if a mapped type gets its keys from a union (`Pick`, `Omit`, `Record`).
 */
export function getOrderedProperties(
  type: ts.Type,
  typeNode: ts.TypeNode | undefined,
  checker: ts.TypeChecker,
): ts.Symbol[] {
  const properties = checker.getPropertiesOfType(type);
  if (!((type as ts.ObjectType).objectFlags & ts.ObjectFlags.Mapped) || properties.length < 2)
    return properties;
  if (properties.every((property) => property.declarations?.length))
    return [...properties].sort(compareDeclarations);
  const rank = new Map<string, number>();
  for (const name of listKeyNames(type, typeNode, checker)) if (!rank.has(name)) rank.set(name, rank.size);
  const position = (symbol: ts.Symbol): number => rank.get(symbol.name) ?? Infinity;
  // Keys that `as` renames keep the order of their original type.
  if (!properties.some((property) => rank.has(property.name)) && isOverKeys(type)) return properties;
  return [...properties].sort((a, b) => {
    const [left, right] = [position(a), position(b)];
    if (left !== right) return left - right;
    return a.name < b.name ? -1 : 1;
  });
}

function findMappedNode(type: ts.Type): ts.MappedTypeNode | undefined {
  return type.symbol?.declarations?.find((declaration) => ts.isMappedTypeNode(declaration));
}

/** Returns whether a type is written as `[K in keyof T]`. */
function isOverKeys(type: ts.Type): boolean {
  const constraint = findMappedNode(type)?.typeParameter.constraint;
  return (
    constraint !== undefined &&
    ts.isTypeOperatorNode(constraint) &&
    constraint.operator === ts.SyntaxKind.KeyOfKeyword
  );
}

/** Returns names in the order of the union that contains the keys. */
function listKeyNames(type: ts.Type, typeNode: ts.TypeNode | undefined, checker: ts.TypeChecker): string[] {
  const node = typeNode && resolveAlias(typeNode, checker);
  const nodes = node && ts.isTypeReferenceNode(node) ? (node.typeArguments ?? []) : [];
  const written = nodes.map((each) => listNames(checker.getTypeFromTypeNode(each), each, checker));
  const fromAlias = (type.aliasTypeArguments ?? []).map((each) => listNames(each, undefined, checker));
  const constraint = findMappedNode(type)?.typeParameter.constraint;
  const inside = constraint ? listNames(checker.getTypeFromTypeNode(constraint), constraint, checker) : [];
  return [...written, ...fromAlias, inside].flat();
}

/** Resolves aliases without parameters: for `type Limits = Record<…>`, to the node `Record<…>`. */
function resolveAlias(node: ts.TypeNode, checker: ts.TypeChecker): ts.TypeNode {
  const alias = findAlias(node, checker);
  return alias && !alias.typeParameters ? resolveAlias(unwrapTypeNode(alias.type), checker) : node;
}

function listNames(type: ts.Type, node: ts.TypeNode | undefined, checker: ts.TypeChecker): string[] {
  if (type.isUnion()) {
    return getOrderedMembers(type, node, checker).flatMap((member) => {
      const value = getLiteralValue(member);
      return value === undefined ? [] : [String(value)];
    });
  }
  const isObject = type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection);
  if (!isObject) return [];
  return getOrderedProperties(type, node, checker).map((property) => property.name);
}
