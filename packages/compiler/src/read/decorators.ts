import {
  GUARDS,
  type Guard,
  type JsonValue,
  type DeclaredRateLimit,
  type RateLimit,
  type DeclaredCallbacks,
} from "@tenon/runtime/manifest";
import type { CallExpression, Decorator, Expression } from "ts-morph";
import { Node, type ts } from "../typescript/typescript.js";
import {
  canBeReadByServer,
  DECORATOR_OPTIONS,
  isOption,
  isReadByServer,
  type PlainOptions,
} from "../declared-options.js";
import { evaluateConstant } from "../typescript/constant.js";
import type { RuntimeSymbols } from "../typescript/runtime-symbols.js";
import { getMembers, findReturnedExpression, findOrigin, isUndefined } from "./literals.js";
import { readRateLimit } from "./rate-limit.js";

export type DecoratorName = "Tool" | "Prompt" | "Resource";

/** A decorator of the runtime in the source. */
export interface FoundDecorator {
  node: Decorator;
  name: DecoratorName;
  /** The name `Tool`, `Prompt`, or `Resource`: in the decorator, or in the author's function that returns one. */
  nameNode: Node;
  /**
   * The call to `Tool`, `Prompt`, or `Resource`: the decorator's own, or the one that the author's function returns.
   * Absent if the decorator is not called: `@Tool` instead of `@Tool()`.
   */
  call?: CallExpression;
}

/** Finds Tenon's decorators on a class or member. They are recognized by symbol, so aliases and namespaces do not matter. */
export function findDecorators(node: Node, runtime: RuntimeSymbols): FoundDecorator[] {
  if (!Node.isDecoratable(node)) return [];
  return node.getDecorators().flatMap((decorator) => findDecorator(decorator, runtime) ?? []);
}

/** Recognizes a decorator of the runtime, or one that an author's function returns; undefined for other decorators. */
export function findDecorator(decorator: Decorator, runtime: RuntimeSymbols): FoundDecorator | undefined {
  const origin = findCall(decorator.getExpression(), runtime, []);
  return origin && { node: decorator, ...origin };
}

type FoundCall = Omit<FoundDecorator, "node">;

/** Follows constants and functions that only return, such as `function Mine() { return Tool({ … }); }`. */
function findCall(
  expression: Expression,
  runtime: RuntimeSymbols,
  seen: readonly Node[],
): FoundCall | undefined {
  const origin = findOrigin(expression);
  if (seen.includes(origin)) return undefined;
  if (!Node.isCallExpression(origin)) return findTenonFunction(origin, runtime);
  const callee = findOrigin(origin.getExpression());
  const found = findTenonFunction(callee, runtime);
  if (found) return { ...found, call: origin };
  const returned = findReturnedExpression(callee);
  return returned && findCall(returned, runtime, [...seen, origin]);
}

function findTenonFunction(callee: Expression, runtime: RuntimeSymbols): FoundCall | undefined {
  const nameNode = findNameNode(callee);
  const name = runtime.getName(nameNode.getSymbol()?.compilerSymbol);
  return name === "Tool" || name === "Prompt" || name === "Resource" ? { name, nameNode } : undefined;
}

/** Returns the last name in `tenon.Tool` and `tenon["Tool"]`. */
export function findNameNode(callee: Expression): Node {
  if (Node.isPropertyAccessExpression(callee)) return callee.getNameNode();
  return Node.isElementAccessExpression(callee) ? (callee.getArgumentExpression() ?? callee) : callee;
}

/** The options in a decorator's argument. */
export interface ParsedOptions {
  options: PlainOptions;
  /** Options that the server evaluates for each caller. */
  guards: Guard[];
  /** Callbacks that change what clients see. */
  callbacks: DeclaredCallbacks;
  /** Rate limit for each caller. */
  rateLimit: DeclaredRateLimit | undefined;
  /** Options that belong in the manifest, but whose values are known only at run time. */
  unreadable: { option: string; node: Node }[];
}

/** Reads the options that are plain data. The running server reads the others. */
export function readOptions(argument: Node | undefined, checker: ts.TypeChecker): ParsedOptions {
  const options: Record<string, JsonValue> = {};
  const guards = new Set<Guard>();
  const unreadable: ParsedOptions["unreadable"] = [];
  const callbacks: { lists?: true; completes?: string[] } = {};
  let rateLimit: DeclaredRateLimit | undefined;
  const addOption = (name: string, value: JsonValue): void => {
    if (!isOption(name, value, DECORATOR_OPTIONS)) return;
    if (name === "rateLimit") rateLimit = value as unknown as RateLimit;
    else options[name] = value;
  };
  const addOptions = (expression: Expression): void => {
    const whole = evaluateConstant(expression.compilerNode, checker)?.value;
    const isObject = typeof whole === "object" && whole !== null && !Array.isArray(whole);
    if (isObject) for (const [name, value] of Object.entries(whole)) addOption(name, value);
    else unreadable.push({ option: "options", node: expression });
  };
  if (!Node.isExpression(argument)) return { options, guards: [], callbacks, rateLimit, unreadable };
  const literal = findOrigin(argument);
  if (!Node.isObjectLiteralExpression(literal)) {
    addOptions(argument);
    return { options, guards: [], callbacks, rateLimit, unreadable };
  }
  for (const { name, value, node } of getMembers(literal, checker)) {
    const guard = GUARDS.find((each) => each === name);
    if (Node.isSpreadAssignment(node)) {
      addOptions(node.getExpression());
    } else if (guard !== undefined) {
      if (isUndefined(value)) guards.delete(guard);
      else guards.add(guard);
    } else if (name === "list" && !isUndefined(value)) {
      callbacks.lists = true;
    } else if (name === "complete" && value !== undefined && !isUndefined(value)) {
      callbacks.completes = listNames(value, checker);
    } else if (name === "rateLimit") {
      rateLimit = readRateLimit({ value, node }, checker);
    } else if (name === undefined || !isReadByServer(name, DECORATOR_OPTIONS)) {
      const constant = value && evaluateConstant(value.compilerNode, checker);
      if (name !== undefined && constant) addOption(name, constant.value);
      else if (name !== undefined && (isUndefined(value) || canBeReadByServer(name, DECORATOR_OPTIONS)))
        delete options[name];
      else unreadable.push({ option: name ?? node.getText(), node: value ?? node });
    }
  }
  return { options, guards: GUARDS.filter((each) => guards.has(each)), callbacks, rateLimit, unreadable };
}

function listNames(value: Expression, checker: ts.TypeChecker): string[] {
  const literal = findOrigin(value);
  if (!Node.isObjectLiteralExpression(literal)) return [];
  return getMembers(literal, checker).flatMap((each) => each.name ?? []);
}
