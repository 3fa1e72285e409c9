import type { Expression, Identifier, ObjectLiteralExpression, Symbol } from "ts-morph";
import { Node, VariableDeclarationKind, type ts } from "../typescript/typescript.js";
import { evaluatePropertyName } from "../typescript/constant.js";

/** A member of an object literal. */
export interface Member {
  /** Undefined for a name known only at run time, and for a spread of unknown members. */
  name: string | undefined;
  /** Undefined for methods, accessors, and spreads. */
  value: Expression | undefined;
  node: Node;
}

/**
 * Returns the members of an object literal in source order, including those of literals that are spread into it.
 *
 * @example
 * // of `{ ...base, "title": "Add" }`, where `const base = { readOnly: true }`
 * getMembers(node, checker) // [{ name: "readOnly", … }, { name: "title", … }]
 */
export function getMembers(literal: ObjectLiteralExpression, checker: ts.TypeChecker): Member[] {
  return listMembers(literal, checker, []);
}

function listMembers(
  literal: ObjectLiteralExpression,
  checker: ts.TypeChecker,
  outer: readonly Node[],
): Member[] {
  return literal.getProperties().flatMap((node): Member[] => {
    if (Node.isSpreadAssignment(node)) {
      const spread = findOrigin(node.getExpression());
      return Node.isObjectLiteralExpression(spread) && !outer.includes(spread)
        ? listMembers(spread, checker, [...outer, literal])
        : [{ name: undefined, value: undefined, node }];
    }
    const name = evaluatePropertyName(node.getNameNode().compilerNode, checker);
    if (Node.isPropertyAssignment(node)) return [{ name, value: node.getInitializer(), node }];
    return [{ name, value: Node.isShorthandPropertyAssignment(node) ? node.getNameNode() : undefined, node }];
  });
}

/** Finds the member that determines a property: the last one with its name, or a later spread that may contain it. */
export function findMember(name: string, members: readonly Member[]): Member | undefined {
  return members.findLast((member) => member.name === name || findSpreadProperty(name, member));
}

/** Finds a property in the type of a spread expression. */
export function findSpreadProperty(name: string, { node }: Member): Symbol | undefined {
  return Node.isSpreadAssignment(node) ? node.getExpression().getType().getProperty(name) : undefined;
}

/**
 * Returns the elements of an array literal, including those of literals that are spread into it.
 *
 * @returns undefined if the source does not show them
 */
export function getElements(list: Expression, outer: readonly Node[] = []): Expression[] | undefined {
  const literal = findOrigin(list);
  if (!Node.isArrayLiteralExpression(literal) || outer.includes(literal)) return undefined;
  const found: Expression[] = [];
  for (const element of literal.getElements()) {
    const elements = Node.isSpreadElement(element)
      ? getElements(element.getExpression(), [...outer, literal])
      : [element];
    if (!elements) return undefined;
    found.push(...elements);
  }
  return found;
}

/** Follows an expression through parentheses, `as`, `satisfies`, `!`, `<T>`, and the initializers of `const` variables. */
export function findOrigin(expression: Expression, seen: readonly Node[] = []): Expression {
  if (
    Node.isParenthesizedExpression(expression) ||
    Node.isAsExpression(expression) ||
    Node.isSatisfiesExpression(expression) ||
    Node.isNonNullExpression(expression) ||
    Node.isTypeAssertion(expression)
  ) {
    return findOrigin(expression.getExpression(), seen);
  }
  const initializer = Node.isIdentifier(expression) ? findConstInitializer(expression) : undefined;
  return initializer && !seen.includes(initializer)
    ? findOrigin(initializer, [...seen, initializer])
    : expression;
}

function findConstInitializer(name: Identifier): Expression | undefined {
  const parent = name.getParent();
  const symbol = Node.isShorthandPropertyAssignment(parent) ? parent.getValueSymbol() : name.getSymbol();
  const variable = (symbol?.getAliasedSymbol() ?? symbol)?.getValueDeclaration();
  if (!Node.isVariableDeclaration(variable)) return undefined;
  const isConst = variable.getVariableStatement()?.getDeclarationKind() === VariableDeclarationKind.Const;
  return isConst ? variable.getInitializer() : undefined;
}

/** Returns the expression that a function returns, if it has no other statement. */
export function findReturnedExpression(callee: Expression): Expression | undefined {
  const symbol = Node.isIdentifier(callee) ? callee.getSymbol() : undefined;
  const declared = symbol ? (symbol.getAliasedSymbol() ?? symbol).getValueDeclaration() : callee;
  const isFunction =
    Node.isFunctionDeclaration(declared) ||
    Node.isFunctionExpression(declared) ||
    Node.isArrowFunction(declared);
  if (!isFunction || declared.isAsync()) return undefined;
  const body = declared.getBody();
  if (Node.isExpression(body)) return body;
  const [statement, another] = Node.isBlock(body) ? body.getStatements() : [];
  return !another && Node.isReturnStatement(statement) ? statement.getExpression() : undefined;
}

/** Returns where the argument of `defineServer` sets an option; the argument itself if the source does not show it. */
export function findConfigOption(argument: Expression, name: string, checker: ts.TypeChecker): Node {
  const literal = findOrigin(argument);
  const members = Node.isObjectLiteralExpression(literal) ? getMembers(literal, checker) : [];
  return findMember(name, members)?.node ?? argument;
}

/** Returns whether an expression is `undefined`. */
export function isUndefined(value: Expression | undefined): boolean {
  return Node.isIdentifier(value) && value.getText() === "undefined";
}
