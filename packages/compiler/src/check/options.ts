import {
  COMPILER_TOOL_RULES,
  findOptionProblem,
  findRule,
  formatOptionPath,
  formatOptionValue,
  type OptionRule,
  PROMPT_RULE,
  RESOURCE_RULE,
  SERVER_RULE,
  TOOL_RULE,
} from "@tenon/runtime/option-rules";
import { findNearestName } from "@tenon/runtime/nearest-name";
import type { Expression, ObjectLiteralExpression } from "ts-morph";
import { Node, SyntaxKind, type ts } from "../typescript/typescript.js";
import type { DiagnosticCollector, Report } from "../diagnostics/diagnostic.js";
import type { Declaration, ServerModel } from "../model.js";
import { getElements, getMembers, findOrigin, isUndefined } from "../read/literals.js";
import { evaluateConstant } from "../typescript/constant.js";

/** The rules for the options of each decorator, including rules that a running server does not need. */
const RULES = {
  tool: { ...TOOL_RULE, members: { ...TOOL_RULE.members, ...COMPILER_TOOL_RULES } },
  prompt: PROMPT_RULE,
  resource: RESOURCE_RULE,
};

/** Options with their own diagnostics. */
const CHECKED_ELSEWHERE: ReadonlySet<string> = new Set(["profile", "dialects"]);

/** Checks the options of `defineServer` and of all decorators, as far as the source shows their values. */
export function checkOptions(
  { declarations, config }: ServerModel,
  checker: ts.TypeChecker,
  collector: DiagnosticCollector,
): void {
  if (config?.argument)
    checkValue(config.argument, SERVER_RULE, [], { checker, report: collector.createReport() });
  for (const declaration of declarations) {
    const report = collector.createReport(declaration.name);
    const options = findOptions(declaration);
    if (options) checkValue(options, RULES[declaration.kind], [], { checker, report });
    reportOptionsWithoutEffect(declaration, config, report, checker);
  }
}

/** Returns the options in the call to a decorator. */
export function findOptions({ kind, call }: Pick<Declaration, "kind" | "call">): Expression | undefined {
  const options = call.getArguments()[kind === "resource" ? 1 : 0];
  return Node.isExpression(options) ? options : undefined;
}

interface CheckContext {
  checker: ts.TypeChecker;
  report: Report;
}

type Path = readonly (string | number)[];

/** Checks an expression that is the value of an option. The running server checks what the source does not show. */
function checkValue(expression: Expression, rule: OptionRule, path: Path, context: CheckContext): void {
  const origin = findOrigin(expression);
  if (Node.isConditionalExpression(origin)) {
    checkValue(origin.getWhenTrue(), rule, path, context);
    checkValue(origin.getWhenFalse(), rule, path, context);
    return;
  }
  if (Node.isBinaryExpression(origin) && /^(?:\?\?|\|\|)$/.test(origin.getOperatorToken().getText())) {
    checkValue(origin.getRight(), rule, path, context);
    return;
  }
  if (Node.isObjectLiteralExpression(origin) && (rule.members ?? rule.values) && rule.accepts({})) {
    checkMembers(origin, rule, path, context);
    return;
  }
  const elements = rule.elements && rule.accepts([]) ? getElements(origin) : undefined;
  if (rule.elements && elements) {
    for (const [index, each] of elements.entries())
      checkValue(each, rule.elements, [...path, index], context);
    return;
  }
  if (formatOptionPath(path) === "log" && returnsFunction(origin, context.checker)) {
    // TypeScript accepts any function that can be called with an entry, such as `jsonLog` itself.
    const expected = "a function that returns no other function: a call is missing, as in jsonLog()";
    context.report("option-invalid", expression, { option: "log", expected });
    return;
  }
  const known = evaluate(origin, context.checker);
  if (known === undefined || known.value === undefined) return;
  reportInvalid(known.value, rule, path, expression, context);
}

function checkMembers(
  literal: ObjectLiteralExpression,
  rule: OptionRule,
  path: Path,
  context: CheckContext,
): void {
  const { members, values, required = [] } = rule;
  const found = getMembers(literal, context.checker);
  for (const { name, value, node } of found) {
    if (name === undefined || (path.length === 0 && CHECKED_ELSEWHERE.has(name))) continue;
    const member = members ? findRule(members, name) : values;
    const at = [...path, name];
    if (!member) {
      const known = Object.keys(members ?? {});
      context.report("option-unknown", Node.hasName(node) ? node.getNameNode() : node, {
        option: formatOptionPath(at),
        nearest: findNearestName(name, known),
        known,
      });
    } else if (value) {
      checkValue(value, member, at, context);
    } else if (Node.isMethodDeclaration(node)) {
      reportInvalid(() => {}, member, at, node.getNameNode(), context);
    }
  }
  if (found.some(({ name }) => name === undefined)) return;
  const missing = required.find((each) => !found.some(({ name }) => name === each));
  if (missing !== undefined && members) {
    reportInvalid(undefined, { ...rule, accepts: () => false }, path, literal, context);
  }
}

