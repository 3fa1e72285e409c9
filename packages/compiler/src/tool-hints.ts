import type { ToolAnnotations } from "@tenon/runtime/manifest";

/**
 * Adds the hints that follow from those that are set, because directories require them: a tool that only reads destroys
 * nothing, and a tool with a `destructiveHint` does not only read.
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
