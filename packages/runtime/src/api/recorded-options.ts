import type { PromptOptions, ResourceOptions, ToolOptions } from "./options.js";

/**
 * The options of a decorator, as written. The runtime reads the callbacks and `cache`; the manifest contains the rest.
 */
export type RecordedOptions = ToolOptions & PromptOptions & ResourceOptions;

/** Identifies a decorator among several on the same method or class. */
export interface DecoratorTarget {
  readonly kind: "tool" | "prompt" | "resource";
  /** The URI or URI template of a resource. */
  readonly uri?: string | undefined;
}

interface RecordedDecorator extends DecoratorTarget {
  readonly options: RecordedOptions;
}

/** A global symbol, so that two copies of this package in one process read each other's records. */
const RECORDS = Symbol.for("tenon.options");

/**
 * Records the options of a decorator on a method or, without `method`, on a class.
 *
 * @param owner a prototype, a class, or an instance
 */
export function recordOptions(decorator: RecordedDecorator, owner: object, method?: string | symbol): void {
  const earlier = (Reflect.getOwnMetadata(RECORDS, owner, method as string) ?? []) as RecordedDecorator[];
  // The options of an override are recorded later, and replace those of the overridden method.
  const others = earlier.filter(({ kind, uri }) => kind !== decorator.kind || uri !== decorator.uri);
  Reflect.defineMetadata(RECORDS, [...others, decorator], owner, method as string);
}

/**
 * Returns the recorded options of a decorator.
 *
 * The bundle of a server omits decorators whose options are all in the manifest. If none remains, `reflect-metadata` is
 * not loaded, and nothing is recorded.
 *
 * @param owner an instance, or the class for a static method
 * @param method the name of the method; undefined for a decorator of the class
 * @returns undefined if the decorator was omitted
 * @example
 * getRecordedOptions({ kind: "tool" }, new Weather(), "current") // { readOnly: true }
 */
export function getRecordedOptions(
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
