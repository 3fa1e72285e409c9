import type { JsonSchema } from "@tenon/runtime/manifest";

const SCALAR_TYPES: ReadonlySet<string> = new Set(["string", "number", "integer", "boolean", "null"]);

/** Returns whether the values of a type have no parts. */
export function isScalarType(name: string): boolean {
  return SCALAR_TYPES.has(name);
}

/**
 * Returns whether a schema's `type` allows neither objects nor arrays.
 *
 * @example
 * isScalarSchema({ type: ["string", "null"] }) // true
 * isScalarSchema({ enum: ["a"] }) // false: it names no type
 */
export function isScalarSchema({ type }: JsonSchema): boolean {
  return type !== undefined && [type].flat().every(isScalarType);
}
