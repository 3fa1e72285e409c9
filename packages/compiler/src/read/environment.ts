import { type BindingElement, type Expression, Node, SyntaxKind } from "ts-morph";
import type { Project } from "../project/project.js";

/** A variable of the environment that the author's sources read. */
export interface EnvironmentVariable {
  name: string;
  /** The comment on the statement or the member that reads it. */
  description?: string;
  /** What the source takes instead, where that is a constant. */
  default?: string;
  /** The source goes on without it. */
  optional: boolean;
}

/**
 * The variables that the author's sources name: `process.env.NAME`, `process.env["NAME"]`, `const { NAME } = process.env`, and
 * the same of `env` from `node:process`. One that any place needs is needed.
 *
 * @returns by name, in the order of names
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
      for (const variable of readsOf(environmentAt(name))) add(variable);
    }
  }
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The expression that is the environment, where a name `env` is or ends one. */
function environmentAt(name: Node): Expression | undefined {
  const parent = name.getParent();
  if (Node.isPropertyAccessExpression(parent) && parent.getNameNode() === name)
    return parent.getExpression().getText() === "process" ? parent : undefined;
  const [declaration] = Node.isIdentifier(name) ? (name.getSymbol()?.getDeclarations() ?? []) : [];
  if (!Node.isImportSpecifier(declaration) || declaration === parent) return undefined;
  const from = declaration.getImportDeclaration().getModuleSpecifierValue();
  return /^(?:node:)?process$/.test(from) && Node.isExpression(name) ? name : undefined;
}

function readsOf(environment: Expression | undefined): EnvironmentVariable[] {
  const parent = environment?.getParent();
  if (Node.isVariableDeclaration(parent)) {
    const pattern = parent.getNameNode();
    return Node.isObjectBindingPattern(pattern) ? pattern.getElements().flatMap(boundRead) : [];
  }
  if (!Node.isPropertyAccessExpression(parent) && !Node.isElementAccessExpression(parent)) return [];
  if (parent.getExpression() !== environment) return [];
  const name = Node.isPropertyAccessExpression(parent)
    ? parent.getName()
    : constantText(parent.getArgumentExpression());
  return name === undefined ? [] : [variableOf(name, parent, fallbackOf(parent), isOptionalAt(parent))];
}

/** `{ NAME: name = "x" }` */
function boundRead(element: BindingElement): EnvironmentVariable[] {
  if (element.getDotDotDotToken() !== undefined) return [];
  const name = (element.getPropertyNameNode() ?? element.getNameNode())
    .getText()
    .replaceAll(/^["']|["']$/g, "");
  const initializer = element.getInitializer();
  return [variableOf(name, element, initializer, initializer !== undefined)];
}

function variableOf(
  name: string,
  place: Node,
  fallback: Expression | undefined,
  optional: boolean,
): EnvironmentVariable {
  const description = commentOn(place);
  const constant = constantText(fallback);
  return {
    name,
    ...(description !== undefined && { description }),
    ...(constant !== undefined && constant !== "" && { default: constant }),
    optional,
  };
}

/** What stands after `??` or `||`. */
function fallbackOf(read: Expression): Expression | undefined {
  const parent = outermost(read).getParent();
  if (!Node.isBinaryExpression(parent) || parent.getLeft() !== outermost(read)) return undefined;
  return /^(?:\?\?|\|\|)=?$/.test(parent.getOperatorToken().getText()) ? parent.getRight() : undefined;
}

/** The source looks at whether there is one, or what it is, before anything depends on it. */
function isOptionalAt(read: Expression): boolean {
  const whole = outermost(read);
  const parent = whole.getParent();
  if (Node.isBinaryExpression(parent)) {
    const operator = parent.getOperatorToken().getText();
    if (/^(?:[=!]==?|&&|in)$/.test(operator)) return true;
    return parent.getLeft() === whole && /^(?:\?\?|\|\|)=?$/.test(operator) && !isThrown(parent.getRight());
  }
  if (Node.isPropertyAccessExpression(parent) || Node.isCallExpression(parent))
    return Node.isPropertyAccessExpression(parent) && parent.hasQuestionDotToken();
  return (
    Node.isIfStatement(parent) ||
    Node.isPrefixUnaryExpression(parent) ||
    (Node.isConditionalExpression(parent) && parent.getCondition() === whole)
  );
}

/** `?? fail("…")`: what takes its place is no value. */
function isThrown(fallback: Expression): boolean {
  return fallback.getType().isNever();
}

/** With the parentheses around it. */
function outermost(read: Expression): Expression {
  const parent = read.getParent();
  return Node.isParenthesizedExpression(parent) ? outermost(parent) : read;
}

function constantText(node: Node | undefined): string | undefined {
  if (Node.isStringLiteral(node) || Node.isNoSubstitutionTemplateLiteral(node)) return node.getLiteralText();
  return Node.isNumericLiteral(node) ? node.getText() : undefined;
}

/** The nearest comment around a read, up to the statement or the member that it is in. */
function commentOn(place: Node): string | undefined {
  for (let node: Node | undefined = place; node; node = node.getParent()) {
    const comment = /^\/\*\*([\s\S]*?)\*\/$/.exec(node.getLeadingCommentRanges().at(-1)?.getText() ?? "");
    if (comment !== null) return plainText(comment[1] ?? "");
    if (Node.isStatement(node) || Node.isPropertyDeclaration(node)) return undefined;
  }
  return undefined;
}

/** The words of a comment before its first tag. */
function plainText(comment: string): string | undefined {
  const lines = comment.split("\n").map((line) => line.replace(/^\s*\*?\s?/, "").trim());
  const end = lines.findIndex((line) => line.startsWith("@"));
  const text = lines
    .slice(0, end === -1 ? undefined : end)
    .join(" ")
    .trim();
  return text === "" ? undefined : text.replaceAll(/\s+/g, " ");
}
