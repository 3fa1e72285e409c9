import type { ClassNode, Declaration } from "../model.js";
import type { Project } from "../project/project.js";
import { ts } from "../typescript/typescript.js";

/**
 * Finds the variables and fields in which a server collects state while it runs, and which a restart resets:
 * collections that start empty, and fields of served classes that their methods assign.
 *
 * @returns their names as an author would write them, such as `Notes.#notes` and `orders`
 */
export function findMemoryState(
  { sourceFiles }: Pick<Project, "sourceFiles">,
  declarations: readonly Declaration[],
): string[] {
  const classes = new Map(declarations.map(({ owner }) => [owner.node, owner.name]));
  const fields = [...classes].flatMap(([node, name]) =>
    findStateFields(node).map((field) => `${name}.${field}`),
  );
  const variables = sourceFiles.flatMap((file) =>
    file
      .getVariableDeclarations()
      .filter((each) => isEmptyCollection(each.compilerNode.initializer))
      .map((each) => each.getName()),
  );
  return [...fields, ...variables];
}

function findStateFields(node: ClassNode): string[] {
  const assigned = findAssignedFields(node.compilerNode);
  return node
    .getProperties()
    .filter((each) => isEmptyCollection(each.compilerNode.initializer) || assigned.has(each.getName()))
    .map((each) => each.getName());
}

/** Returns whether an expression is `[]`, `{}`, `new Map()`, or `new Set()`, which code fills later. */
function isEmptyCollection(value: ts.Expression | undefined): boolean {
  if (value === undefined) return false;
  if (ts.isArrayLiteralExpression(value)) return value.elements.length === 0;
  if (ts.isObjectLiteralExpression(value)) return value.properties.length === 0;
  if (ts.isAsExpression(value) || ts.isSatisfiesExpression(value)) return isEmptyCollection(value.expression);
  if (!ts.isNewExpression(value) || (value.arguments ?? []).length > 0) return false;
  return ts.isIdentifier(value.expression) && /^(?:Map|Set)$/.test(value.expression.text);
}

/** Finds the fields that methods assign. `this.a ??= b` is a cache, which a new instance fills again. */
function findAssignedFields(node: ts.ClassLikeDeclaration): Set<string> {
  const found = new Set<string>();
  const add = (target: ts.Expression): void => {
    if (ts.isPropertyAccessExpression(target) && target.expression.kind === ts.SyntaxKind.ThisKeyword)
      found.add(target.name.text);
  };
  const visit = (child: ts.Node): void => {
    if (ts.isBinaryExpression(child) && isAssignment(child.operatorToken.kind)) add(child.left);
    if (ts.isPrefixUnaryExpression(child) || ts.isPostfixUnaryExpression(child))
      if (INCREMENT_OPERATORS.has(child.operator)) add(child.operand);
    if (!ts.isClassLike(child)) ts.forEachChild(child, visit);
  };
  for (const member of node.members) if (ts.isMethodDeclaration(member) && member.body) visit(member.body);
  return found;
}

const INCREMENT_OPERATORS: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.PlusPlusToken,
  ts.SyntaxKind.MinusMinusToken,
]);

function isAssignment(kind: ts.SyntaxKind): boolean {
  return (
    kind >= ts.SyntaxKind.FirstAssignment &&
    kind <= ts.SyntaxKind.LastAssignment &&
    kind !== ts.SyntaxKind.QuestionQuestionEqualsToken
  );
}
