/**
 * The parts of a schema that describe the parts of a value, in all alternatives.
 * @module
 */
import { type JsonSchema, resolve } from "../../protocol/json-schema.js";
import { isObject } from "../../protocol/jsonrpc.js";

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

/** Returns the schemas of a member in one alternative: `true` allows anything; empty if there is no such member. */
function partsAt(name: string, shape: JsonSchema): (JsonSchema | true)[] {
  const { properties = {}, patternProperties = {}, additionalProperties = false } = shape;
  if (Object.hasOwn(properties, name)) return [properties[name] as JsonSchema];
  const matching = Object.entries(patternProperties).filter(([pattern]) =>
    new RegExp(pattern, "u").test(name),
  );
  if (matching.length > 0) return matching.map(([, part]) => part);
  return additionalProperties === false ? [] : [additionalProperties];
}

/** Returns the schemas of a member in all alternatives. */
export function memberPartsAt(name: string, shapes: readonly JsonSchema[]): (JsonSchema | true)[] {
  return shapes.flatMap((shape) => partsAt(name, shape));
}

/** Returns the schemas of an item in all alternatives; `true` allows anything. */
export function itemPartsAt(index: number, shapes: readonly JsonSchema[]): (JsonSchema | true)[] {
  return shapes.flatMap(({ prefixItems = [], items = true }) => {
    const part = prefixItems[index] ?? items;
    return part === true || isObject(part) ? [part] : [];
  });
}
