import type { HandlerParameter, HandlerRef } from "@tenon/runtime/manifest";
import type { Declaration } from "../model.js";

/** Where the runtime finds the user's method, and how it fills its parameters. */
export function handlerRef(declaration: Declaration, parameters: HandlerParameter[]): HandlerRef {
  const { owner, methodName, isClassForm, isStatic } = declaration;
  return {
    module: owner.module,
    export: owner.exportName,
    method: methodName,
    ...(isClassForm && { classForm: true as const }),
    ...(isStatic && { static: true as const }),
    parameters,
  };
}
