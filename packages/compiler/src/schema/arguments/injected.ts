import type { HandlerParameter } from "@tenon/runtime/manifest";
import type { ts } from "../../project/typescript.js";
import type { DerivationCache } from "../derivation-cache.js";
import { isLibraryNode } from "../../project/nodes.js";

/**
 * What the runtime passes to a parameter of this type; undefined for arguments. Recognised by where the type is
 * declared: a `Context` or `AbortSignal` of the author's own is an ordinary type.
 *
 * @param optional the parameter may be left out, or be `undefined`
 */
export function injectedParameter(
  type: ts.Type,
  optional: boolean,
  cache: DerivationCache,
): HandlerParameter | undefined {
  const symbol = type.getSymbol();
  const name = symbol?.name;
  if (name === "Context" && cache.runtime.nameOf(symbol) === "Context") return { from: "context" };
  if (name === "Principal" && cache.runtime.nameOf(symbol) === "Principal")
    return { from: "principal", ...(optional && { optional }) };
  const isSignal = name === "AbortSignal" && symbol?.declarations?.some((each) => isLibraryNode(each));
  return isSignal ? { from: "signal" } : undefined;
}
