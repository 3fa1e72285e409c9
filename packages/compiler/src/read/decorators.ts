import {
  GUARDS,
  type Guard,
  type JsonValue,
  type KnownRateLimit,
  type RateLimit,
} from "@tenon/runtime/manifest";
import { Node, type CallExpression, type Decorator, type Expression } from "ts-morph";
import {
  canBeReadByServer,
  DECORATOR_OPTIONS,
  isOption,
  isReadByServer,
  type PlainOptions,
} from "../declared-options.js";
import { constantValue } from "../project/constant.js";
import type { RuntimeSymbols } from "../project/runtime-symbols.js";
import type { ts } from "../project/typescript.js";
import { membersOf, onlyReturned, originOf } from "./literals.js";
import { knownRateLimit } from "./rate-limit.js";

export type DecoratorName = "Tool" | "Prompt" | "Resource";

/** One of our decorators as it stands in the source. */
export interface FoundDecorator {
  node: Decorator;
  name: DecoratorName;
  /** Where our function is named: in the decorator, or in the author's function that makes one of ours. */
  nameNode: Node;
  /**
   * The call of our function: the decorator's own, or the one that the author's function returns. Absent when the
   * decorator was not called: `@Tool` instead of `@Tool()`.
   */
  call?: CallExpression;
}

/** Our decorators on a class or member, recognised by symbol: aliases and namespaces do not matter. */
export function findDecorators(node: Node, runtime: RuntimeSymbols): FoundDecorator[] {
  if (!Node.isDecoratable(node)) return [];
  return node.getDecorators().flatMap((decorator) => findDecorator(decorator, runtime) ?? []);
}

/** One of our decorators, or one that a function of the author's makes of ours; undefined for anyone else's. */
export function findDecorator(decorator: Decorator, runtime: RuntimeSymbols): FoundDecorator | undefined {
  const made = madeBy(decorator.getExpression(), runtime, []);
  return made && { node: decorator, ...made };
}

type Made = Omit<FoundDecorator, "node">;

/** Follows constants, and functions that do nothing but return: `function Mine() { return Tool({ … }); }`. */
function madeBy(expression: Expression, runtime: RuntimeSymbols, seen: readonly Node[]): Made | undefined {
  const made = originOf(expression);
  if (seen.includes(made)) return undefined;
  if (!Node.isCallExpression(made)) return ofOurs(made, runtime);
  const callee = originOf(made.getExpression());
  const ours = ofOurs(callee, runtime);
  if (ours) return { ...ours, call: made };
  const returned = onlyReturned(callee);
  return returned && madeBy(returned, runtime, [...seen, made]);
}

function ofOurs(callee: Expression, runtime: RuntimeSymbols): Made | undefined {
  const nameNode = nameNodeOf(callee);
  const name = runtime.nameOf(nameNode.getSymbol()?.compilerSymbol);
  return name === "Tool" || name === "Prompt" || name === "Resource" ? { name, nameNode } : undefined;
}

/** The last name of `tenon.Tool` and `tenon["Tool"]`. */
export function nameNodeOf(callee: Expression): Node {
  if (Node.isPropertyAccessExpression(callee)) return callee.getNameNode();
  return Node.isElementAccessExpression(callee) ? (callee.getArgumentExpression() ?? callee) : callee;
}

/** What the options object of a decorator says. */
export interface ReadOptions {
  options: PlainOptions;
  /** The options that decide for each caller. */
  guards: Guard[];
  /** How often one caller may call. */
  rateLimit: KnownRateLimit | undefined;
  /** What the manifest would have to hold, but what is known at run time only. */
  unreadable: { option: string; node: Node }[];
}

/** Reads the options that are plain data; what the running server reads by itself is left to it. */
export function readOptions(argument: Node | undefined, checker: ts.TypeChecker): ReadOptions {
  const options: Record<string, JsonValue> = {};
  const guards = new Set<Guard>();
  const unreadable: ReadOptions["unreadable"] = [];
  let rateLimit: KnownRateLimit | undefined;
  const take = (name: string, value: JsonValue): void => {
    if (!isOption(name, value, DECORATOR_OPTIONS)) return;
    if (name === "rateLimit") rateLimit = value as unknown as RateLimit;
    else options[name] = value;
  };
  const takeAll = (expression: Expression): void => {
    const whole = constantValue(expression.compilerNode, checker)?.value;
    const isObject = typeof whole === "object" && whole !== null && !Array.isArray(whole);
    if (isObject) for (const [name, value] of Object.entries(whole)) take(name, value);
    else unreadable.push({ option: "options", node: expression });
  };
  if (!Node.isExpression(argument)) return { options, guards: [], rateLimit, unreadable };
  const literal = originOf(argument);
  if (!Node.isObjectLiteralExpression(literal)) {
    takeAll(argument);
    return { options, guards: [], rateLimit, unreadable };
  }
  for (const { name, value, node } of membersOf(literal, checker)) {
    const guard = GUARDS.find((each) => each === name);
    if (Node.isSpreadAssignment(node)) {
      takeAll(node.getExpression());
    } else if (guard !== undefined) {
      if (isUndefined(value)) guards.delete(guard);
      else guards.add(guard);
    } else if (name === "rateLimit") {
      rateLimit = knownRateLimit({ value, node }, checker);
    } else if (name === undefined || !isReadByServer(name, DECORATOR_OPTIONS)) {
      const constant = value && constantValue(value.compilerNode, checker);
      if (name !== undefined && constant) take(name, constant.value);
      else if (name !== undefined && (isUndefined(value) || canBeReadByServer(name, DECORATOR_OPTIONS)))
        delete options[name];
      else unreadable.push({ option: name ?? node.getText(), node: value ?? node });
    }
  }
  return { options, guards: GUARDS.filter((each) => guards.has(each)), rateLimit, unreadable };
}

function isUndefined(value: Expression | undefined): boolean {
  return Node.isIdentifier(value) && value.getText() === "undefined";
}
