import type { CallExpression, SourceFile } from "ts-morph";
import { Node, SyntaxKind } from "../typescript/typescript.js";
import type { DiagnosticCollector, Report } from "../diagnostics/diagnostic.js";
import { checkRepeatedSteps } from "./repeated-steps.js";
import { checkTaskStart, reportUnstartedTasks } from "./task-starts.js";
import { isContextCall } from "../typescript/context-calls.js";
import type { ServerModel } from "../model.js";
import type { Project } from "../project/project.js";
import type { RuntimeSymbols } from "../typescript/runtime-symbols.js";

/** The methods of `Context` whose calls are checked. All but `startTask` return a promise that must be awaited. */
const METHODS = [
  "elicit",
  "elicitUrl",
  "ask",
  "sample",
  "roots",
  "step",
  "exchange",
  "consumeRequestState",
  "startTask",
] as const;
type Method = (typeof METHODS)[number];

const MENTION = new RegExp(`\\b(?:${METHODS.join("|")})\\b`);

/**
 * Reports calls to methods of `Context` that are not awaited, and answers that are not read: the handler would continue without the
 * answer, or although the user declined. Also reports repeated steps, tasks that cannot or do not start, and exchanges of tokens without a
 * configuration.
 */
export function checkContextCalls(
  { declarations, config }: Pick<ServerModel, "declarations" | "config">,
  project: Project,
  runtime: RuntimeSymbols,
  collector: DiagnosticCollector,
): void {
  const report = collector.createReport();
  reportUnstartedTasks(declarations, project, collector);
  for (const file of project.sourceFiles) {
    const calls = findCalls(file, runtime);
    const steps = calls.flatMap(({ call, method }) => (method === "step" ? [call] : []));
    checkRepeatedSteps(steps, project, report);
    for (const { call, method } of calls) {
      if (method === "startTask") checkTaskStart(call, declarations, report);
      else checkCall(call, method, report);
      if (method === "exchange") checkExchange(call, config, report);
    }
  }
}

/** Reports a call to `Context.exchange` of a server whose configuration cannot exchange tokens. */
function checkExchange(call: CallExpression, config: ServerModel["config"], report: Report): void {
  const { auth } = config ?? {};
  if (auth !== undefined && auth.lacksExchange !== true) return;
  report("exchange-not-configured", call, {
    state: auth === undefined ? "no-auth" : auth.isOAuth === true ? "oauth" : "other-auth",
  });
}

function findCalls(file: SourceFile, runtime: RuntimeSymbols): { call: CallExpression; method: Method }[] {
  // Searching every expression of a program is slow, and few files send requests.
  if (!MENTION.test(file.getFullText())) return [];
  return file.getDescendantsOfKind(SyntaxKind.CallExpression).flatMap((call) => {
    const method = METHODS.find((each) => isContextCall(call, each, runtime));
    return method ? [{ call, method }] : [];
  });
}

function checkCall(call: CallExpression, method: Method, report: Report): void {
  const callee = call.getExpression();
  const at = Node.isPropertyAccessExpression(callee) ? callee.getNameNode() : callee;
  const promise = getOutermost(call, isPromiseOfCall);
  const parent = promise.getParent();
  if (!Node.isAwaitExpression(parent)) {
    if (isDropped(promise)) report("question-not-awaited", at, { method });
    return;
  }
  if (method !== "elicit" && method !== "elicitUrl") return;
  // The callback of `then` receives the answer.
  if (followsThen(call, promise)) return;
  if (promise === getOutermost(call, isSameValue) ? isUnread(parent) : isStatement(parent))
    report("elicitation-answer-unread", at, { method });
}

/** Returns the outermost of the enclosing expressions that pass a test, such as those with the same value. */
function getOutermost(node: Node, continues: (parent: Node, node: Node) => boolean): Node {
  const parent = node.getParent();
  return parent && continues(parent, node) ? getOutermost(parent, continues) : node;
}

function isSameValue(parent: Node): boolean {
  return (
    Node.isParenthesizedExpression(parent) ||
    Node.isAsExpression(parent) ||
    Node.isSatisfiesExpression(parent) ||
    Node.isNonNullExpression(parent) ||
    Node.isTypeAssertion(parent)
  );
}

