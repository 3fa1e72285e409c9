import type { Stage } from "./stage.js";

/** Validates and converts the arguments, unless a middleware has read them. */
export const readArguments: Stage = (next, target) =>
  function convertArguments(call) {
    call.arguments ??= target.readArguments(call);
    return next(call);
  };

/** Downloads files in arguments, before the handler is called. */
export const downloadFiles: Stage = (next, target, server) =>
  server.createDownloads?.(next, target, server) ?? next;
