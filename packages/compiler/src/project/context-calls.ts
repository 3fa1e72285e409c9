import { Node, type CallExpression } from "ts-morph";
import type { RuntimeSymbols } from "./runtime-symbols.js";

/** True for a call of a method of `Context`: by where the type of the callee comes from, so that no name deceives. */
export function isContextCall(call: CallExpression, name: string, runtime: RuntimeSymbols): boolean {
  const method = call.getExpression().getType().getNonNullableType().getSymbol()?.getValueDeclaration();
  if (!Node.isMethodSignature(method) || method.getName() !== name) return false;
  return runtime.nameOf(method.getParent().getSymbol()?.compilerSymbol) === "Context";
}
