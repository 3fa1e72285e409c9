import type { JsonValue } from "@tenon/runtime/manifest";
import { getAliasedSymbol } from "./aliased-symbol.js";
import { ts } from "./typescript.js";

/**
 * Evaluates an expression that has the same value in every run: literals, `const` variables, and enum members.
 *
 * @returns undefined if the value is known only at run time
 * @example
 * // of `LIMITS.days`, where `const LIMITS = { days: 14 } as const`
 * evaluateConstant(node, checker) // { value: 14 }
 */
export function evaluateConstant(
  expression: ts.Expression,
  checker: ts.TypeChecker,
): { value: JsonValue } | undefined {
  const found = evaluate(expression, checker, new Set());
  return found && !includesBigint(found.value) ? { value: found.value } : undefined;
}

/** A constant of JSON values and bigints. */
export type Constant = JsonValue | bigint | Constant[] | { [name: string]: Constant };

/** Evaluates an expression as {@link evaluateConstant} does, including bigints, which JSON has no values for. */
export function evaluateWithBigints(
  expression: ts.Expression,
  checker: ts.TypeChecker,
): { value: Constant } | undefined {
  return evaluate(expression, checker, new Set());
}

function includesBigint(value: Constant): value is Exclude<Constant, JsonValue> {
  if (typeof value === "bigint") return true;
  return typeof value === "object" && value !== null && Object.values(value).some(includesBigint);
}

/** Removes parentheses, `as`, `satisfies`, `!`, and `<T>` from an expression. */
export function unwrap(expression: ts.Expression): ts.Expression {
  let node = expression;
  while (
    ts.isParenthesizedExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isSatisfiesExpression(node) ||
    ts.isNonNullExpression(node) ||
    ts.isTypeAssertionExpression(node)
  ) {
    node = node.expression;
  }
  return node;
}

type Evaluated = { value: Constant } | undefined;

function evaluate(expression: ts.Expression, checker: ts.TypeChecker, active: Set<ts.Node>): Evaluated {
  const node = unwrap(expression);
  if (ts.isStringLiteralLike(node)) return { value: node.text };
  if (ts.isNumericLiteral(node)) return toFinite(Number(node.text));
  // The text of a literal has no separators.
  if (ts.isBigIntLiteral(node)) return { value: BigInt(node.text.slice(0, -1)) };
  if (node.kind === ts.SyntaxKind.TrueKeyword) return { value: true };
  if (node.kind === ts.SyntaxKind.FalseKeyword) return { value: false };
  if (node.kind === ts.SyntaxKind.NullKeyword) return { value: null };
  if (ts.isPrefixUnaryExpression(node)) return evaluateSign(node, checker, active);
  if (ts.isTemplateExpression(node)) return evaluateTemplate(node, checker, active);
  if (ts.isBinaryExpression(node)) return evaluateOperation(node, checker, active);
  if (ts.isArrayLiteralExpression(node)) return evaluateArray(node, checker, active);
  if (ts.isObjectLiteralExpression(node)) return evaluateObject(node, checker, active);
  return evaluateReference(node, checker, active);
}

/** Returns a number unless it is infinite, which JSON cannot represent. */
function toFinite(value: number): Evaluated {
  return Number.isFinite(value) ? { value } : undefined;
}

function evaluateSign(
  node: ts.PrefixUnaryExpression,
  checker: ts.TypeChecker,
  active: Set<ts.Node>,
): Evaluated {
  const operand = evaluate(node.operand, checker, active);
  const isMinus = node.operator === ts.SyntaxKind.MinusToken;
  if (typeof operand?.value === "bigint") return isMinus ? { value: -operand.value } : undefined;
  if (typeof operand?.value !== "number") return undefined;
  if (isMinus) return { value: -operand.value };
  if (node.operator === ts.SyntaxKind.TildeToken) return { value: ~operand.value };
  return node.operator === ts.SyntaxKind.PlusToken ? operand : undefined;
}

function evaluateTemplate(
  node: ts.TemplateExpression,
  checker: ts.TypeChecker,
  active: Set<ts.Node>,
): Evaluated {
  let text = node.head.text;
  for (const span of node.templateSpans) {
    const part = evaluate(span.expression, checker, active);
    if (!part || typeof part.value === "object") return undefined;
    text += `${part.value}${span.literal.text}`;
  }
  return { value: text };
}

/** The operators of numbers, as in `60 * 1000` or `1 << 20`. */
const OPERATORS = new Map<ts.SyntaxKind, (left: number, right: number) => number>([
  [ts.SyntaxKind.PlusToken, (left, right) => left + right],
  [ts.SyntaxKind.MinusToken, (left, right) => left - right],
  [ts.SyntaxKind.AsteriskToken, (left, right) => left * right],
  [ts.SyntaxKind.SlashToken, (left, right) => left / right],
  [ts.SyntaxKind.PercentToken, (left, right) => left % right],
  [ts.SyntaxKind.AsteriskAsteriskToken, (left, right) => left ** right],
  [ts.SyntaxKind.LessThanLessThanToken, (left, right) => left << right],
  [ts.SyntaxKind.GreaterThanGreaterThanToken, (left, right) => left >> right],
  [ts.SyntaxKind.GreaterThanGreaterThanGreaterThanToken, (left, right) => left >>> right],
  [ts.SyntaxKind.AmpersandToken, (left, right) => left & right],
  [ts.SyntaxKind.BarToken, (left, right) => left | right],
  [ts.SyntaxKind.CaretToken, (left, right) => left ^ right],
]);

