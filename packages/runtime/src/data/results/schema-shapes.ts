/**
 * The parts of a schema that describe the parts of a value, in all alternatives.
 * @module
 */
import { type JsonSchema, resolve } from "../../protocol/json-schema.js";
import { isObject } from "../../protocol/jsonrpc.js";
import { findMemberSchemas } from "../problems/member-schemas.js";

/** Resolves references and alternatives: returns the schemas of all types that a value may have. */
export function toShapes(parts: readonly JsonSchema[], root: JsonSchema): JsonSchema[] {
  const shapes = new Set<JsonSchema>();
  const seen = new Set<JsonSchema>();
  const visit = (part: JsonSchema): void => {
    const target = resolve(part, root);
    if (seen.has(target)) return;
    seen.add(target);
    if (target.anyOf === undefined) shapes.add(target);
    else target.anyOf.forEach(visit);
  };
  parts.forEach(visit);
  return [...shapes];
}

/**
 * Returns the schemas of a member in all alternatives: `true` allows anything; the list is empty if there is no such
 * member.
 */
export function getMemberParts(name: string, shapes: readonly JsonSchema[]): (JsonSchema | true)[] {
  return shapes.flatMap((shape): (JsonSchema | true)[] => {
    const found = findMemberSchemas(shape, name);
    return found.length === 0 && shape.additionalProperties === true ? [true] : found;
  });
}

/** Returns the schemas of an item in all alternatives; `true` allows anything. */
export function getItemParts(index: number, shapes: readonly JsonSchema[]): (JsonSchema | true)[] {
  return shapes.flatMap(({ prefixItems = [], items = true }) => {
    const part = prefixItems[index] ?? items;
    return part === true || isObject(part) ? [part] : [];
  });
}
