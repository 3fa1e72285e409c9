import type { Declaration } from "../model.js";
import type { Project } from "../project/project.js";
import { getAliasedSymbol } from "../typescript/aliased-symbol.js";
import { ts } from "../typescript/typescript.js";

/**
 * Finds the variables and fields in which a server collects state while it runs, and which a restart resets:
 * collections that start empty, variables of modules that functions assign, and fields that methods assign. The fields
 * are those of served classes, and of classes of which modules or served classes create an instance when they are loaded.
 *
 * @returns their names as an author would write them, such as `Notes.#notes` and `orders`
 */
export function findMemoryState(
  { sourceFiles, checker }: Pick<Project, "sourceFiles" | "checker">,
  declarations: readonly Declaration[],
): string[] {
  const classes = new Map(declarations.map(({ owner }) => [owner.node.compilerNode, owner.name]));
  const served = new Set<ts.Node>(classes.keys());
  for (const file of sourceFiles)
    for (const each of findInstantiated(file.compilerNode, served, checker))
      if (!classes.has(each) && each.name) classes.set(each, each.name.text);
  const fields = [...classes].flatMap(([node, name]) =>
    findStateFields(node).map((field) => `${name}.${field}`),
  );
  const variables = sourceFiles.flatMap((file) => {
    const assigned = findAssigned(file.compilerNode, (target) =>
      ts.isIdentifier(target) ? target.text : undefined,
    );
    return file
      .getVariableDeclarations()
      .filter((each) => {
        const { initializer, parent } = each.compilerNode;
        // A function may assign a variable of its own that has the name of a constant.
        const isConstant = (parent.flags & ts.NodeFlags.Const) !== 0;
        return isEmptyCollection(initializer) || (!isConstant && assigned.has(each.getName()));
      })
      .map((each) => each.getName());
  });
  return [...fields, ...variables];
}

/** Finds the author's classes of which a module, or a served class with its own instance, creates an instance. */
function findInstantiated(
  file: ts.SourceFile,
  served: ReadonlySet<ts.Node>,
  checker: ts.TypeChecker,
): ts.ClassLikeDeclaration[] {
  const found: ts.ClassLikeDeclaration[] = [];
  const visit = (node: ts.Node): void => {
    const isConstructor = ts.isConstructorDeclaration(node) && served.has(node.parent);
    if ((ts.isFunctionLike(node) && !isConstructor) || (ts.isClassLike(node) && !served.has(node))) return;
    if (ts.isNewExpression(node)) {
      const symbol = getAliasedSymbol(checker.getSymbolAtLocation(node.expression), checker);
      const target = symbol?.valueDeclaration;
      if (target && ts.isClassLike(target) && !target.getSourceFile().isDeclarationFile) found.push(target);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function findStateFields(node: ts.ClassLikeDeclaration): string[] {
  const assigned = findAssignedFields(node);
  return node.members
    .filter(ts.isPropertyDeclaration)
    .filter(({ initializer, name }) => isEmptyCollection(initializer) || assigned.has(name.getText()))
    .map(({ name }) => name.getText());
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

/** Finds the fields that methods assign, also static ones. */
function findAssignedFields(node: ts.ClassLikeDeclaration): Set<string> {
  const toField = (target: ts.Expression): string | undefined => {
    if (!ts.isPropertyAccessExpression(target)) return undefined;
    const { expression, name } = target;
    const isOwn =
      expression.kind === ts.SyntaxKind.ThisKeyword
        ? ts.findAncestor(expression, ts.isClassLike) === node
        : ts.isIdentifier(expression) && expression.text === node.name?.text;
    return isOwn ? name.text : undefined;
  };
  return new Set(node.members.flatMap((member) => [...findAssigned(member, toField)]));
}

/**
 * Finds what functions assign. `a ??= b` is a cache, which is filled again.
 *
 * @param toName returns the name of a target, if it matters
 */
function findAssigned(
  node: ts.Node,
  toName: (target: ts.Expression) => string | undefined,
): ReadonlySet<string> {
  const found = new Set<string>();
  const add = (target: ts.Expression): void => {
    const name = toName(target);
    if (name !== undefined) found.add(name);
  };
  const visit = (child: ts.Node, isInFunction: boolean): void => {
    if (isInFunction) {
      if (ts.isBinaryExpression(child) && isAssignment(child.operatorToken.kind)) add(child.left);
      if (ts.isPrefixUnaryExpression(child) || ts.isPostfixUnaryExpression(child))
        if (INCREMENT_OPERATORS.has(child.operator)) add(child.operand);
    }
    const isFunction = ts.isFunctionLike(child) && !ts.isConstructorDeclaration(child);
    ts.forEachChild(child, (each) => visit(each, isInFunction || isFunction));
  };
  visit(node, false);
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