/** Evaluates an operation on numbers, or a concatenation; long descriptions are often written as `"…" + "…"`. */
function evaluateOperation(
  node: ts.BinaryExpression,
  checker: ts.TypeChecker,
  active: Set<ts.Node>,
): Evaluated {
  const operator = OPERATORS.get(node.operatorToken.kind);
  const left = operator && evaluate(node.left, checker, active);
  const right = left && evaluate(node.right, checker, active);
  if (!right) return undefined;
  if (typeof left.value === "number" && typeof right.value === "number")
    return toFinite(operator(left.value, right.value));
  if (node.operatorToken.kind !== ts.SyntaxKind.PlusToken) return undefined;
  if (typeof left.value !== "string" || typeof right.value === "object") return undefined;
  return { value: `${left.value}${right.value}` };
}

function evaluateArray(
  node: ts.ArrayLiteralExpression,
  checker: ts.TypeChecker,
  active: Set<ts.Node>,
): Evaluated {
  const value: Constant[] = [];
  for (const element of node.elements) {
    const spread = ts.isSpreadElement(element);
    const item = evaluate(spread ? element.expression : element, checker, active);
    if (!item || (spread && !Array.isArray(item.value))) return undefined;
    if (spread) value.push(...(item.value as Constant[]));
    else value.push(item.value);
  }
  return { value };
}

function evaluateObject(
  node: ts.ObjectLiteralExpression,
  checker: ts.TypeChecker,
  active: Set<ts.Node>,
): Evaluated {
  const value: Record<string, Constant> = {};
  for (const property of node.properties) {
    const member = evaluateMember(property, checker, active);
    if (!member) return undefined;
    for (const [key, item] of member) {
      Object.defineProperty(value, key, {
        value: item,
        enumerable: true,
        configurable: true,
        writable: true,
      });
    }
  }
  return { value };
}

function evaluateMember(
  property: ts.ObjectLiteralElementLike,
  checker: ts.TypeChecker,
  active: Set<ts.Node>,
): [string, Constant][] | undefined {
  if (ts.isSpreadAssignment(property)) {
    const spread = evaluate(property.expression, checker, active);
    return spread && typeof spread.value === "object" && spread.value !== null && !Array.isArray(spread.value)
      ? Object.entries(spread.value)
      : undefined;
  }
  const key = property.name && evaluatePropertyName(property.name, checker, active);
  if (key === undefined) return undefined;
  const expression = ts.isPropertyAssignment(property)
    ? property.initializer
    : ts.isShorthandPropertyAssignment(property)
      ? property.name
      : undefined;
  const item = expression && evaluate(expression, checker, active);
  return item && [[key, item.value]];
}

/** Evaluates a property name; undefined if it is computed from an expression that is not constant. */
export function evaluatePropertyName(
  name: ts.PropertyName,
  checker: ts.TypeChecker,
  active: Set<ts.Node> = new Set(),
): string | undefined {
  if (ts.isComputedPropertyName(name)) {
    const key = evaluate(name.expression, checker, active);
    return key && typeof key.value !== "object" ? String(key.value) : undefined;
  }
  return ts.isPrivateIdentifier(name) ? undefined : name.text;
}

function evaluateReference(node: ts.Expression, checker: ts.TypeChecker, active: Set<ts.Node>): Evaluated {
  if (ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node)) {
    const enumValue = getEnumMemberValue(node, checker);
    if (enumValue !== undefined) return { value: enumValue };
    const owner = evaluate(node.expression, checker, active);
    const key = ts.isPropertyAccessExpression(node)
      ? { value: node.name.text }
      : evaluate(node.argumentExpression, checker, active);
    if (
      owner &&
      typeof owner.value === "object" &&
      owner.value !== null &&
      key &&
      typeof key.value !== "object"
    ) {
      const found = Object.entries(owner.value).find(([name]) => name === String(key.value));
      return found && { value: found[1] };
    }
  }
  if (!ts.isIdentifier(node) && !ts.isPropertyAccessExpression(node)) return undefined;
  const declaration = findConst(node, checker);
  if (!declaration?.initializer || active.has(declaration)) return undefined;
  active.add(declaration);
  const found = evaluate(declaration.initializer, checker, active);
  active.delete(declaration);
  return found;
}

/** Returns the value of an enum member. The checker knows it from the declaration, but not from every reference. */
function getEnumMemberValue(node: ts.Expression, checker: ts.TypeChecker): string | number | undefined {
  const declaration = checker.getSymbolAtLocation(node)?.valueDeclaration;
  return declaration && ts.isEnumMember(declaration) ? checker.getConstantValue(declaration) : undefined;
}

/** Finds the `const` that an identifier or namespace member refers to, across imports. */
function findConst(node: ts.Node, checker: ts.TypeChecker): ts.VariableDeclaration | undefined {
  const symbol =
    ts.isIdentifier(node) && ts.isShorthandPropertyAssignment(node.parent)
      ? checker.getShorthandAssignmentValueSymbol(node.parent)
      : checker.getSymbolAtLocation(node);
  const declaration = getAliasedSymbol(symbol, checker)?.valueDeclaration;
  if (!declaration || !ts.isVariableDeclaration(declaration)) return undefined;
  return ts.getCombinedNodeFlags(declaration) & ts.NodeFlags.Const ? declaration : undefined;
}
