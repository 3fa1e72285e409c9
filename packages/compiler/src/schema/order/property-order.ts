import { ts } from "../../project/typescript.js";
import { literalValue } from "../families/literals.js";
import { aliasOf } from "../../project/nodes.js";
import { compareDeclarations, orderedMembers } from "./type-order.js";

/**
 * The properties of an object type in the order the author wrote them. Only where a mapped type takes its keys
 * from a union (`Pick`, `Omit`, `Record`) does the checker's order depend on what else is in the program.
 */
export function orderedProperties(
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
  for (const name of keyNames(type, typeNode, checker)) if (!rank.has(name)) rank.set(name, rank.size);
  const position = (symbol: ts.Symbol): number => rank.get(symbol.name) ?? Infinity;
  // Renamed by `as`, the keys keep the order of the type they come from.
  if (!properties.some((property) => rank.has(property.name)) && isOverKeys(type)) return properties;
  return [...properties].sort((a, b) => {
    const [left, right] = [position(a), position(b)];
    if (left !== right) return left - right;
    return a.name < b.name ? -1 : 1;
  });
}

function mappedNode(type: ts.Type): ts.MappedTypeNode | undefined {
  return type.symbol?.declarations?.find((declaration) => ts.isMappedTypeNode(declaration));
}

/** `[K in keyof T]`. */
function isOverKeys(type: ts.Type): boolean {
  const constraint = mappedNode(type)?.typeParameter.constraint;
  return (
    constraint !== undefined &&
    ts.isTypeOperatorNode(constraint) &&
    constraint.operator === ts.SyntaxKind.KeyOfKeyword
  );
}

/** Names in the order of the union that the keys come from. */
function keyNames(type: ts.Type, typeNode: ts.TypeNode | undefined, checker: ts.TypeChecker): string[] {
  const node = typeNode && aliasTarget(typeNode, checker);
  const nodes = node && ts.isTypeReferenceNode(node) ? (node.typeArguments ?? []) : [];
  const written = nodes.map((each) => namesIn(checker.getTypeFromTypeNode(each), each, checker));
  const fromAlias = (type.aliasTypeArguments ?? []).map((each) => namesIn(each, undefined, checker));
  const constraint = mappedNode(type)?.typeParameter.constraint;
  const inside = constraint ? namesIn(checker.getTypeFromTypeNode(constraint), constraint, checker) : [];
  return [...written, ...fromAlias, inside].flat();
}

/** The node behind aliases without parameters: of `type Limits = Record<…>`, the `Record<…>`. */
function aliasTarget(node: ts.TypeNode, checker: ts.TypeChecker): ts.TypeNode {
  let target = node;
  for (let next = aliasOf(target, checker)?.target; next; next = aliasOf(target, checker)?.target)
    target = next;
  return target;
}

function namesIn(type: ts.Type, node: ts.TypeNode | undefined, checker: ts.TypeChecker): string[] {
  if (type.isUnion()) {
    return orderedMembers(type, node, checker).flatMap((member) => {
      const value = literalValue(member);
      return value === undefined ? [] : [String(value)];
    });
  }
  const isObject = type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection);
  if (!isObject) return [];
  return orderedProperties(type, node, checker).map((property) => property.name);
}
