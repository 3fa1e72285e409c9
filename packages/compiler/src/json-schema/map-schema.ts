import type { JsonSchema } from "@tenon/runtime/manifest";

const NESTED: ReadonlySet<string> = new Set(["items", "additionalProperties", "not", "propertyNames"]);
const LISTS: ReadonlySet<string> = new Set(["anyOf", "oneOf", "allOf", "prefixItems"]);
const MAPS: ReadonlySet<string> = new Set(["properties", "patternProperties", "$defs"]);

/** Applies a change to a schema and every schema inside it, innermost first. */
export function mapSchema(schema: JsonSchema, change: (schema: JsonSchema) => JsonSchema): JsonSchema {
  // An author's own schema may hold `true` and `false` where schemas stand.
  if (typeof schema !== "object") return schema;
  const copy: JsonSchema = { ...schema };
  for (const [keyword, inner] of Object.entries(schema)) {
    if (typeof inner !== "object" || inner === null) continue;
    if (NESTED.has(keyword)) {
      copy[keyword] = mapSchema(inner as JsonSchema, change);
    } else if (LISTS.has(keyword)) {
      copy[keyword] = (inner as JsonSchema[]).map((each) => mapSchema(each, change));
    } else if (MAPS.has(keyword)) {
      const schemas = Object.entries(inner as Record<string, JsonSchema>);
      copy[keyword] = Object.fromEntries(schemas.map(([name, each]) => [name, mapSchema(each, change)]));
    }
  }
  return change(copy);
}
