import type { JsonSchema } from "@tenon/runtime/manifest";

const SCALAR_TYPES: ReadonlySet<string> = new Set(["string", "number", "integer", "boolean", "null"]);

/** True for a name of a type whose values have no parts. */
export function isScalarType(name: string): boolean {
  return SCALAR_TYPES.has(name);
}

/**
 * True for a schema whose `type` allows neither objects nor arrays.
 *
 * @example
 * isScalarSchema({ type: ["string", "null"] }) // true
 * isScalarSchema({ enum: ["a"] }) // false: it names no type
 */
export function isScalarSchema({ type }: JsonSchema): boolean {
  return type !== undefined && [type].flat().every(isScalarType);
}
