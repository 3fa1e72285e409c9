import {
  Node,
  VariableDeclarationKind,
  type Expression,
  type Identifier,
  type ObjectLiteralExpression,
  type Symbol,
} from "ts-morph";
import { propertyKey } from "../project/constant.js";
import type { ts } from "../project/typescript.js";

/** A member of an object, as the source has it. */
export interface Member {
  /** Undefined for a name that is known at run time only, and for a spread that cannot be looked into. */
  name: string | undefined;
  /** Undefined for methods, accessors and spreads. */
  value: Expression | undefined;
  node: Node;
}

/**
 * The members of an object literal in source order, with those of literals that are spread into it.
 *
 * @example
 * // of `{ ...base, "title": "Add" }`, where `const base = { readOnly: true }`
 * membersOf(node, checker) // [{ name: "readOnly", … }, { name: "title", … }]
 */
export function membersOf(literal: ObjectLiteralExpression, checker: ts.TypeChecker): Member[] {
  return membersInside(literal, checker, []);
}

function membersInside(
  literal: ObjectLiteralExpression,
  checker: ts.TypeChecker,
  outer: readonly Node[],
): Member[] {
  return literal.getProperties().flatMap((node): Member[] => {
    if (Node.isSpreadAssignment(node)) {
      const spread = originOf(node.getExpression());
      return Node.isObjectLiteralExpression(spread) && !outer.includes(spread)
        ? membersInside(spread, checker, [...outer, literal])
        : [{ name: undefined, value: undefined, node }];
    }
    const name = propertyKey(node.getNameNode().compilerNode, checker);
    if (Node.isPropertyAssignment(node)) return [{ name, value: node.getInitializer(), node }];
    return [{ name, value: Node.isShorthandPropertyAssignment(node) ? node.getNameNode() : undefined, node }];
  });
}

/** The member that decides what an object has under a name: the last one, be it a spread that may bring it. */
export function memberNamed(name: string, members: readonly Member[]): Member | undefined {
  return members.findLast((member) => member.name === name || broughtBySpread(name, member));
}

/** The property that a spread brings under a name, by the type of what is spread. */
export function broughtBySpread(name: string, { node }: Member): Symbol | undefined {
  return Node.isSpreadAssignment(node) ? node.getExpression().getType().getProperty(name) : undefined;
}

/**
 * The elements of an array literal, with those of literals that are spread into it.
 *
 * @returns undefined when the source does not tell
 */
export function elementsOf(list: Expression, outer: readonly Node[] = []): Expression[] | undefined {
  const literal = originOf(list);
  if (!Node.isArrayLiteralExpression(literal) || outer.includes(literal)) return undefined;
  const found: Expression[] = [];
  for (const element of literal.getElements()) {
    const elements = Node.isSpreadElement(element)
      ? elementsOf(element.getExpression(), [...outer, literal])
      : [element];
    if (!elements) return undefined;
    found.push(...elements);
  }
  return found;
}

/**
 * What an expression stands for: without parentheses, `as`, `satisfies`, `!` and `<T>`, and what a `const` that it
 * names is made of.
 */
export function originOf(expression: Expression, seen: readonly Node[] = []): Expression {
  if (
    Node.isParenthesizedExpression(expression) ||
    Node.isAsExpression(expression) ||
    Node.isSatisfiesExpression(expression) ||
    Node.isNonNullExpression(expression) ||
    Node.isTypeAssertion(expression)
  ) {
    return originOf(expression.getExpression(), seen);
  }
  const initializer = Node.isIdentifier(expression) ? constInitializer(expression) : undefined;
  return initializer && !seen.includes(initializer)
    ? originOf(initializer, [...seen, initializer])
    : expression;
}

function constInitializer(name: Identifier): Expression | undefined {
  const parent = name.getParent();
  const symbol = Node.isShorthandPropertyAssignment(parent) ? parent.getValueSymbol() : name.getSymbol();
  const variable = (symbol?.getAliasedSymbol() ?? symbol)?.getValueDeclaration();
  if (!Node.isVariableDeclaration(variable)) return undefined;
  const isConst = variable.getVariableStatement()?.getDeclarationKind() === VariableDeclarationKind.Const;
  return isConst ? variable.getInitializer() : undefined;
}

/** What a function returns that has no other statement. */
export function onlyReturned(callee: Expression): Expression | undefined {
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
