/**
 * Type queries: `typeof` of variables, functions, classes, and their members.
 * @module
 */
import { ts } from "../typescript/typescript.js";
import { getDeclaredTypeNode } from "./members.js";
import { bindParameters, findNamedSymbol, getTypeArguments } from "./names.js";
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
  if (functions.length > 0) return getInstantiation(functions, written, checker);
  const type = getDeclaredTypeNode([declaration]);
  // A variable's comment describes that one value; a member's comment describes all values of its type.
  const member = ts.isVariableDeclaration(declaration) ? undefined : declaration;
  if (type) return inheritDeclarations(written, { node: type, bindings: NO_BINDINGS }, member);
  const { initializer } = declaration as Partial<ts.VariableDeclaration>;
  return initializer ? followValue(initializer, written, checker) : { kind: "unfollowed", node };
}

/** Returns the structure of `typeof parse<Count>`, or of a function that is not generic. */
function getInstantiation(
  functions: readonly ts.SignatureDeclaration[],
  written: TypeExpressionOf<ts.TypeQueryNode | ts.ImportTypeNode>,
  checker: ts.TypeChecker,
): Step {
  const typeArguments = getTypeArguments(written);
  // An overload with another number of type parameters would not apply.
  const [only, ...others] = typeArguments.length > 0 ? functions : [];
  if (!only || others.length > 0) return getFunctionStructure(functions, NO_BINDINGS, written.node);
  const bindings = bindParameters(only.typeParameters, typeArguments, NO_BINDINGS, checker);
  return getFunctionStructure(functions, bindings, written.node, true);
}

/** Follows the initializer of a variable to its type. */
function followValue(
  value: ts.Expression,
  written: TypeExpressionOf<ts.TypeQueryNode | ts.ImportTypeNode>,
  checker: ts.TypeChecker,
): Step {
  if (ts.isAsExpression(value) || ts.isSatisfiesExpression(value) || ts.isParenthesizedExpression(value))
    return followValue(value.expression, written, checker);
  if (ts.isObjectLiteralExpression(value))
    return { kind: "object", declarations: [value], bindings: NO_BINDINGS, typeArguments: [] };
  if (ts.isArrowFunction(value) || ts.isFunctionExpression(value))
    return getInstantiation([value], written, checker);
  if (ts.isArrayLiteralExpression(value)) {
    const elements = value.elements.map((each) => ({
      written: getTypeAfterAs(each),
      isRest: ts.isSpreadElement(each),
      isOptional: false,
    }));
    return { kind: "tuple", elements };
  }
  return ts.isLiteralExpression(value) ? { kind: "leaf" } : { kind: "unfollowed", node: written.node };
}

function getTypeAfterAs(value: ts.Expression): WrittenType | undefined {
  const isTyped = ts.isAsExpression(value) && !ts.isConstTypeReference(value.type);
  return isTyped ? { node: value.type, bindings: NO_BINDINGS } : undefined;
}
