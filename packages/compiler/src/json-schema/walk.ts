import type { JsonSchema } from "@tenon/runtime/manifest";

const ONE = ["items", "additionalProperties", "contains"] as const;
const LISTS = ["anyOf", "prefixItems"] as const;
const MAPS = ["properties", "patternProperties", "$defs"] as const;

/** Changes a derived schema and every schema inside it, innermost first; unchanged parts stay the same objects. */
export function mapSchema(schema: JsonSchema, change: (schema: JsonSchema) => JsonSchema): JsonSchema {
  const changed: JsonSchema = {};
  for (const key of ONE) {
    const inner = schema[key];
    if (typeof inner !== "object" || inner === null) continue;
    const next = mapSchema(inner as JsonSchema, change);
    if (next !== inner) changed[key] = next;
  }
  for (const key of LISTS) {
    const inner = schema[key];
    const next = inner?.map((each) => mapSchema(each, change));
    if (next?.some((each, index) => each !== inner?.[index])) changed[key] = next;
  }
  for (const key of MAPS) {
    const inner = schema[key];
    if (!inner) continue;
    const next = Object.entries(inner).map(([name, each]) => [name, mapSchema(each, change)] as const);
    if (next.some(([name, each]) => each !== inner[name])) changed[key] = Object.fromEntries(next);
  }
  return change(Object.keys(changed).length > 0 ? { ...schema, ...changed } : schema);
}
