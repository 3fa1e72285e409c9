import type { CallExpression } from "ts-morph";
import { Node } from "./typescript.js";
import type { RuntimeSymbols } from "./runtime-symbols.js";

/** Returns whether an expression calls a method of the runtime's `Context`, by symbol. */
export function isContextCall(call: CallExpression, name: string, runtime: RuntimeSymbols): boolean {
  const method = call.getExpression().getType().getNonNullableType().getSymbol()?.getValueDeclaration();
  if (!Node.isMethodSignature(method) || method.getName() !== name) return false;
  return runtime.getName(method.getParent().getSymbol()?.compilerSymbol) === "Context";
}
