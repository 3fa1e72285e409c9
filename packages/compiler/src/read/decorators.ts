import type { JsonValue } from "@tenon/runtime/manifest";
import { ts } from "../project/typescript.js";
import type { Report } from "../diagnostics/diagnostic.js";
import type { PlainOptions } from "../model.js";
import { constantValue, propertyKey, unwrapped } from "../project/constant.js";
import type { RuntimeSymbols } from "../project/runtime-symbols.js";

export type DecoratorName = "Tool" | "Prompt" | "Resource";

/** One of our decorators as it stands in the source. */
export interface FoundDecorator {
  node: ts.Decorator;
  name: DecoratorName;
  /** Absent when the decorator was not called: `@Tool` instead of `@Tool()`. */
  call?: ts.CallExpression;
}

/** Options that are functions: the runtime reads them from the class, the compiler passes over them. */
const BEHAVIOUR = new Set(["enabled", "complete", "list", "authorize", "rateLimit"]);

/** Our decorators on a class or member, recognised by symbol: aliases and namespaces do not matter. */
export function findDecorators(
  node: ts.Node,
  checker: ts.TypeChecker,
  runtime: RuntimeSymbols,
): FoundDecorator[] {
  if (!ts.canHaveDecorators(node)) return [];
  return (ts.getDecorators(node) ?? []).flatMap((decorator) => {
    const call = ts.isCallExpression(decorator.expression) ? decorator.expression : undefined;
    const name = runtime.nameOf(
      checker.getSymbolAtLocation(nameNode(call?.expression ?? decorator.expression)),
    );
    if (name !== "Tool" && name !== "Prompt" && name !== "Resource") return [];
    return [{ node: decorator, name, ...(call && { call }) }];
  });
}

function nameNode(callee: ts.Expression): ts.Node {
  return ts.isPropertyAccessExpression(callee) ? callee.name : callee;
}

/**
 * The plain data of an options object. A member whose value only exists at run time is reported, since the
 * manifest could not hold it; behaviour options are left to the runtime.
 */
export function readOptions(
  expression: ts.Expression | undefined,
  checker: ts.TypeChecker,
  report: Report,
): PlainOptions {
  if (!expression) return {};
  const literal = literalOf(expression, checker);
  if (!literal) {
    const whole = constantValue(expression, checker);
    if (whole && typeof whole.value === "object" && whole.value !== null && !Array.isArray(whole.value))
      return whole.value;
    report("decorator-option-not-constant", expression, { option: "options" });
    return {};
  }
  return readMembers(literal, checker, report);
}

/** The value of each member that is plain data, in source order. */
function readMembers(
  literal: ts.ObjectLiteralExpression,
  checker: ts.TypeChecker,
  report: Report,
): PlainOptions {
  const options: Record<string, JsonValue> = {};
  for (const property of literal.properties) {
    if (ts.isSpreadAssignment(property)) {
      Object.assign(options, readOptions(property.expression, checker, report));
      continue;
    }
    const key = property.name && propertyKey(property.name, checker);
    if (key !== undefined && BEHAVIOUR.has(key)) continue;
    const expression = ts.isPropertyAssignment(property)
      ? property.initializer
      : ts.isShorthandPropertyAssignment(property)
        ? property.name
        : undefined;
    const found = expression && constantValue(expression, checker);
    if (key !== undefined && found) options[key] = found.value;
    else if (!(expression && isUndefined(expression))) {
      report("decorator-option-not-constant", expression ?? property, { option: key ?? property.getText() });
    }
  }
  return options;
}

function isUndefined(expression: ts.Expression): boolean {
  return ts.isIdentifier(expression) && expression.text === "undefined";
}

/** The object literal behind an expression, through `as const`, `satisfies` and a `const` it names. */
function literalOf(
  expression: ts.Expression,
  checker: ts.TypeChecker,
): ts.ObjectLiteralExpression | undefined {
  const node = unwrapped(expression);
  if (ts.isObjectLiteralExpression(node)) return node;
  if (!ts.isIdentifier(node)) return undefined;
  let symbol = checker.getSymbolAtLocation(node);
  if (symbol && symbol.flags & ts.SymbolFlags.Alias) symbol = checker.getAliasedSymbol(symbol);
  const declaration = symbol?.valueDeclaration;
  if (!declaration || !ts.isVariableDeclaration(declaration) || !declaration.initializer) return undefined;
  if (!(ts.getCombinedNodeFlags(declaration) & ts.NodeFlags.Const)) return undefined;
  const initializer = unwrapped(declaration.initializer);
  return ts.isObjectLiteralExpression(initializer) ? initializer : undefined;
}