function reportInvalid(
  value: unknown,
  rule: OptionRule,
  path: Path,
  node: Node,
  { report }: CheckContext,
): void {
  const problem = findOptionProblem(value, rule, path);
  if (!problem) return;
  const isShown = value !== undefined && typeof problem.value !== "function";
  report("option-invalid", node, {
    option: formatOptionPath(problem.path) || "options",
    expected: problem.expected ?? rule.expected,
    ...(isShown && { value: formatOptionValue(problem.value) }),
  });
}

/** Returns the value of an expression, even one that JSON cannot represent; undefined if the source does not show it. */
function evaluate(expression: Expression, checker: ts.TypeChecker): { value: unknown } | undefined {
  const constant = evaluateConstant(expression.compilerNode, checker);
  if (constant) return constant;
  const type = checker.getTypeAtLocation(expression.compilerNode);
  // A class instead of its instance, or a function that is not called.
  if (type.getCallSignatures().length + type.getConstructSignatures().length > 0) return { value: () => {} };
  const isNegative =
    Node.isPrefixUnaryExpression(expression) && expression.getOperatorToken() === SyntaxKind.MinusToken;
  const name = (isNegative ? expression.getOperand() : expression).getText();
  if (name === "NaN" || name === "Number.NaN") return { value: Number.NaN };
  if (name === "Infinity" || name === "Number.POSITIVE_INFINITY")
    return { value: isNegative ? -Infinity : Infinity };
  return undefined;
}

/** Returns whether an expression is a function whose result is a function. */
function returnsFunction({ compilerNode }: Expression, checker: ts.TypeChecker): boolean {
  const signatures = checker.getTypeAtLocation(compilerNode).getCallSignatures();
  return (
    signatures.length > 0 && signatures.every((each) => each.getReturnType().getCallSignatures().length > 0)
  );
}

/** Reports options that are valid by themselves, but have no effect on this declaration. */
function reportOptionsWithoutEffect(
  declaration: Declaration,
  config: ServerModel["config"],
  report: Report,
  checker: ts.TypeChecker,
): void {
  const options = findOptions(declaration);
  const literal = options && findOrigin(options);
  if (!Node.isObjectLiteralExpression(literal)) return;
  const members = getMembers(literal, checker);
  for (const { name, value, node } of members) {
    if (name === undefined || isUndefined(value)) continue;
    const others = members.map((each) => each.name);
    const reason = explainNoEffect(name, declaration, others) ?? explainNoDialect(name, declaration, config);
    const at = Node.hasName(node) ? node.getNameNode() : node;
    if (reason !== undefined) report("option-without-effect", at, { option: name, ...reason });
  }
}

/** Explains why an option for OpenAI's clients has no effect without their dialect. */
function explainNoDialect(
  name: string,
  { options: { openai, view } }: Declaration,
  config: ServerModel["config"],
): { option: string; reason: string; edit: string } | undefined {
  if (config?.dialects?.names.includes("openai")) return undefined;
  const isForView = name === "view" && typeof view === "object" && view.openai !== undefined;
  if (!isForView && (name !== "openai" || openai === undefined)) return undefined;
  return {
    option: isForView ? "view.openai" : name,
    reason: "the server does not use OpenAI's dialect",
    edit: 'Write `dialects: ["openai"]` in `defineServer` in `src/server.ts`, or remove the option.',
  };
}

function explainNoEffect(
  option: string,
  declaration: Declaration,
  others: readonly (string | undefined)[],
): { reason: string; edit: string } | undefined {
  if (option === "taskStart" && !others.includes("task")) {
    return {
      reason: "the tool does not run as a task",
      edit: 'Write `task: "optional"`, or remove `taskStart`.',
    };
  }
  if (declaration.kind !== "resource") return undefined;
  const isTemplate = declaration.uri.includes("{");
  if (isTemplate && option === "size") {
    return { reason: "the resources of a template have different sizes", edit: "Return `size` from `list`." };
  }
  return !isTemplate && (option === "list" || option === "complete")
    ? {
        reason: `\`${declaration.uri}\` has no \`{variables}\``,
        edit: `Remove the option, or write the URI of a template.`,
      }
    : undefined;
}
