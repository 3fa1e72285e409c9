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
  return change(
    mapValues(schema as Record<string, unknown>, (value, name) => {
      if (typeof value !== "object" || value === null) return value;
      const holds = findKeyword(name)?.holds;
      return holds ? mapHeld(value, holds === "map", change) : value;
    }),
  );
}

function mapHeld(held: object, isMap: boolean, change: (schema: JsonSchema) => JsonSchema): unknown {
  const changeInside = (each: unknown): unknown => mapSchema(each as JsonSchema, change);
  if (Array.isArray(held)) {
    const next = held.map(changeInside);
    return next.some((each, index) => each !== held[index]) ? next : held;
  }
  return isMap ? mapValues(held as Record<string, unknown>, changeInside) : changeInside(held);
}

/** Returns a copy of an object with changed values, or the same object if none changes. */
function mapValues<Values extends Record<string, unknown>>(
  values: Values,
  change: (value: unknown, name: string) => unknown,
): Values {
  let changed: Record<string, unknown> | undefined;
  for (const name of Object.keys(values)) {
    const next = change(values[name], name);
    if (next !== values[name]) (changed ??= { ...values })[name] = next;
  }
  return (changed as Values | undefined) ?? values;
}

/** Returns an equivalent object for the schemas `true` and `false`. Other values are returned unchanged. */
export function toObjectSchema(value: unknown): unknown {
  if (value === true) return {};
  return value === false ? { not: {} } : value;
}

/** Returns whether a schema is an object, not `true` or `false`. */
export function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
