import type {
  AsExpression,
  BinaryExpression,
  BindingElement,
  Expression,
  NonNullExpression,
  ParenthesizedExpression,
  SatisfiesExpression,
  Type,
} from "ts-morph";
import { Node } from "../typescript/typescript.js";
import { getModulePath, type Project } from "../project/project.js";

/** An environment variable that the author's sources read. */
export interface EnvironmentVariable {
  name: string;
  /** The comment of the statement or member that reads it. */
  description?: string;
  /** The constant that the source uses if the variable is missing. */
  default?: string;
  /** Whether the source works without it. */
  optional: boolean;
}

/** The environment variables that the author's sources read. */
export interface Environment {
  /** Sorted by name. */
  variables: EnvironmentVariable[];
  /** Where sources read variables whose names are unknown, as in `process.env[name]` and `parse(process.env)`: `src/settings.ts:5`. */
  unknownAt: string[];
}

/**
 * Finds the environment variables that the author's sources read by constant names from `process.env`, or from a value of
 * its type: `process.env.NAME`, `env["NAME"]`, `const { NAME } = process.env`, `"NAME" in env`. A
 * variable is optional only if all of its uses are.
 */
export function readEnvironment({ sourceFiles, root }: Pick<Project, "sourceFiles" | "root">): Environment {
  const found = new Map<string, EnvironmentVariable>();
  const unknown: Expression[] = [];
  const add = (variable: EnvironmentVariable): void => {
    const known = found.get(variable.name);
    found.set(variable.name, {
      ...variable,
      ...known,
      optional: variable.optional && (known?.optional ?? true),
    });
  };
  for (const file of sourceFiles) {
    if (!/env/i.test(file.getFullText())) continue;
    for (const node of file.getDescendants()) for (const variable of findReads(node, unknown)) add(variable);
  }
  return {
    variables: [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1)),
    unknownAt: [
      ...new Set(
        unknown.map((read) => `${getModulePath(read.getSourceFile(), root)}:${read.getStartLineNumber()}`),
      ),
    ],
  };
}

/** @param unknown the list to add reads to whose names are unknown */
function findReads(node: Node, unknown: Expression[]): EnvironmentVariable[] {
  if (Node.isObjectBindingPattern(node)) {
    const declaration = node.getParent();
    const isRead =
      isEnvironmentType(node.getType()) ||
      (Node.isVariableDeclaration(declaration) && isEnvironment(declaration.getInitializer()));
    return isRead ? node.getElements().flatMap(readBinding) : [];
  }
  if (isTestOfName(node)) {
    const names = listConstants(node.getLeft().getType());
    if (names.length === 0) unknown.push(node);
    return names.map((name) => toVariable(name, node, undefined, true));
  }
  if (isHandedOver(node)) unknown.push(node);
  if (!Node.isPropertyAccessExpression(node) && !Node.isElementAccessExpression(node)) return [];
  if (!isEnvironment(node.getExpression()) || isWritten(node)) return [];
  const names = Node.isPropertyAccessExpression(node)
    ? [node.getName()]
    : listConstants(node.getArgumentExpression()?.getType());
  if (names.length === 0) unknown.push(node);
  return names.map((name) => toVariable(name, node, getFallback(node), isOptionalAt(node)));
}

/** Returns whether a node has the form `"NAME" in process.env`. */
function isTestOfName(node: Node): node is BinaryExpression {
  return (
    Node.isBinaryExpression(node) &&
    node.getOperatorToken().getText() === "in" &&
    isEnvironment(node.getRight())
  );
}

/**
 * Returns whether an expression is the environment as a whole, and code that expects another type receives it, as in
 * `parse(process.env)` and `{ ...process.env }`. Reads by that code cannot be found.
 */
function isHandedOver(node: Node): node is Expression {
  const isCandidate =
    Node.isIdentifier(node) || Node.isPropertyAccessExpression(node) || Node.isElementAccessExpression(node);
  if (!isCandidate || !isEnvironmentType(node.getType())) return false;
  const whole = getOutermost(node);
  const parent = whole.getParentOrThrow();
  if (Node.isPropertyAccessExpression(parent) || Node.isElementAccessExpression(parent)) return false;
  if (Node.isPropertyAssignment(parent) && parent.getNameNode() === node) return false;
  if (Node.isVariableDeclaration(parent))
    return Node.isIdentifier(parent.getNameNode()) && !isEnvironmentType(parent.getType());
  if (Node.isForInStatement(parent)) return true;
  const expected = Node.isSpreadAssignment(parent)
    ? (parent.getParent().getContextualType() ?? parent.getParent().getType())
    : node.getContextualType();
  return expected !== undefined && !isEnvironmentType(expected);
}

/** Returns whether an expression is the environment: `process.env`, or a value of its type. */
function isEnvironment(expression: Expression | undefined): boolean {
  if (isWrapper(expression)) return isEnvironment(expression.getExpression());
  if (expression?.getText() === "process.env") return true;
  return expression !== undefined && isEnvironmentType(expression.getType());
}

