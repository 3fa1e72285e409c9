import type { JsonSchema } from "@tenon/runtime/manifest";

const NESTED = ["items", "additionalProperties", "not", "propertyNames"] as const;
const LISTS = ["anyOf", "oneOf", "allOf", "prefixItems"] as const;
const MAPS = ["properties", "patternProperties", "$defs"] as const;

/** Applies a change to a schema and every schema inside it, innermost first. */
export function mapSchema(schema: JsonSchema, change: (schema: JsonSchema) => JsonSchema): JsonSchema {
  // An author's own schema may hold `true` and `false` where schemas stand.
  if (typeof schema !== "object") return schema;
  const copy: JsonSchema = { ...schema };
  for (const key of NESTED) {
    const inner = copy[key];
    if (typeof inner === "object") copy[key] = mapSchema(inner, change);
  }
  for (const key of LISTS) {
    const inner = copy[key];
    if (inner) copy[key] = inner.map((each) => mapSchema(each, change));
  }
  for (const key of MAPS) {
    const inner = copy[key];
    if (inner)
      copy[key] = Object.fromEntries(
        Object.entries(inner).map(([name, each]) => [name, mapSchema(each, change)]),
      );
  }
  return change(copy);
}
