import type { CallExpression } from "ts-morph";
import { Node } from "../typescript/typescript.js";
import type { Report } from "../diagnostics/diagnostic.js";
import { evaluateConstant } from "../typescript/constant.js";
import type { Project } from "../project/project.js";

/** The methods of arrays that call a function for each item. */
const ITERATIONS = /^(?:map|forEach|flatMap|filter|reduce|some|every|find)$/;

/**
 * Reports a call to `Context.step` that has the same key in each iteration of a loop: only the first one runs its effect,
 * and the others return its result.
 */
export function checkRepeatedStep(
  call: CallExpression,
  { checker }: Pick<Project, "checker">,
  report: Report,
): void {
  const [key] = call.getArguments();
  if (!Node.isExpression(key) || !repeats(call)) return;
  const value = evaluateConstant(key.compilerNode, checker)?.value;
  if (typeof value === "string") report("step-key-repeated", key, { key: value });
}

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
  return repeats(parent, mayLoop && !Node.isReturnStatement(parent) && !Node.isTryStatement(parent));
}

function isIteration(callback: Node): boolean {
  const call = callback.getParent();
  const callee = Node.isCallExpression(call) ? call.getExpression() : undefined;
  return Node.isPropertyAccessExpression(callee) && ITERATIONS.test(callee.getName());
}
