import type { PromptOptions, ResourceOptions, ToolOptions } from "./options.js";

/** What a decorator recorded: the options as written. The runtime reads behaviour and `cache`; the manifest holds the rest. */
export type RecordedOptions = ToolOptions & PromptOptions & ResourceOptions & { uri?: string };

/** A global symbol, so that two copies of this package in one process read each other's records. */
export const OPTIONS = Symbol.for("tenon.options");

/**
 * What the decorators recorded for one method of an instance (or, for a static method, of the class).
 *
 * Decorators bring `reflect-metadata` along. A server is bundled without those that say nothing but what its manifest
 * holds; where none is left, nothing loads `reflect-metadata`, and nothing is recorded.
 *
 * @example
 * recordedOptions(new Weather(), "current") // { readOnly: true }
 */
export function recordedOptions(owner: object, method: string): RecordedOptions | undefined {
  const { getMetadata } = Reflect as Partial<Pick<typeof Reflect, "getMetadata">>;
  const ownerClass = typeof owner === "function" ? owner : owner.constructor;
  const recorded: unknown = getMetadata?.(OPTIONS, owner, method) ?? getMetadata?.(OPTIONS, ownerClass);
  return recorded as RecordedOptions | undefined;
}
