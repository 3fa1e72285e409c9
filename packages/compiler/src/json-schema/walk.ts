import type { JsonSchema } from "@tenon/runtime/manifest";
import { findKeyword } from "./keywords.js";

/** A schema directly inside another. */
export interface Subschema {
  keyword: string;
  /** Its name in a map, or its index in a list. Absent if the keyword holds only one schema. */
  key?: string | number;
  schema: JsonSchema;
}

/**
 * Returns the schemas directly inside another, in the order in which they are written. In a custom schema,
 * `true`, `false`, and other values in their positions are skipped.
 *
 * @example
 * listSubschemas({ properties: { city: { type: "string" } }, required: ["city"] })
 * // [{ keyword: "properties", key: "city", schema: { type: "string" } }]
 */
export function listSubschemas(schema: JsonSchema): Subschema[] {
  return Object.entries(schema).flatMap(([name, value]): Subschema[] => {
    const holds = findKeyword(name)?.holds;
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

/** Returns a schema and every schema inside it, outermost first. */
export function listSchemas(schema: JsonSchema): JsonSchema[] {
  return [schema, ...listSubschemas(schema).flatMap((each) => listSchemas(each.schema))];
}

/** Changes a schema and every schema inside it, innermost first. Unchanged schemas remain the same objects. */
export function mapSchema(schema: JsonSchema, change: (schema: JsonSchema) => JsonSchema): JsonSchema {
  if (!isSchema(schema)) return schema;
  let mapped: Record<string, unknown> | undefined;
  for (const [name, value] of Object.entries(schema)) {
    if (typeof value !== "object" || value === null) continue;
    const holds = findKeyword(name)?.holds;
    const next = holds ? mapHeld(value, holds === "map", change) : value;
    if (next !== value) (mapped ??= { ...schema })[name] = next;
  }
  return change(mapped ?? schema);
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

/** Returns whether a schema is an object, not `true` or `false`. */
export function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
