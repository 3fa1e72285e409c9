import type { JsonValue } from "@tenon/runtime/manifest";
import { Node, type CallExpression, type Decorator, type Expression } from "ts-morph";
import { DECORATOR_OPTIONS, isOption, isReadByServer, type PlainOptions } from "../declared-options.js";
import { constantValue } from "../project/constant.js";
import type { RuntimeSymbols } from "../project/runtime-symbols.js";
import type { ts } from "../project/typescript.js";
import { membersOf, originOf } from "./literals.js";

export type DecoratorName = "Tool" | "Prompt" | "Resource";

/** One of our decorators as it stands in the source. */
export interface FoundDecorator {
  node: Decorator;
  name: DecoratorName;
  /** Absent when the decorator was not called: `@Tool` instead of `@Tool()`. */
  call?: CallExpression;
}

/** Our decorators on a class or member, recognised by symbol: aliases and namespaces do not matter. */
export function findDecorators(node: Node, runtime: RuntimeSymbols): FoundDecorator[] {
  if (!Node.isDecoratable(node)) return [];
  return node.getDecorators().flatMap((decorator) => {
    const call = decorator.getCallExpression();
    const callee = call?.getExpression() ?? decorator.getExpression();
    const name = runtime.nameOf(callee.getSymbol()?.compilerSymbol);
    if (name !== "Tool" && name !== "Prompt" && name !== "Resource") return [];
    return [{ node: decorator, name, ...(call && { call }) }];
  });
}

/** What the options object of a decorator says. */
export interface ReadOptions {
  options: PlainOptions;
  /** What the manifest would have to hold, but what is known at run time only. */
  unreadable: { option: string; node: Node }[];
}

/** Reads the options that are plain data; what the running server reads by itself is left to it. */
export function readOptions(argument: Node | undefined, checker: ts.TypeChecker): ReadOptions {
  const options: Record<string, JsonValue> = {};
  const unreadable: ReadOptions["unreadable"] = [];
  const take = (name: string, value: JsonValue): void => {
    if (isOption(name, value, DECORATOR_OPTIONS)) options[name] = value;
  };
  const takeAll = (expression: Expression): void => {
    const whole = constantValue(expression.compilerNode, checker)?.value;
    const isObject = typeof whole === "object" && whole !== null && !Array.isArray(whole);
    if (isObject) for (const [name, value] of Object.entries(whole)) take(name, value);
    else unreadable.push({ option: "options", node: expression });
  };
  if (!Node.isExpression(argument)) return { options, unreadable };
  const literal = originOf(argument);
  if (!Node.isObjectLiteralExpression(literal)) {
    takeAll(argument);
    return { options, unreadable };
  }
  for (const { name, value, node } of membersOf(literal, checker)) {
    if (Node.isSpreadAssignment(node)) {
      takeAll(node.getExpression());
    } else if (name === undefined || !isReadByServer(name, DECORATOR_OPTIONS)) {
      const constant = value && constantValue(value.compilerNode, checker);
      if (name !== undefined && constant) take(name, constant.value);
      else if (name !== undefined && isUndefined(value)) delete options[name];
      else unreadable.push({ option: name ?? node.getText(), node: value ?? node });
    }
  }
  return { options, unreadable };
}

function isUndefined(value: Expression | undefined): boolean {
  return Node.isIdentifier(value) && value.getText() === "undefined";
}
