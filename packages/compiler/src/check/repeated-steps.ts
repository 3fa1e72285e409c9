import type { CallExpression } from "ts-morph";
import { Node } from "../typescript/typescript.js";
import type { Report } from "../diagnostics/diagnostic.js";
import { evaluateConstant } from "../typescript/constant.js";
import type { Project } from "../project/project.js";

/** The methods of arrays that call a function for each item. */
const ITERATIONS = /^(?:map|forEach|flatMap|filter|reduce|some|every|find)$/;

/**
 * Reports calls to `Context.step` whose effect never runs, because an earlier call of the same run has the same key: an
 * earlier iteration of a loop, or another step that always comes first. The later call returns the result of the earlier one.
 *
 * @param steps the calls of one file, in source order
 */
export function checkRepeatedSteps(
  steps: readonly CallExpression[],
  { checker }: Pick<Project, "checker">,
  report: Report,
): void {
  const keys = new Map<Node, string>();
  for (const step of steps) {
    const [key] = step.getArguments();
    const value = Node.isExpression(key) && evaluateConstant(key.compilerNode, checker)?.value;
    if (!key || typeof value !== "string") continue;
    const isRepeated = [...keys].some(([earlier, other]) => other === value && precedes(earlier, step));
    if (repeats(step)) report("step-key-repeated", key, { key: value, by: "loop" });
    else if (isRepeated) report("step-key-repeated", key, { key: value, by: "step" });
    keys.set(step, value);
  }
}

/** Returns whether an expression is evaluated before another whenever the other is, within one run of their function. */
function precedes(earlier: Node, later: Node): boolean {
  const parent = earlier.getParent();
  if (!parent || Node.isFunctionLikeDeclaration(parent) || Node.isFunctionExpression(parent)) return false;
  if (Node.isArrowFunction(parent)) return false;
  if (later.getAncestors().includes(parent)) return !EXCLUSIVE.some((is) => is(parent));
  return isCertain(earlier, parent) && precedes(parent, later);
}

/** Nodes of whose children one may be skipped or fail. */
const EXCLUSIVE: readonly ((node: Node) => boolean)[] = [
  Node.isIfStatement,
  Node.isConditionalExpression,
  Node.isCaseBlock,
  Node.isTryStatement,
];

/** Returns whether a part of a node is always evaluated, and what follows the node can be reached. */
function isCertain(part: Node, node: Node): boolean {
  if (Node.isReturnStatement(node) || Node.isThrowStatement(node) || Node.isTryStatement(node)) return false;
  if (Node.isIfStatement(node)) return node.getExpression() === part;
  if (Node.isConditionalExpression(node)) return node.getCondition() === part;
  if (Node.isBinaryExpression(node))
    return node.getLeft() === part || !LOGICAL.test(node.getOperatorToken().getText());
  return !Node.isIterationStatement(node) && !Node.isCaseBlock(node);
}

const LOGICAL = /^(?:&&|\|\||\?\?)=?$/;

/**
 * Returns whether an expression runs again within one run of its function.
 *
 * @param mayLoop false inside a statement that ends the loop, or lets it try a failed effect again
 */
function repeats(node: Node, mayLoop = true): boolean {
  const parent = node.getParent();
  if (!parent) return false;
  if (Node.isArrowFunction(parent) || Node.isFunctionExpression(parent)) return isIteration(parent);
  if (Node.isFunctionLikeDeclaration(parent)) return false;
  if (mayLoop && Node.isIterationStatement(parent) && parent.getStatement() === node) return true;
  return repeats(parent, mayLoop && !endsLoop(parent));
}

/** Returns whether a statement ends a loop around it, or lets it try a failed effect again. */
function endsLoop(node: Node): boolean {
  if (!Node.isBlock(node)) return Node.isReturnStatement(node) || Node.isTryStatement(node);
  const last = node.getStatements().at(-1);
  return Node.isReturnStatement(last) || Node.isThrowStatement(last) || Node.isBreakStatement(last);
}

function isIteration(callback: Node): boolean {
  const call = callback.getParent();
  const callee = Node.isCallExpression(call) ? call.getExpression() : undefined;
  return Node.isPropertyAccessExpression(callee) && ITERATIONS.test(callee.getName());
}
