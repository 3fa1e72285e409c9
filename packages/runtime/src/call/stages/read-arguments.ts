import type { Stage } from "./stage.js";

/** Validates and converts the arguments, unless a middleware has read them. */
export const readArguments: Stage = (next, target) =>
  function convertArguments(call) {
    call.arguments ??= target.readArguments(call);
    return next(call);
  };
