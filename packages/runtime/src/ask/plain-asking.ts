import { settle } from "../connection/settle.js";
import type { Asking, AskingOptions } from "./asking.js";
import { createAskingOf } from "./is-url-required.js";

/** Calls handlers that declare no `Context`. One that fails for want of a URL brings along what asks for it. */
export function createPlainAsking(options: AskingOptions): Asking {
  let asking: Asking | undefined;
  const requireUrl: Asking["requireUrl"] = (invocation, error) => {
    asking ??= createAskingOf(error)?.(options);
    if (asking === undefined) throw error;
    return asking.requireUrl(invocation, error);
  };
  return {
    forms: new Map(),
    requireUrl,
    invoke: (invocation, handler, args) =>
      settle(
        () => handler.invoke(args, invocation),
        (value) => value,
        (error) => {
          if (createAskingOf(error) === undefined) throw error;
          return requireUrl(invocation, error);
        },
      ),
  };
}
