import type { ToolAnnotations } from "@tenon/runtime/manifest";

/**
 * Returns the hints that are set, and those that follow from them, which directories require: a tool that only reads destroys
 * nothing, and a tool whose `destructiveHint` is set does not only read.
 *
 * @example
 * completeHints({ readOnlyHint: true }) // { readOnlyHint: true, destructiveHint: false }
 * completeHints({ destructiveHint: false }) // { readOnlyHint: false, destructiveHint: false }
 */
export function completeHints({
  readOnlyHint: readOnly,
  destructiveHint: destructive,
  idempotentHint: idempotent,
  openWorldHint: openWorld,
}: ToolAnnotations): ToolAnnotations {
  const destructiveHint = readOnly ? false : destructive;
  const readOnlyHint = readOnly ?? (destructive === undefined ? undefined : false);
  return {
    ...(readOnlyHint !== undefined && { readOnlyHint }),
    ...(destructiveHint !== undefined && { destructiveHint }),
    ...(idempotent !== undefined && { idempotentHint: idempotent }),
    ...(openWorld !== undefined && { openWorldHint: openWorld }),
  };
}
