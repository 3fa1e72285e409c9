import { ts } from "../typescript/typescript.js";
import type { TypeResolver, WrittenType } from "./written-type.js";

/** Returns the property names in a type: "any" for `string` and `number`, undefined if they cannot be determined. */
export function getPropertyNames(
  written: WrittenType,
  resolver: TypeResolver,
): readonly string[] | "any" | undefined {
  const { structure, end } = resolver.resolve(written);
  const operand = getKeyofOperand(written) ?? getKeyofOperand(end);
  const owner = operand && (resolver.getType(operand) ?? getDeclaredType(operand, resolver));
  if (owner && resolver.checker.getIndexInfosOfType(owner).length === 0)
    return resolver.checker.getPropertiesOfType(owner).map(({ name }) => name);
  if (structure.kind === "name") return structure.name === undefined ? "any" : [structure.name];
  if (structure.kind === "union") {
    const names = structure.types.map((each) => getPropertyNames(each, resolver));
    return names.every((each) => Array.isArray(each)) ? names.flat() : undefined;
  }
  const type = resolver.getType(end);
  if (!type) return undefined;
  if (type.flags & (ts.TypeFlags.String | ts.TypeFlags.Number)) return "any";
  const literals = (type.isUnion() ? type.types : [type]).flatMap((each) =>
    each.isStringLiteral() || each.isNumberLiteral() ? String(each.value) : [],
  );
  return literals.length > 0 && literals.length === (type.isUnion() ? type.types.length : 1)
    ? literals
    : undefined;
}

/** Returns the type of an object as it is declared. Its names are the same, whatever replaces its type parameters. */
export function getDeclaredType(written: WrittenType, resolver: TypeResolver): ts.Type | undefined {
  const { structure } = resolver.resolve(written);
  const [declaration] = structure.kind === "object" ? structure.declarations : [];
  return declaration && resolver.checker.getTypeAtLocation(declaration);
}

/** Returns `T` of `keyof T`. */
export function getKeyofOperand({ node, bindings }: WrittenType): WrittenType | undefined {
  if (!ts.isTypeOperatorNode(node) || node.operator !== ts.SyntaxKind.KeyOfKeyword) return undefined;
  return { node: node.type, bindings };
}