function isEnvironmentType(type: Type): boolean {
  return type.getNonNullableType().getSymbol()?.getName() === "ProcessEnv";
}

/** Returns whether code sets or deletes a variable without reading it. */
function isWritten(access: Expression): boolean {
  const parent = access.getParent();
  if (Node.isDeleteExpression(parent)) return true;
  return (
    Node.isBinaryExpression(parent) &&
    parent.getLeft() === access &&
    parent.getOperatorToken().getText() === "="
  );
}

/** Returns the strings of a literal type, or of a union of them. Empty for other types. */
function listConstants(type: Type | undefined): string[] {
  const values = (type?.isUnion() ? type.getUnionTypes() : type ? [type] : []).map((each) =>
    each.isStringLiteral() ? String(each.getLiteralValue()) : undefined,
  );
  return values.every((value) => value !== undefined) ? values : [];
}

/** Reads an element of a destructuring pattern, such as `{ NAME: name = "x" }`. */
function readBinding(element: BindingElement): EnvironmentVariable[] {
  if (element.getDotDotDotToken() !== undefined) return [];
  const name = (element.getPropertyNameNode() ?? element.getNameNode())
    .getText()
    .replaceAll(/^["']|["']$/g, "");
  const initializer = element.getInitializer();
  return [toVariable(name, element, initializer, initializer !== undefined)];
}

function toVariable(
  name: string,
  read: Node,
  fallback: Expression | undefined,
  optional: boolean,
): EnvironmentVariable {
  const description = findComment(read);
  const constant = getConstantText(fallback);
  return {
    name,
    ...(description !== undefined && { description }),
    ...(constant !== undefined && constant !== "" && { default: constant }),
    optional,
  };
}

const FALLBACK = /^(?:\?\?|\|\|)=?$/;

/** Returns the expression after `??` or `||`. */
function getFallback(read: Expression): Expression | undefined {
  const whole = getOutermost(read);
  const parent = whole.getParent();
  if (!Node.isBinaryExpression(parent) || !FALLBACK.test(parent.getOperatorToken().getText()))
    return undefined;
  return parent.getLeft() === whole ? parent.getRight() : getFallback(parent);
}

/** Returns whether the source checks the variable, or provides a fallback. */
function isOptionalAt(read: Expression): boolean {
  const whole = getOutermost(read);
  const parent = whole.getParent();
  if (Node.isBinaryExpression(parent)) {
    const operator = parent.getOperatorToken().getText();
    if (/^(?:[=!]==?|&&|in)$/.test(operator)) return true;
    if (!FALLBACK.test(operator)) return false;
    return parent.getLeft() === whole ? !neverReturns(parent.getRight()) : isOptionalAt(parent);
  }
  if (Node.isPropertyAccessExpression(parent) || Node.isCallExpression(parent))
    return Node.isPropertyAccessExpression(parent) && parent.hasQuestionDotToken();
  return (
    Node.isIfStatement(parent) ||
    Node.isPrefixUnaryExpression(parent) ||
    (Node.isConditionalExpression(parent) && parent.getCondition() === whole)
  );
}

/** Returns whether a fallback never returns, as in `?? fail("…")`. */
function neverReturns(fallback: Expression): boolean {
  return fallback.getType().isNever();
}

/** Returns an expression with the parentheses and assertions around it. */
function getOutermost(read: Expression): Expression {
  const parent = read.getParent();
  return isWrapper(parent) ? getOutermost(parent) : read;
}

function isWrapper(
  node: Node | undefined,
): node is ParenthesizedExpression | AsExpression | SatisfiesExpression | NonNullExpression {
  return (
    Node.isParenthesizedExpression(node) ||
    Node.isAsExpression(node) ||
    Node.isSatisfiesExpression(node) ||
    Node.isNonNullExpression(node)
  );
}

function getConstantText(node: Node | undefined): string | undefined {
  if (Node.isStringLiteral(node) || Node.isNoSubstitutionTemplateLiteral(node)) return node.getLiteralText();
  return Node.isNumericLiteral(node) ? node.getText() : undefined;
}

/** Finds the nearest comment around a read, up to its statement or member. */
function findComment(read: Node): string | undefined {
  for (let node: Node | undefined = read; node; node = node.getParent()) {
    const comment = /^\/\*\*([\s\S]*?)\*\/$/.exec(node.getLeadingCommentRanges().at(-1)?.getText() ?? "");
    if (comment !== null) return getPlainText(comment[1] ?? "");
    if (Node.isStatement(node) || Node.isPropertyDeclaration(node) || Node.isParameterDeclaration(node))
      return undefined;
  }
  return undefined;
}

/** Returns the text of a comment before its first tag. */
function getPlainText(comment: string): string | undefined {
  const lines = comment.split("\n").map((line) => line.replace(/^\s*\*?\s?/, "").trim());
  const end = lines.findIndex((line) => line.startsWith("@"));
  const text = lines
    .slice(0, end === -1 ? undefined : end)
    .join(" ")
    .trim();
  return text === "" ? undefined : text.replaceAll(/\s+/g, " ");
}
