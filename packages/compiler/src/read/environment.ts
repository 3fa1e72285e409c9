import type { BindingElement, Expression } from "ts-morph";
import { Node, SyntaxKind } from "../typescript/typescript.js";
import type { Project } from "../project/project.js";

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

/**
 * Finds the environment variables that the author's sources read: `process.env.NAME`, `process.env["NAME"]`,
 * `const { NAME } = process.env`, and the same with `env` from `node:process`. A variable is optional only if all of its
 * uses are.
 *
 * @returns sorted by name
 */
export function readEnvironment({ sourceFiles }: Pick<Project, "sourceFiles">): EnvironmentVariable[] {
  const found = new Map<string, EnvironmentVariable>();
  const add = (variable: EnvironmentVariable): void => {
    const known = found.get(variable.name);
    found.set(variable.name, {
      ...variable,
      ...known,
      optional: variable.optional && (known?.optional ?? true),
    });
  };
  for (const file of sourceFiles) {
    if (!/\benv\b/.test(file.getFullText())) continue;
    for (const name of file.getDescendantsOfKind(SyntaxKind.Identifier)) {
      if (name.getText() !== "env") continue;
      for (const variable of findReads(findEnvironment(name))) add(variable);
    }
  }
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Finds the expression of the environment (`process.env`, or an imported `env`) that a name `env` belongs to. */
function findEnvironment(name: Node): Expression | undefined {
  const parent = name.getParent();
  if (Node.isPropertyAccessExpression(parent) && parent.getNameNode() === name)
    return parent.getExpression().getText() === "process" ? parent : undefined;
  const [declaration] = Node.isIdentifier(name) ? (name.getSymbol()?.getDeclarations() ?? []) : [];
  if (!Node.isImportSpecifier(declaration) || declaration === parent) return undefined;
  const from = declaration.getImportDeclaration().getModuleSpecifierValue();
  return /^(?:node:)?process$/.test(from) && Node.isExpression(name) ? name : undefined;
}

function findReads(environment: Expression | undefined): EnvironmentVariable[] {
  const parent = environment?.getParent();
  if (Node.isVariableDeclaration(parent)) {
    const pattern = parent.getNameNode();
    return Node.isObjectBindingPattern(pattern) ? pattern.getElements().flatMap(readBinding) : [];
  }
  if (!Node.isPropertyAccessExpression(parent) && !Node.isElementAccessExpression(parent)) return [];
  if (parent.getExpression() !== environment) return [];
  const name = Node.isPropertyAccessExpression(parent)
    ? parent.getName()
    : getConstantText(parent.getArgumentExpression());
  return name === undefined ? [] : [toVariable(name, parent, getFallback(parent), isOptionalAt(parent))];
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

/** Returns the expression after `??` or `||`. */
function getFallback(read: Expression): Expression | undefined {
  const parent = getOutermost(read).getParent();
  if (!Node.isBinaryExpression(parent) || parent.getLeft() !== getOutermost(read)) return undefined;
  return /^(?:\?\?|\|\|)=?$/.test(parent.getOperatorToken().getText()) ? parent.getRight() : undefined;
}

/** Returns whether the source checks the variable, or provides a fallback. */
function isOptionalAt(read: Expression): boolean {
  const whole = getOutermost(read);
  const parent = whole.getParent();
  if (Node.isBinaryExpression(parent)) {
    const operator = parent.getOperatorToken().getText();
    if (/^(?:[=!]==?|&&|in)$/.test(operator)) return true;
    return (
      parent.getLeft() === whole && /^(?:\?\?|\|\|)=?$/.test(operator) && !neverReturns(parent.getRight())
    );
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

/** Returns an expression with the parentheses around it. */
function getOutermost(read: Expression): Expression {
  const parent = read.getParent();
  return Node.isParenthesizedExpression(parent) ? getOutermost(parent) : read;
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
    if (Node.isStatement(node) || Node.isPropertyDeclaration(node)) return undefined;
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
