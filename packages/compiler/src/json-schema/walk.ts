import type { JsonSchema } from "@tenon/runtime/manifest";
import { keyword } from "./keywords.js";

/** A schema directly inside another. */
export interface Subschema {
  keyword: string;
  /** The name that a map has it under, or its index in a list. Absent where the keyword holds it alone. */
  key?: string | number;
  schema: JsonSchema;
}

/**
 * The schemas directly inside of one, in the order in which they are written. An author's own schema may hold `true`
 * and `false` where schemas stand, or anything else: that is passed over.
 *
 * @example
 * subschemasOf({ properties: { city: { type: "string" } }, required: ["city"] })
 * // [{ keyword: "properties", key: "city", schema: { type: "string" } }]
 */
export function subschemasOf(schema: JsonSchema): Subschema[] {
  return Object.entries(schema).flatMap(([name, value]): Subschema[] => {
    const holds = keyword(name)?.holds;
    if (!holds || typeof value !== "object" || value === null) return [];
    // Before 2020-12, `items` could be a list.
    if (Array.isArray(value)) {
      return value.flatMap((each: unknown, key) =>
        isSchema(each) ? [{ keyword: name, key, schema: each }] : [],
      );
    }
    if (holds !== "map") return holds === "schema" ? [{ keyword: name, schema: value as JsonSchema }] : [];
    return Object.entries(value as Record<string, unknown>).flatMap(([key, each]) =>
      isSchema(each) ? [{ keyword: name, key, schema: each }] : [],
    );
  });
}

/** A schema and every schema inside it, from the outside in. */
export function schemasIn(schema: JsonSchema): JsonSchema[] {
  return [schema, ...subschemasOf(schema).flatMap((each) => schemasIn(each.schema))];
}

/** Changes a schema and every schema inside it, innermost first; what does not change stays the same object. */
export function mapSchema(schema: JsonSchema, change: (schema: JsonSchema) => JsonSchema): JsonSchema {
  if (!isSchema(schema)) return schema;
  const changed = Object.entries(schema).flatMap(([name, value]) => {
    const { holds } = keyword(name) ?? {};
    const next = holds ? mapHeld(value, holds === "map", change) : value;
    return next === value ? [] : [[name, next] as const];
  });
  return change(changed.length > 0 ? { ...schema, ...Object.fromEntries(changed) } : schema);
}

function mapHeld(held: unknown, isMap: boolean, change: (schema: JsonSchema) => JsonSchema): unknown {
  if (Array.isArray(held)) {
    const next = held.map((each: JsonSchema) => mapSchema(each, change));
    return next.some((each, index) => each !== held[index]) ? next : held;
  }
  if (!isSchema(held)) return held;
  if (!isMap) return mapSchema(held, change);
  const byName = held as Record<string, JsonSchema>;
  const next = Object.entries(byName).map(([name, each]) => [name, mapSchema(each, change)] as const);
  return next.some(([name, each]) => each !== byName[name]) ? Object.fromEntries(next) : held;
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
