import type { PromptOptions, ResourceOptions, ToolOptions } from "./options.js";

/** What a decorator recorded: the options as written. The runtime reads behaviour and `cache`; the manifest holds the rest. */
export type RecordedOptions = ToolOptions & PromptOptions & ResourceOptions;

/** What a decorator is of, which tells its options from those of others on the same method or class. */
export interface DecoratorTarget {
  readonly kind: "tool" | "prompt" | "resource";
  /** Of a resource, its URI or template. */
  readonly uri?: string | undefined;
}

interface RecordedDecorator extends DecoratorTarget {
  readonly options: RecordedOptions;
}

/** A global symbol, so that two copies of this package in one process read each other's records. */
const RECORDS = Symbol.for("tenon.options");

/**
 * Records what a decorator says, of a method or (without one) of a class.
 *
 * @param owner a prototype, a class, or an instance
 */
export function recordOptions(decorator: RecordedDecorator, owner: object, method?: string | symbol): void {
  const earlier = (Reflect.getOwnMetadata(RECORDS, owner, method as string) ?? []) as RecordedDecorator[];
  // An override is recorded after what it overrides.
  const others = earlier.filter(({ kind, uri }) => kind !== decorator.kind || uri !== decorator.uri);
  Reflect.defineMetadata(RECORDS, [...others, decorator], owner, method as string);
}

/**
 * What a decorator recorded for one method of an instance (or, for a static method, of the class), or for the class.
 *
 * Decorators bring `reflect-metadata` along. A server is bundled without those that say nothing but what its manifest
 * holds; where none is left, nothing loads `reflect-metadata`, and nothing is recorded.
 *
 * @param method undefined for a decorator of the class
 * @example
 * recordedOptions({ kind: "tool" }, new Weather(), "current") // { readOnly: true }
 */
export function recordedOptions(
  { kind, uri }: DecoratorTarget,
  owner: object,
  method: string | undefined,
): RecordedOptions | undefined {
  const { getMetadata } = Reflect as Partial<Pick<typeof Reflect, "getMetadata">>;
  const ownerClass = typeof owner === "function" ? owner : owner.constructor;
  const recorded: unknown =
    method === undefined ? getMetadata?.(RECORDS, ownerClass) : getMetadata?.(RECORDS, owner, method);
  const all = (recorded ?? []) as RecordedDecorator[];
  return all.find((each) => each.kind === kind && each.uri === uri)?.options;
}
