/**
 * Type queries: `typeof` of variables, functions, classes, and their members.
 * @module
 */
import { ts } from "../typescript/typescript.js";
import { getDeclaredTypeNode } from "./members.js";
import { findNamedSymbol } from "./names.js";
import { getConstructorStructure, getFunctionStructure } from "./signatures.js";
import {
  inheritDeclarations,
  NO_BINDINGS,
  type Step,
  type TypeResolver,
  type TypeExpressionOf,
  type WrittenType,
} from "./written-type.js";

/** Follows `typeof name` to the type of the name's declaration. */
export function followTypeQuery(
  written: TypeExpressionOf<ts.TypeQueryNode | ts.ImportTypeNode>,
  { checker }: TypeResolver,
): Step {
  const { node } = written;
  const symbol = findNamedSymbol(node, checker);
  const declarations = symbol?.declarations ?? [];
  const declaration = symbol?.valueDeclaration ?? declarations[0];
  if (!declaration || ts.isEnumDeclaration(declaration)) return { kind: "leaf" };
  if (ts.isClassLike(declaration)) return getConstructorStructure(declaration, written, checker);
  const functions = declarations.filter((each) => ts.isFunctionLike(each));
  if (functions.length > 0) return getFunctionStructure(functions, NO_BINDINGS, node);
  const type = getDeclaredTypeNode([declaration]);
  // A variable's comment describes that one value; a member's comment describes all values of its type.
  const member = ts.isVariableDeclaration(declaration) ? undefined : declaration;
  if (type) return inheritDeclarations(written, { node: type, bindings: NO_BINDINGS }, member);
  const { initializer } = declaration as Partial<ts.VariableDeclaration>;
  return initializer ? followValue(initializer, node) : { kind: "unfollowed", node };
}

/** Follows the initializer of a variable to its type. */
function followValue(value: ts.Expression, node: ts.TypeNode): Step {
  if (ts.isAsExpression(value) || ts.isSatisfiesExpression(value) || ts.isParenthesizedExpression(value))
    return followValue(value.expression, node);
  if (ts.isObjectLiteralExpression(value))
    return { kind: "object", declarations: [value], bindings: NO_BINDINGS, typeArguments: [] };
  if (ts.isArrowFunction(value) || ts.isFunctionExpression(value))
    return getFunctionStructure([value], NO_BINDINGS, node);
  if (ts.isArrayLiteralExpression(value)) {
    const elements = value.elements.map((each) => ({
      written: getTypeAfterAs(each),
      isRest: ts.isSpreadElement(each),
      isOptional: false,
    }));
    return { kind: "tuple", elements };
  }
  return ts.isLiteralExpression(value) ? { kind: "leaf" } : { kind: "unfollowed", node };
}

function getTypeAfterAs(value: ts.Expression): WrittenType | undefined {
  const isTyped = ts.isAsExpression(value) && !ts.isConstTypeReference(value.type);
  return isTyped ? { node: value.type, bindings: NO_BINDINGS } : undefined;
}