/** Returns whether an expression is a promise that follows from another: `p.then(…)` or `Promise.all([p])`. */
function isPromiseOfCall(parent: Node, node: Node): boolean {
  if (isSameValue(parent) || Node.isArrayLiteralExpression(parent)) return true;
  if (Node.isPropertyAccessExpression(parent))
    return parent.getExpression() === node && /^(?:then|catch|finally)$/.test(parent.getName());
  if (!Node.isCallExpression(parent)) return false;
  const callee = parent.getExpression();
  if (callee === node) return true;
  return Node.isArrayLiteralExpression(node) && /^Promise\.\w+$/.test(callee.getText());
}

/** Returns whether a promise is the result of `then`, called on that of a call. */
function followsThen(call: Node, promise: Node): boolean {
  if (call === promise) return false;
  const parent = call.getParentOrThrow();
  const isThen = Node.isPropertyAccessExpression(parent) && parent.getName() === "then";
  return isThen || followsThen(parent, promise);
}

/** Returns whether a promise is neither awaited nor passed on. */
function isDropped(promise: Node): boolean {
  const parent = promise.getParent();
  if (Node.isVariableDeclaration(parent)) return isUnusedName(parent.getNameNode());
  return isStatement(promise) || Node.isVoidExpression(parent);
}

/** Returns whether nothing uses the value of an expression, as in `a;` and `b && a;`. */
function isStatement(node: Node): boolean {
  const parent = node.getParent();
  if (Node.isExpressionStatement(parent)) return true;
  if (parent && isSameValue(parent)) return isStatement(parent);
  if (Node.isVoidExpression(parent)) return true;
  if (Node.isConditionalExpression(parent)) return parent.getCondition() !== node && isStatement(parent);
  return Node.isBinaryExpression(parent) &&
    parent.getRight() === node &&
    isOperator(parent.getOperatorToken())
    ? isStatement(parent)
    : false;
}

function isOperator(token: Node): boolean {
  return /^(?:&&|\|\||\?\?|,)$/.test(token.getText());
}

/** Returns whether nothing reads the action of an answer. */
function isUnread(answer: Node): boolean {
  if (isStatement(answer)) return true;
  const value = getOutermost(answer, isSameValue);
  const parent = value.getParent();
  if (isTested(value)) return true;
  if (Node.isPropertyAccessExpression(parent)) return parent.getName() !== "action" || isStatement(parent);
  if (!Node.isVariableDeclaration(parent)) return false;
  const name = parent.getNameNode();
  if (Node.isObjectBindingPattern(name)) {
    return !name.getElements().some((element) => {
      const property = element.getPropertyNameNode() ?? element.getNameNode();
      const isRead = element.getDotDotDotToken() !== undefined || property.getText() === "action";
      return isRead && !isUnusedName(element.getNameNode());
    });
  }
  if (!Node.isIdentifier(name)) return false;
  const uses = findUses(name);
  // Any use other than access to another member may read the action.
  return uses.every((use) => {
    const access = use.getParent();
    return (
      isTested(use) ||
      (Node.isPropertyAccessExpression(access) &&
        access.getExpression() === use &&
        access.getName() !== "action")
    );
  });
}

/** Returns whether an expression is only a condition, such as that of an `if`. Every answer meets it. */
function isTested(node: Node): boolean {
  const parent = node.getParent();
  if (Node.isPrefixUnaryExpression(parent)) return true;
  if (Node.isBinaryExpression(parent))
    return parent.getLeft() === node && parent.getOperatorToken().getText() === "&&";
  if (Node.isConditionalExpression(parent)) return parent.getCondition() === node;
  return (
    (Node.isIfStatement(parent) || Node.isWhileStatement(parent) || Node.isDoStatement(parent)) &&
    parent.getExpression() === node
  );
}

function isUnusedName(name: Node): boolean {
  return Node.isIdentifier(name) && findUses(name).length === 0;
}

/** Returns the uses of a variable in its file. */
function findUses(name: Node): Node[] {
  const symbol = name.getSymbol();
  return name
    .getSourceFile()
    .getDescendantsOfKind(SyntaxKind.Identifier)
    .filter((each) => each !== name && each.getText() === name.getText() && refersTo(each, symbol));
}

function refersTo(name: Node, symbol: ReturnType<Node["getSymbol"]>): boolean {
  const parent = name.getParent();
  const found = Node.isShorthandPropertyAssignment(parent) ? parent.getValueSymbol() : name.getSymbol();
  return found === symbol;
}
